import { confidenceGainProbability, sulqVariance } from "../breaches/sulq_condition.ts";
import { zcdpEpsilon } from "../../dp/accounting/composition/zcdp.ts";
import {
  requireDelta,
  requireFields,
  requireInteger,
  requirePositive,
} from "../../core/numeric/require.ts";
import { roundUp } from "../../core/numeric/round_outward.ts";

/** The noise of a SuLQ database and how often it answers. */
export interface SulqCalibration {
  /** R, the variance of the noise on one answer. */
  readonly variance: number;
  /** T, how many answers are given at most, each a sum of contributions in [0, 1]. */
  readonly queries: number;
}

/** Privacy guarantees of one noise, by the paper and by later results. */
export interface SulqAccounting {
  /**
   * The least ε for which the paper's condition R > 8T·ln²(T/δ)/ε² admits this noise. It bounds the
   * gain in confidence about a row when all others are known, and is meant for ε below 1.
   */
  readonly published: { readonly epsilon: number; readonly delta: number };
  /** The least ε whose exact probability of a larger gain in confidence is at most δ. */
  readonly exactGain: { readonly epsilon: number; readonly delta: number };
  /**
   * T/(2R), in nats: T answers of sensitivity 1 with Gaussian noise (Bun, Steinke 2016, Proposition
   * 1.6).
   */
  readonly rho: number;
  /** (ε, δ)-DP that follows from {@linkcode SulqAccounting.rho}. */
  readonly concentrated: { readonly epsilon: number; readonly delta: number };
}

/**
 * ρ of `queries` answers of noise variance R, the contributions of one row changing by at most
 * √`squaredSensitivity` in Euclidean norm an answer: queries·squaredSensitivity/(2R). Rounded up.
 */
export function sulqRho(
  { variance, queries, squaredSensitivity = 1 }: SulqCalibration & {
    readonly squaredSensitivity?: number;
  },
): number {
  requirePositive("account for SuLQ", "variance", variance);
  requireInteger("account for SuLQ", "queries", queries, { min: 1 });
  requirePositive("account for SuLQ", "squaredSensitivity", squaredSensitivity);
  return roundUp(queries * squaredSensitivity / (2 * variance), {
    relativeError: Number.EPSILON,
  });
}

/**
 * The privacy of a SuLQ database both ways: as Blum, Dwork, McSherry, Nissim 2005 published it, and
 * by zero-concentrated differential privacy of the same noise. The first is about a gain in
 * confidence and holds for queries fixed beforehand and chosen adaptively alike; the second is
 * differential privacy and composes with everything else.
 *
 * @throws {RangeError} unless variance is positive, queries a positive integer and delta in (0, 1).
 *
 * @example
 * ```ts
 * import { sulqAccounting } from "./sulq_accounting.ts";
 * const { published, concentrated } = sulqAccounting(
 *   { variance: 1e5, queries: 100 },
 *   { delta: 1e-6 },
 * );
 * published.epsilon; // 1.65
 * concentrated.epsilon; // 0.14
 * ```
 */
export function sulqAccounting(
  options: SulqCalibration,
  given: { delta: number },
): SulqAccounting {
  const { variance, queries } = requireFields("sulqAccounting", options, {});
  const { delta } = requireFields("sulqAccounting", given, {});
  const rho = sulqRho({ variance, queries });
  requirePositive("account for SuLQ", "delta", delta);
  requireDelta("account for SuLQ", "delta", delta);
  return {
    published: {
      epsilon: leastEpsilon((epsilon) => sulqVariance({ epsilon, delta, queries }) <= variance),
      delta,
    },
    exactGain: {
      epsilon: leastEpsilon((epsilon) =>
        confidenceGainProbability({ epsilon, queries, variance }) <= delta
      ),
      delta,
    },
    rho,
    concentrated: { epsilon: zcdpEpsilon({ rho }, { delta }), delta },
  };
}

/** The least ε that is admitted, to a part in 10¹²; the one returned is admitted. */
function leastEpsilon(admitted: (epsilon: number) => boolean): number {
  let low = 1, high = 1;
  while (admitted(low)) low /= 2;
  while (!admitted(high)) high *= 2;
  while (high - low > 1e-12 * high) {
    const middle = 0.5 * (low + high);
    if (admitted(middle)) high = middle;
    else low = middle;
  }
  return high;
}
