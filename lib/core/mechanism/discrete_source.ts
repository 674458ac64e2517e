import type { Rational } from "../numeric/rational.ts";
import type { Source } from "./source.ts";

/** A fraction, or the binary fraction that a double is. */
export type ExactNumber = number | Rational;

/**
 * A source whose discrete draws are methods: what audits and `dpcheck exact` hand to a program. All of them are exact, so
 * that the probability of an output can be computed as well as estimated. Numbers stand for the binary fractions that they
 * are; `rational(1, 3)` is a third.
 */
export interface DiscreteSource extends Source {
  /** True with this probability, in [0, 1]. */
  bernoulli(options: { readonly probability: ExactNumber }): boolean;
  /** An integer in [0, below), all with the same probability. */
  integer(options: { readonly below: number }): number;
  /** An index with probability proportional to its weight, or to exp(−exponent), whichever is given. */
  choice(
    options: { readonly weights: readonly ExactNumber[] } | {
      readonly exponents: readonly ExactNumber[];
    },
  ): number;
  /** 0, 1, 2, … with P(x) ∝ exp(−rate·x). */
  geometric(options: { readonly rate: ExactNumber }): number;
  /** Any integer, with P(x) ∝ exp(−rate·|x|): for a query that changes by Δ, the rate ε/Δ is ε-DP. */
  discreteLaplace(options: { readonly rate: ExactNumber }): number;
  /** Any integer, with P(x) ∝ exp(−x²/(2·variance)). */
  discreteGaussian(options: { readonly variance: ExactNumber }): number;
  /**
   * Says that what the program does from here on depends on what it did before through `state` alone, a value that JSON can
   * hold. Where a source enumerates, runs in the same state go on as one; where it draws, nothing happens.
   */
  merge(state: unknown): void;
}
