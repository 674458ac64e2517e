import type { Rational } from "../numeric/rational.ts";

/** One index of a weighted choice: its weight is multiplicity·exp(−exponent). */
export interface WeightedIndex {
  /** Any fraction; only differences between the indices of a choice matter. */
  readonly exponent: Rational;
  /** A factor of at least 0, 1 when absent. */
  readonly multiplicity?: bigint;
}

/**
 * A law on integers whose probabilities are known exactly: what one draw of an exact sampler follows. Coins with a fraction
 * for their probability are choices.
 */
export type DiscreteLaw =
  /** An index of `weights`, with probability proportional to its weight. */
  | { readonly kind: "choice"; readonly weights: readonly WeightedIndex[] }
  /** An integer from 0 to below − 1, all with the same probability. */
  | { readonly kind: "uniform"; readonly below: bigint }
  /** 1 with probability exp(−exponent), else 0. */
  | { readonly kind: "exponential coin"; readonly exponent: Rational }
  /** P(x) ∝ exp(−rate·x) on 0, 1, 2, … */
  | { readonly kind: "geometric"; readonly rate: Rational }
  /** P(x) ∝ exp(−rate·|x|) on the integers. */
  | { readonly kind: "discrete laplace"; readonly rate: Rational }
  /** P(x) ∝ exp(−x²/(2·variance)) on the integers. */
  | { readonly kind: "discrete gaussian"; readonly variance: Rational };
