import { betaQuantile } from "./beta_quantile.ts";
import { requireInteger } from "./require.ts";

/**
 * Relative error that the tail probability may have at the bound: the bounds are solved for a level
 * smaller by this, which moves them outward by far more than the arithmetic can be wrong.
 */
const LEVEL_MARGIN = 1e-9;

/** Successes and trials, and the probability `alpha` that the bound is wrong. */
interface Observed {
  /** Trials that succeeded. */
  readonly successes: number;
  /** All trials, independent of each other. */
  readonly trials: number;
  /** Chance that the bound is wrong, in (0, 1). */
  readonly alpha: number;
}

/**
 * The one-sided lower confidence bound of Clopper and Pearson 1934 for a proportion, rounded down: at
 * level 1 − alpha the true proportion is not below it, whatever it is.
 *
 * @throws {RangeError} unless 0 ≤ successes ≤ trials are integers, trials ≥ 1, and alpha is in (0, 1).
 *
 * @example
 * ```ts
 * import { clopperPearsonLower } from "./clopper_pearson.ts";
 * clopperPearsonLower({ successes: 10, trials: 10, alpha: 0.05 }); // 0.7411
 * ```
 */
export function clopperPearsonLower({ successes, trials, alpha }: Observed): number {
  requireObserved(successes, trials, alpha);
  if (successes === 0) return 0;
  const bound = betaQuantile(Math.log(alpha) - LEVEL_MARGIN, {
    a: successes,
    b: trials - successes + 1,
  });
  return bound * (1 - Number.EPSILON);
}

/** The one-sided upper bound, rounded up; see {@linkcode clopperPearsonLower}. */
export function clopperPearsonUpper({ successes, trials, alpha }: Observed): number {
  requireObserved(successes, trials, alpha);
  if (successes === trials) return 1;
  const bound = betaQuantile(Math.log(alpha) - LEVEL_MARGIN, {
    a: successes + 1,
    b: trials - successes,
    tail: "upper",
  });
  return Math.min(1, bound * (1 + Number.EPSILON));
}

function requireObserved(successes: number, trials: number, alpha: number): void {
  requireInteger("bound a proportion", "trials", trials, { min: 1 });
  requireInteger("bound a proportion", "successes", successes, { min: 0, max: trials });
  if (!(alpha > 0 && alpha < 1)) {
    throw new RangeError(
      `Cannot bound a proportion: alpha must be in (0, 1): current value is ${alpha}`,
    );
  }
}
