import { UsedAsValue } from "../../../core/mechanism/declared_call.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import {
  type Beginning,
  BranchingSource,
  type KnownLaws,
  NotEnumerable,
  type PathProbability,
  RunEnded,
} from "./branching_source.ts";
import { ASYNCHRONOUS, isPromise } from "../asynchronous.ts";
import { countingRandomness, OWN_RANDOMNESS, randomCalls } from "../own_randomness.ts";
import { rest } from "../../source/runs.ts";
import { SeededSource } from "../../../core/random/seeded_source.ts";
import { OutOfTime } from "./deadline.ts";
import { addTerm, type ExponentialSum, term } from "./exponential_sum.ts";
import type { FactorProducts } from "./factor_products.ts";
import { outputKey, thrownKey } from "./output_key.ts";

/** What a program threw in place of an output, as reports show it. */
export class ThrownOutput extends Error {
  /** Wraps an error, or any other value. */
  constructor(thrown: unknown) {
    super(thrown instanceof Error ? thrown.message : JSON.stringify(thrown) ?? String(thrown));
  }
}

/** One output of a program on one dataset. */
export interface EnumeratedOutput {
  readonly output: unknown;
  /** Its probability is at least this, in units of 2^−bits. */
  readonly lower: bigint;
  /**
   * Its probability exactly, by what sums are multiplied with (a number of `FactorProducts`). Of no meaning where paths
   * were cut.
   */
  readonly terms: ReadonlyMap<number, ExponentialSum>;
}

/** The law of a program's outputs on one dataset. */
export interface OutputLaw {
  readonly outputs: ReadonlyMap<string, EnumeratedOutput>;
  /** What lower bounds leave of 1, in units of 2^−bits: it may belong to any output. */
  readonly remainder: bigint;
  /** Whether every path was run: probabilities are then known exactly. */
  readonly complete: boolean;
  /** Paths less likely than this were left out, in units of 2^−bits; 0 for none. */
  readonly cut: bigint;
  /** Runs of the program. */
  readonly branches: number;
  /** Whether it compares uniform numbers. Default: false. */
  readonly comparesUniforms?: boolean;
}

/** How far an enumeration goes. */
export interface EnumerationLimits {
  /** Paths less likely than this are left out, in units of 2^−bits; 0 for none. */
  readonly cut: bigint;
  /** Most runs. */
  readonly maxBranches: number;
}

/** Why an enumeration was given up. */
export class GivenUp extends Error {
  /**
   * @param reason `branches`: there are more than allowed. Else laws or paths have no end: a cut is needed.
   * @param branches runs until then
   */
  constructor(readonly reason: "branches" | "infinite" | "deep", readonly branches: number) {
    super(`enumeration given up: ${reason}`);
  }
}

/** Paths that lead to one state, which later runs begin with. */
interface State {
  /** A path to it. */
  prefix: Beginning["prefix"];
  /** Paths to it that were found. */
  paths: number;
  /** Some others. */
  readonly others: Beginning["prefix"][];
  readonly terms: Map<number, Map<bigint, bigint>>;
  lower: bigint;
  /** What the program returned, if it did. */
  readonly output: unknown;
}

/** Paths to declared states that are compared with the one that is gone on from, after each call of `merge`. */
const MOST_CHECKS = 16;
/** Of these, for one state. */
const MOST_OTHERS = 4;

/**
 * Runs a program on every path of choices, and adds up the probabilities of equal outputs. An error that the program throws is
 * an output. Runs that declare the same state (`merge`) go on as one; of some states several paths are followed and compared.
 *
 * @throws {NotEnumerable} for a program that draws floats, is asynchronous, draws otherwise when it is run again,
 * or goes on differently from one declared state.
 * @throws {GivenUp} at the limits.
 */
export function enumerateOutputs(
  run: (source: Source) => unknown,
  limits: EnumerationLimits & { readonly laws: KnownLaws },
): OutputLaw {
  return countingRandomness(() => enumerated(run, limits));
}

function enumerated(
  run: (source: Source) => unknown,
  { laws, cut, maxBranches }: EnumerationLimits & { readonly laws: KnownLaws },
): OutputLaw {
  const { bits, products } = laws.units;
  const one = 1n << BigInt(bits);
  const outputs = new Map<string, State>();
  let branches = 0, comparesUniforms = false;
  let layer = new Map<string, State>([["", {
    prefix: [],
    paths: 1,
    others: [],
    lower: one,
    terms: new Map([[0, new Map(term(0n, 1n))]]),
    output: undefined,
  }]]);
  const lots = new SeededSource("paths to declared states");
  const count = (): number => {
    if (branches >= maxBranches) throw new GivenUp("branches", branches);
    return ++branches;
  };
  for (let merges = 0; layer.size > 0; merges++) {
    const next = new Map<string, State>();
    let checks = MOST_CHECKS;
    for (const { prefix, others, lower, terms } of layer.values()) {
      const source = new BranchingSource(laws, { prefix, merges, lower, cut });
      const reached = new Map<string, bigint>();
      for (const { to, key, output } of ends(run, source, count)) {
        const { probability } = source;
        const states: Map<string, State> = to === "output" ? outputs : next;
        let state = states.get(key);
        if (state === undefined) {
          state = { prefix: [], paths: 1, others: [], terms: new Map(), lower: 0n, output };
          states.set(key, state);
          if (to === "state") state.prefix = [...source.path];
        } else if (to === "state") {
          keepPath(state, { path: source.path, lot: lots.uint32() });
        }
        state.lower += probability.lower;
        if (others.length > 0 && checks > 0) {
          reached.set(to + key, (reached.get(to + key) ?? 0n) + probability.lower);
        }
        if (cut === 0n) addProbability(state.terms, { terms, probability, products });
      }
      for (const other of others) {
        if (checks-- <= 0) break;
        const again = new BranchingSource(laws, { prefix: other, merges, lower, cut });
        requireSame(reached, ends(run, again, count), { source: again, lower, bits });
      }
      comparesUniforms ||= source.comparesUniforms;
    }
    layer = next;
  }
  let total = 0n;
  for (const { lower } of outputs.values()) total += lower;
  const law = { outputs, remainder: one - total, complete: cut === 0n, cut, branches };
  return comparesUniforms ? { ...law, comparesUniforms } : law;
}

