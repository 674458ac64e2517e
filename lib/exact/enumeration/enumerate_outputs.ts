import type { Source } from "../../core/source.ts";
import {
  type Beginning,
  BranchingSource,
  type KnownLaws,
  NotEnumerable,
  RunEnded,
} from "./branching_source.ts";
import { addTerm, type ExponentialSum, term } from "./exponential_sum.ts";
import { outputKey } from "./output_key.ts";

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
  /** Runs of the program. */
  readonly branches: number;
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
  /** `branches`: there are more than allowed. Else laws or paths have no end: a cut is needed. */
  constructor(readonly reason: "branches" | "infinite" | "deep", readonly branches: number) {
    super(`enumeration given up: ${reason}`);
  }
}

/** Paths that lead to one state, which later runs begin with. */
interface State {
  readonly prefix: Beginning["prefix"];
  readonly terms: Map<number, Map<bigint, bigint>>;
  lower: bigint;
}

/**
 * Runs a program on every path of choices, and adds up the probabilities of equal outputs. An error that the program throws is
 * an output. Runs that declare the same state (`merge`) go on as one.
 *
 * @throws {NotEnumerable} for a program that draws floats, is asynchronous, or draws otherwise when it is run again.
 * @throws {GivenUp} at the limits.
 */
export function enumerateOutputs(
  run: (source: Source) => unknown,
  { laws, cut, maxBranches }: EnumerationLimits & { readonly laws: KnownLaws },
): OutputLaw {
  const { bits, products } = laws.units;
  const one = 1n << BigInt(bits);
  const outputs = new Map<string, State & { readonly output: unknown }>();
  let branches = 0;
  let layer = new Map<string, State>([["", {
    prefix: [],
    lower: one,
    terms: new Map([[0, new Map(term(0n, 1n))]]),
  }]]);
  for (let merges = 0; layer.size > 0; merges++) {
    const next = new Map<string, State>();
    for (const { prefix, lower, terms } of layer.values()) {
      const source = new BranchingSource(laws, { prefix, merges, lower, cut });
      do {
        if (++branches > maxBranches) throw new GivenUp("branches", branches);
        const output = outputOf(run, source);
        const { ended } = source;
        if (ended !== undefined && !(ended instanceof RunEnded)) throw ended;
        if (ended !== undefined && ended.reason !== "merged") {
          if (ended.reason !== "cut") throw new GivenUp(ended.reason, branches);
          continue;
        }
        const to = ended === undefined ? outputs : next;
        const key = outputKey(ended === undefined ? output : source.state);
        let state = (to as Map<string, State & { output: unknown }>).get(key);
        if (state === undefined) {
          state = {
            prefix: ended === undefined ? [] : [...source.path],
            terms: new Map(),
            lower: 0n,
            output,
          };
          (to as Map<string, State & { output: unknown }>).set(key, state);
        }
        const { probability } = source;
        state.lower += probability.lower;
        if (cut > 0n) continue;
        for (const [product, sum] of terms) {
          const number = products.times(product, probability.product);
          let sums = state.terms.get(number);
          if (sums === undefined) state.terms.set(number, sums = new Map());
          for (const [exponent, coefficient] of sum) {
            addTerm(sums, exponent + probability.exponent, coefficient * probability.coefficient);
          }
        }
      } while (source.advance());
    }
    layer = next;
  }
  let total = 0n;
  for (const { lower } of outputs.values()) total += lower;
  return { outputs, remainder: one - total, complete: cut === 0n, branches };
}

/** What the program returns; an error that it throws is an output. */
function outputOf(run: (source: Source) => unknown, source: BranchingSource): unknown {
  let output: unknown;
  try {
    output = run(source);
  } catch (error) {
    if (source.ended !== undefined) return undefined;
    return error instanceof Error ? error : new Error(String(error));
  }
  if (typeof (output as { then?: unknown } | null | undefined)?.then === "function") {
    throw new NotEnumerable("it is asynchronous: only functions that return at once are run");
  }
  return output;
}
