import type { DiscreteLaw } from "../../../core/mechanism/discrete_law.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { SplitLabels, withSplit } from "../../../core/random/split_labels.ts";
import { lawKey } from "./law_key.ts";
import {
  OtherScale,
  type Outcome,
  type Outcomes,
  outcomesOf,
  type OutcomeUnits,
} from "./law_outcomes.ts";

/** A program draws what cannot be enumerated, keeps state, or is not deterministic given its draws. */
export class NotEnumerable extends Error {
  /** Always `"NotEnumerable"`. */
  override readonly name = "NotEnumerable";
}

/** Why a run ended before the program returned. */
export class RunEnded extends Error {
  /** `cut`: its probability is below the cut. `merged`: in a state that others share. */
  constructor(readonly reason: "cut" | "infinite" | "deep" | "merged") {
    super(`dpcheck ended this run: ${reason}`);
  }
}

/** Ends of many runs, made once: the trace of an error takes longer than the run. Programs that catch one can keep nothing in it. */
const CUT = Object.freeze(new RunEnded("cut")), MERGED = Object.freeze(new RunEnded("merged"));

/** Draws of one run from which a complete enumeration is given up. */
const DEEP = 2000;
/** Draws of one run from which any enumeration is. */
const DEEPEST = 100_000;

/** A draw of a path, and the probability of the path up to it, it included. */
interface Step {
  readonly outcomes: Outcomes;
  readonly index: number;
  readonly outcome: Outcome;
  readonly lower: bigint;
  readonly exponent: bigint;
  readonly coefficient: bigint;
  readonly product: number;
}

/** The probability of a path: coefficient·exp(−exponent/scale)·product, at least lower·2^−bits. */
export type PathProbability = Pick<Step, "lower" | "exponent" | "coefficient" | "product">;

/** What a source shares with others that enumerate the same mechanism: the outcomes of laws. */
export class KnownLaws {
  readonly #byIdentity = new WeakMap<DiscreteLaw, Outcomes>();
  readonly #byKey = new Map<string, Outcomes>();
  readonly #bySize = new Map<bigint, Outcomes>();

  /** In these units. */
  constructor(readonly units: OutcomeUnits) {}

  /** Returns the outcomes of a law, worked out once. */
  outcomesOf(law: DiscreteLaw): Outcomes {
    // Samplers make a record of a uniform law, and of a coin, for each draw.
    if (law.kind === "uniform") return this.#uniform(law);
    let outcomes = this.#byIdentity.get(law);
    if (outcomes !== undefined) return outcomes;
    const key = lawKey(law);
    outcomes = this.#byKey.get(key);
    if (outcomes === undefined) {
      this.#byKey.set(key, outcomes = outcomesOf(law, this.units));
    }
    if (law.kind !== "exponential coin") this.#byIdentity.set(law, outcomes);
    return outcomes;
  }

  #uniform(law: DiscreteLaw & { readonly kind: "uniform" }): Outcomes {
    let outcomes = this.#bySize.get(law.below);
    if (outcomes === undefined) {
      this.#bySize.set(law.below, outcomes = outcomesOf(law, this.units));
    }
    return outcomes;
  }
}

/** Where runs begin: the choices that lead to a state, and what is cut. */
export interface Beginning {
  /** Choices up to the state, replayed by every run. */
  readonly prefix: readonly Step[];
  /** Calls of `merge` in them. */
  readonly merges: number;
  /** A lower bound on the probability of the state, which is that of all paths to it. */
  readonly lower: bigint;
  /** Paths less likely than this are not run. 0: none is left out, and laws with infinitely many values are refused. */
  readonly cut: bigint;
}

/**
 * A source that takes a program through all that it may draw. Each run replays the choices before the last one that can
 * still be changed, then takes the first value of every law it meets.
 */
export class BranchingSource implements Source {
  readonly kind = "seeded";
  /** The state of a run that ended in `merge`. */
  state: unknown;
  /** Whether a run drew uniform numbers, which it compares. */
  comparesUniforms = false;
  readonly #laws: KnownLaws;
  readonly #beginning: Beginning;
  readonly #path: Step[];
  readonly #start: Omit<Step, "outcomes" | "index" | "outcome">;
  readonly #labels = new SplitLabels();
  #depth = 0;
  #merges = 0;
  #ended: RunEnded | NotEnumerable | OtherScale | undefined;

  /** A source at the beginning of its first run. */
  constructor(laws: KnownLaws, beginning: Beginning) {
    this.#laws = laws;
    this.#beginning = beginning;
    this.#path = [...beginning.prefix];
    this.#start = { lower: beginning.lower, exponent: 0n, coefficient: 1n, product: 0 };
  }

