import type { DiscreteSource, ExactNumber } from "./discrete_source.ts";

/** @internal */
declare const traced: unique symbol;

/**
 * Symbolic real number of a traced program: only how it was computed is known, and only the methods
 * of the source compute with it.
 */
export interface TracedReal {
  /** @internal */
  readonly [traced]: true;
}

/** A real number of a program that can be run and traced: a number where it is run. */
export type Real = number | TracedReal;

/** Width of noise, given as its scale or as its rate, 1/scale. */
export type NoiseWidth = { readonly scale: ExactNumber } | { readonly rate: ExactNumber };

/**
 * Continuous draws, and arithmetic on them, as methods of a source: what audits and `dpcheck exact` hand to a program. In an audit
 * all of them take and give numbers. In a proof they give traced values, from which the shifts of noise are computed.
 */
export interface ContinuousDraws {
  /** Laplace noise: density ∝ exp(−|x|/scale). */
  laplace(width: NoiseWidth): Real;
  /** Exponential noise: density ∝ exp(−x/scale) on x ≥ 0. */
  exponential(width: NoiseWidth): Real;
  /** Gumbel noise: density ∝ exp(−x/scale − exp(−x/scale)). */
  gumbel(width: NoiseWidth): Real;
  /** Gaussian noise of mean 0. */
  gaussian(width: { readonly deviation: ExactNumber } | { readonly variance: ExactNumber }): Real;
  /** The sum of all terms. */
  sum(...terms: readonly Real[]): Real;
  /** left − right. */
  difference(left: Real, right: Real): Real;
  /** factor·value, for a factor that is known. */
  multiple(factor: ExactNumber, value: Real): Real;
  /** Returns true if left < right. */
  less(left: Real, right: Real): boolean;
  /** The place of the largest value, the first one of equal ones. @throws {RangeError} when there are no values. */
  indexOfLargest(values: readonly Real[]): number;
}

/** Source of randomness passed to programs: discrete and continuous draws. */
export interface ProgramSource extends DiscreteSource, ContinuousDraws {
  /** A source independent of this one, with the same draws. Each label is used once in an output. */
  split(label: string | number): ProgramSource;
}