/** Keeps a path or not, so that each of those to a state is as likely to be gone on from as any other. */
function keepPath(
  state: State,
  { path, lot }: { readonly path: Beginning["prefix"]; readonly lot: number },
): void {
  const place = lot % ++state.paths;
  if (place === 0) {
    state.others[state.others.length % MOST_OTHERS] = state.prefix;
    state.prefix = [...path];
  } else if (state.others.length < MOST_OTHERS) state.others.push([...path]);
  else if (place <= MOST_OTHERS) state.others[place - 1] = [...path];
}

/** Adds the probability of a path from a state, all paths to which have these terms. */
function addProbability(
  sums: Map<number, Map<bigint, bigint>>,
  { terms, probability, products }: {
    readonly terms: State["terms"];
    readonly probability: PathProbability;
    readonly products: FactorProducts;
  },
): void {
  for (const [product, sum] of terms) {
    const number = products.times(product, probability.product);
    let to = sums.get(number);
    if (to === undefined) sums.set(number, to = new Map());
    for (const [exponent, coefficient] of sum) {
      addTerm(to, exponent + probability.exponent, coefficient * probability.coefficient);
    }
  }
}

/** How a run ended that was not cut: in an output or in a declared state. */
interface End {
  readonly to: "output" | "state";
  readonly key: string;
  readonly output: unknown;
}

/** Runs the program on every path from where the source begins. */
function* ends(
  run: (source: Source) => unknown,
  source: BranchingSource,
  count: () => number,
): Generator<End> {
  do {
    const runs = count();
    const end = outputOf(run, source);
    rest();
    const { ended } = source;
    if (ended === undefined) yield { to: "output", ...end };
    else if (!(ended instanceof RunEnded)) throw ended;
    else if (ended.reason === "merged") {
      yield { to: "state", key: outputKey(source.state), output: undefined };
    } else if (ended.reason !== "cut") throw new GivenUp(ended.reason, runs);
  } while (source.advance());
}

/**
 * Compares where two paths to one declared state lead, up to what was cut on either.
 *
 * @throws {NotEnumerable} when they lead elsewhere: the state is not all that the rest depends on.
 */
function requireSame(
  reached: ReadonlyMap<string, bigint>,
  others: Iterable<End>,
  { source, lower, bits }: {
    readonly source: BranchingSource;
    readonly lower: bigint;
    readonly bits: number;
  },
): void {
  const rest = new Map(reached);
  // What was cut on either side, and a margin for the order in which factors are rounded.
  let allowed = 2n * lower + (1n << BigInt(bits - 80));
  for (const each of reached.values()) allowed -= each;
  for (const { to, key } of others) {
    const each = source.probability.lower;
    allowed -= each;
    rest.set(to + key, (rest.get(to + key) ?? 0n) - each);
  }
  let difference = 0n;
  for (const each of rest.values()) difference += each < 0n ? -each : each;
  if (difference > allowed) {
    throw new NotEnumerable(
      "what it does after merge() depends on more than the state that it declares",
    );
  }
}

/** Returns the output of the program with its key; an error that it throws is an output. */
function outputOf(
  run: (source: Source) => unknown,
  source: BranchingSource,
): Pick<End, "key" | "output"> {
  const calls = randomCalls();
  let output: unknown, thrown: { readonly error: unknown } | undefined;
  try {
    output = run(source);
  } catch (error) {
    if (error instanceof OutOfTime || error instanceof NotEnumerable) throw error;
    thrown = { error };
  }
  if (randomCalls() !== calls) throw new NotEnumerable(OWN_RANDOMNESS);
  if (isPromise(output)) throw new NotEnumerable(ASYNCHRONOUS);
  if (thrown !== undefined) {
    const { error } = thrown;
    if (error instanceof UsedAsValue) throw new NotEnumerable(error.message);
    if (source.ended !== undefined) return { key: "", output: undefined };
    return { key: thrownKey(error), output: new ThrownOutput(error) };
  }
  if (source.ended !== undefined) return { key: "", output: undefined };
  return { key: outputKey(output), output };
}