  /** The choices of the run. */
  get path(): readonly Step[] {
    return this.#path;
  }

  /** The probability of the run's choices since the beginning, times that of the beginning. */
  get probability(): PathProbability {
    return this.#path.length > this.#beginning.prefix.length ? this.#path.at(-1)! : this.#start;
  }

  /** Why the run did not end as the program would; a program may have caught what was thrown at it. */
  get ended(): RunEnded | NotEnumerable | OtherScale | undefined {
    return this.#ended;
  }

  /** @inheritdoc */
  branch(law: DiscreteLaw): number {
    if (this.#ended !== undefined) throw this.#ended;
    const outcomes = this.#outcomesOf(law);
    if (this.#depth < this.#path.length) {
      const step = this.#path[this.#depth++]!;
      if (step.outcomes === outcomes) return step.outcome.value;
      return this.#end(
        new NotEnumerable(
          "it draws otherwise when it is run again: it keeps state or reads a clock",
        ),
      );
    }
    const { cut } = this.#beginning;
    if (cut === 0n && outcomes.infinite) return this.#end(new RunEnded("infinite"));
    if (this.#depth >= DEEP && cut === 0n) return this.#end(new RunEnded("deep"));
    if (this.#depth >= DEEPEST) {
      return this.#end(new NotEnumerable(`one run draws more than ${DEEPEST} times`));
    }
    const step = this.#stepFrom(outcomes, 0);
    if (step === undefined) return this.#end(CUT);
    this.#path.push(step);
    this.#depth++;
    return step.outcome.value;
  }

  /** Ends the run in this state, unless it is one that the prefix has passed. */
  merge(state: unknown): void {
    if (this.#ended !== undefined) throw this.#ended;
    if (this.#merges++ < this.#beginning.merges) return;
    this.state = state;
    this.#end(MERGED);
  }

  /** Goes to the next run. @returns whether there is one. */
  advance(): boolean {
    if (this.#depth < this.#path.length && this.#ended === undefined) {
      throw new NotEnumerable(
        "it draws less when it is run again: it keeps state or reads a clock",
      );
    }
    this.#depth = 0;
    this.#merges = 0;
    this.#labels.begin();
    this.#ended = undefined;
    while (this.#path.length > this.#beginning.prefix.length) {
      const last = this.#path.pop()!;
      const next = this.#stepFrom(last.outcomes, last.index + 1);
      if (next !== undefined) {
        this.#path.push(next);
        return true;
      }
    }
    return false;
  }

  /** Returns the first value from an index on that is likely enough. */
  #stepFrom(outcomes: Outcomes, from: number): Step | undefined {
    const before = this.probability;
    const { bits, products } = this.#laws.units;
    const { cut } = this.#beginning;
    for (let index = from;; index++) {
      const outcome = outcomes.at(index);
      if (outcome === undefined) return undefined;
      const lower = before.lower * outcome.lower >> BigInt(bits);
      if (cut === 0n || lower >= cut) {
        return {
          outcomes,
          index,
          outcome,
          lower,
          exponent: before.exponent + outcome.exponent,
          coefficient: before.coefficient * outcome.coefficient,
          product: products.times(before.product, outcome.product),
        };
      }
      if (outcomes.infinite) return undefined;
    }
  }

  #outcomesOf(law: DiscreteLaw): Outcomes {
    try {
      return this.#laws.outcomesOf(law);
    } catch (error) {
      // Not the program's error: it must not be taken for an output.
      if (error instanceof OtherScale) return this.#end(error);
      throw error instanceof RangeError ? this.#end(new NotEnumerable(error.message)) : error;
    }
  }

  #end(reason: RunEnded | NotEnumerable | OtherScale): never {
    throw this.#ended = reason;
  }

  /** Ends the run: it does what cannot be enumerated. */
  refuse(what: string): never {
    return this.#end(new NotEnumerable(what));
  }

  /** @inheritdoc */
  uint32(): number {
    return this.refuse(
      "it draws raw bits (uint32()), as samplers in floating point do: audit it",
    );
  }

  /** @inheritdoc */
  uniform(): number {
    return this.refuse("it uses uniform(): audit it");
  }

  /** @inheritdoc */
  fillUint32(): void {
    this.refuse("it draws raw bits (fillUint32()), as samplers in floating point do: audit it");
  }

  /** Returns this source: independent draws are further choices of the same path. A label that was used in this run is refused. */
  split(label: string | number): Source {
    return this.#splitAt("", label);
  }

  #splitAt(path: string, label: string | number): Source {
    const own = this.#labels.take(
      path,
      label,
      (reason) => this.refuse(reason),
    );
    return withSplit<Source>(this, (inner) => this.#splitAt(own, inner));
  }
}
