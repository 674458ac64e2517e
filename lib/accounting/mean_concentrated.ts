import {
  requireDelta,
  requireFields,
  requireKind,
  requireNonNegative,
  requirePositive,
} from "../numeric/require.ts";
import { roundUp } from "../numeric/round_outward.ts";

/**
 * Mean-concentrated differential privacy (Dwork, Rothblum 2016): the privacy loss has expectation at
 * most `mean`, and less its expectation it is sub-Gaussian with standard `spread` (τ):
 * E e^(λ(loss − E loss)) ≤ e^(λ²τ²/2) for every real λ. Nats.
 */
export interface MeanConcentrated {
  /** At least the expected loss. */
  readonly mean: number;
  /** The sub-Gaussian standard τ. */
  readonly spread: number;
}

const RELATIVE_ERROR = 1e-14;

function up(value: number): number {
  return roundUp(value, { relativeError: RELATIVE_ERROR });
}

function requireConcentrated(action: string, { mean, spread }: MeanConcentrated): void {
  requireNonNegative(action, "mean", mean);
  requireNonNegative(action, "spread", spread);
}

/** What ε-DP implies: mean ε·(e^ε − 1)/2 and spread ε (Dwork, Rothblum 2016, Theorem 3.5). */
export function meanConcentratedOfPure(options: { epsilon: number }): MeanConcentrated {
  const { epsilon } = requireFields("meanConcentratedOfPure", options, {});
  requirePositive("concentrate a privacy loss", "epsilon", epsilon);
  return { mean: up(0.5 * epsilon * Math.expm1(epsilon)), spread: epsilon };
}

/** What Gaussian noise has, with μ = sensitivity / standard deviation: mean μ²/2 and spread μ. */
export function meanConcentratedOfGaussian(options: { mu: number }): MeanConcentrated {
  const { mu } = requireFields("meanConcentratedOfGaussian", options, {});
  requirePositive("concentrate a privacy loss", "mu", mu);
  return { mean: up(0.5 * mu * mu), spread: mu };
}

/**
 * Adaptive composition: means add up, and so do squares of spreads (ibid., Theorem 3.4). Rounded up.
 *
 * @example
 * ```ts
 * import { composeMeanConcentrated, meanConcentratedOfPure } from "./mean_concentrated.ts";
 * const one = meanConcentratedOfPure({ epsilon: 0.1 });
 * composeMeanConcentrated([one, one]);
 * ```
 */
export function composeMeanConcentrated(parts: readonly MeanConcentrated[]): MeanConcentrated {
  requireKind("composeMeanConcentrated", "parts", parts, "list");
  for (const part of parts) requireConcentrated("compose", part);
  if (parts.length === 1) return parts[0]!;
  const relativeError = RELATIVE_ERROR + Number.EPSILON * parts.length;
  return {
    mean: roundUp(parts.reduce((sum, { mean }) => sum + mean, 0), { relativeError }),
    spread: roundUp(Math.sqrt(parts.reduce((sum, { spread }) => sum + spread * spread, 0)), {
      relativeError,
    }),
  };
}

/**
 * An ε such that (ε, `delta`)-DP follows, because the loss exceeds it with probability at most δ:
 * mean + spread·√(2·ln(1/δ)). Rounded up.
 *
 * @throws {RangeError} unless delta is in (0, 1).
 *
 * @example
 * ```ts
 * import { meanConcentratedEpsilon, meanConcentratedOfGaussian } from "./mean_concentrated.ts";
 * meanConcentratedEpsilon(meanConcentratedOfGaussian({ mu: 0.2 }), { delta: 1e-6 }); // 1.07
 * ```
 */
export function meanConcentratedEpsilon(
  claim: MeanConcentrated,
  options: { delta: number },
): number {
  const { delta } = requireFields("meanConcentratedEpsilon", options, {});
  requireConcentrated("convert concentrated privacy", claim);
  requirePositive("convert concentrated privacy", "delta", delta);
  requireDelta("convert concentrated privacy", "delta", delta);
  return up(claim.mean + claim.spread * Math.sqrt(-2 * Math.log(delta)));
}

/**
 * The ρ of zCDP that follows: τ²/2, or `mean` where that is larger. The divergence of order a is at
 * most mean − τ²/2 + a·τ²/2 (Bun, Steinke 2016), and the constant is at most its positive part
 * times a.
 */
export function zcdpOfMeanConcentrated(claim: MeanConcentrated): number {
  requireKind("zcdpOfMeanConcentrated", "claim", claim, "record");
  requireConcentrated("convert concentrated privacy", claim);
  return up(Math.max(claim.mean, 0.5 * claim.spread * claim.spread));
}
