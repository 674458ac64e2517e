import type { Source } from "../mechanism/source.ts";

/** An even law on the integers that can be drawn exactly, in blocks. */
export interface IntegerNoise {
  /** Fills `out` with independent draws: integers, as doubles. Returns `out`. */
  fill(source: Source, out: Float64Array): Float64Array;
  /** Natural logarithm of the probability of `value`; −Infinity when it is not an integer. */
  logProbability(value: number): number;
  /** Natural logarithm of P(X ≥ value), for an integer `value`. */
  logUpperTail(value: number): number;
}
