import { normalTail, normalTailQuantile } from "../../core/numeric/normal_tail.ts";
import {
  requireFields,
  requireInteger,
  requireKind,
  requirePositive,
} from "../../core/numeric/require.ts";
import { roundUp } from "../../core/numeric/round_outward.ts";

/**
 * (ε, δ, T)-privacy of Blum, Dwork, McSherry, Nissim 2005: after at most `queries`
 * answers, the confidence in any predicate of any row has grown by more than `epsilon` (nats) with
 * probability at most `delta`.
 */
export interface SulqPrivacy {
  /** The gain in confidence, nats. */
  readonly epsilon: number;
  /** The probability of a larger gain, in (0, 1). */
  readonly delta: number;
  /** T, how many answers are given at most. */
  readonly queries: number;
}

function requireSulq({ epsilon, delta, queries }: SulqPrivacy): void {
  requirePositive("calibrate SuLQ", "epsilon", epsilon);
  requirePositive("calibrate SuLQ", "delta", delta);
  if (delta >= 1) {
    throw new RangeError(`Cannot calibrate SuLQ: delta must be below 1: current value is ${delta}`);
  }
  requireInteger("calibrate SuLQ", "queries", queries, { min: 1 });
}

/**
 * Returns the confidence in something of probability p: its log-odds ln(p/(1 − p)).
 *
 * @throws {RangeError} unless p is in [0, 1].
 */
export function confidence(p: number): number {
  if (!(typeof p === "number" && p >= 0 && p <= 1)) {
    throw new RangeError(`Cannot take log-odds: p must be in [0, 1]: current value is ${p}`);
  }
  return Math.log(p) - Math.log1p(-p);
}

/**
 * The gain in confidence that a row is the one of two values that answers come from: each query's
 * contributions of the two values differ by at most 1, so that after T answers with noise N(0, R) the
 * gain is at worst N(μ²/2, μ²) with μ² = T/R. Its mean therefore grows as T, its deviation as √T.
 *
 * @throws {RangeError} unless queries is a positive integer and variance positive.
 */
export function confidenceGrowth(
  options: { queries: number; variance: number },
): { readonly mean: number; readonly deviation: number } {
  const { queries, variance } = requireFields("confidenceGrowth", options, {});
  requireInteger("follow confidence", "queries", queries, { min: 1 });
  requirePositive("follow confidence", "variance", variance);
  const squared = queries / variance;
  return { mean: 0.5 * squared, deviation: Math.sqrt(squared) };
}

/**
 * The exact probability that the gain of {@linkcode confidenceGrowth} exceeds epsilon, rounded up: what δ
 * must be at least for (epsilon, δ, queries)-privacy of noise of this variance.
 *
 * @throws {RangeError} as confidenceGrowth, and unless epsilon is positive.
 */
export function confidenceGainProbability(
  options: { epsilon: number; queries: number; variance: number },
): number {
  const { epsilon, queries, variance } = requireFields("confidenceGainProbability", options, {});
  requirePositive("follow confidence", "epsilon", epsilon);
  const { mean, deviation } = confidenceGrowth({ queries, variance });
  return Math.min(1, roundUp(normalTail((epsilon - mean) / deviation), { relativeError: 1e-12 }));
}

/**
 * The noise variance that SuLQ must exceed for (ε, δ, T)-privacy: 8T·ln²(T/δ)/ε² (Blum, Dwork, McSherry,
 * Nissim 2005). The result is above the bound.
 *
 * The condition is meant for ε below 1, say, and small δ: with ε = 10 and δ = 0.9 it asks for too little
 * ({@linkcode leastSulqVariance} is exact there), and for small δ for much more than is needed.
 *
 * @throws {RangeError} unless ε is positive, δ in (0, 1) and T a positive integer.
 *
 * @example
 * ```ts
 * import { leastSulqVariance, sulqVariance } from "./sulq_condition.ts";
 * sulqVariance({ epsilon: 0.1, delta: 1e-6, queries: 100 }); // 27,145,718
 * leastSulqVariance({ epsilon: 0.1, delta: 1e-6, queries: 100 }); // 226,949
 * ```
 */
export function sulqVariance(privacy: SulqPrivacy): number {
  requireKind("sulqVariance", "privacy", privacy, "record");
  requireSulq(privacy);
  const { epsilon, delta, queries } = privacy;
  const logarithm = Math.log(queries / delta);
  const bound = (8 * queries * logarithm * logarithm) / (epsilon * epsilon);
  return roundUp(bound, { relativeError: 1e-14 });
}

/**
 * The least variance for which {@linkcode confidenceGainProbability} is at most δ, rounded up: the
 * positive root μ of μ²/2 + zμ = ε, where P(Z > z) = δ, and R = T/μ².
 *
 * @throws {RangeError} as {@linkcode sulqVariance}.
 */
export function leastSulqVariance(privacy: SulqPrivacy): number {
  requireKind("leastSulqVariance", "privacy", privacy, "record");
  requireSulq(privacy);
  const { epsilon, delta, queries } = privacy;
  const z = normalTailQuantile(delta);
  const root = Math.sqrt(z * z + 2 * epsilon);
  // Of the two forms of the root, the one without cancellation.
  const mu = z > 0 ? (2 * epsilon) / (root + z) : root - z;
  return roundUp(queries / (mu * mu), { relativeError: 1e-11 });
}
