import { type KnownLosses, withLosses } from "../../accounting/loss_distribution/known_losses.ts";
import { gaussianLoss } from "../../accounting/loss_distribution/privacy_loss.ts";
import { largestRho } from "../../accounting/composition/zcdp.ts";
import { alsoConcentrated } from "../../../core/claims/bounded_range.ts";
import { approximate, type Claim, pure } from "../../../core/claims/claim.ts";
import { addRemoveOne, type Relation } from "../../../core/relations/relation.ts";
import { analyticGaussianDeviation } from "../../mechanisms/gaussian.ts";
import { divide, multiply, rational, toNumber } from "../../../core/numeric/rational.ts";
import { roundUp } from "../../../core/numeric/round_outward.ts";
import { discreteGaussian } from "../../../core/random/discrete_gaussian.ts";
import { discreteLaplace } from "../../../core/random/discrete_laplace.ts";
import type { IntegerNoise } from "../../../core/random/integer_noise.ts";
import { requireRowRelation } from "../../mechanisms/require_row_relation.ts";
import { stepsForVariance } from "../../mechanisms/unit_steps.ts";

/** Noise on a grid for sums of numbers from −1 to 1, and the grid: a power of two that divides 1. */
export interface UnitNoise {
  /** Steps in 1. */
  readonly stepsPerUnit: number;
  /** In steps. */
  readonly noise: IntegerNoise;
  /** Its standard deviation, in units. */
  readonly deviation: number;
}

/** Noise of an additive model, and its claim. */
export interface AdditiveNoise {
  /** Noise on the number of rows in a bin. */
  readonly counts: UnitNoise;
  /** Noise on the sum of residuals in a bin, in units of the bound on one residual. */
  readonly residuals: UnitNoise;
  /** Noise on one bin stays within so many deviations with a probability of at least 95%. */
  readonly halfWidth: number;
  readonly claim: Claim;
  readonly alsoKeeps: readonly Claim[];
}

/** Public numbers from which the noise is calibrated. */
export interface NoiseOptions {
  readonly epsilon: number;
  readonly delta: number;
  readonly relation: Relation;
  readonly rounds: number;
  /** Number of columns. */
  readonly columns: number;
  /** The finest bins of all columns together. */
  readonly bins: number;
}

/** The share of the budget (ε, or μ²) that counts take. */
const COUNT_SHARE = rational(1, 5), RESIDUAL_SHARE = rational(4, 5);

/** Share of δ reserved for the difference between discrete and continuous noise. */
const DISCRETE_SHARE = 1e-3;

/** Noise outside of these variances has no grid. */
const LEAST_VARIANCE = 2 ** -40, MOST_VARIANCE = 2 ** 54;

/**
 * Noise for which the counts of every column, once, and its sums of residuals, once a round, keep what is asked for.
 *
 * Sensitivity: every row is in one bin of each column. Given all that was released before, its residual is a function of
 * the row alone, between −1 and 1 bounds. So one row more or less changes one count of a column by 1 and one of its sums by at most
 * 1: in both norms c = r = 1. A row replaced leaves a bin and enters another, or stays: counts change by at most c = 2 in the sum of absolute
 * values and √2 in Euclidean norm; sums by r = 2 in both, for the residuals of two rows of one bin may have opposite signs.
 *
 * Pure: Laplace noise of scale b loses c/b and r/b (Dwork, McSherry, Nissim, Smith 2006), and F·c/b_c + F·T·r/b_r = ε for F columns
 * and T rounds, chosen adaptively (Dwork, Rothblum, Vadhan 2010): b is a fraction, and nothing is rounded.
 *
 * With δ: Gaussian noise of deviation σ is μ-GDP with μ = c/σ_c or r/σ_r, and all of it √(F·c²/σ_c² + F·T·r²/σ_r²)-GDP, chosen adaptively
 * (Dong, Roth, Su 2022, Corollary 3.3): one Gaussian mechanism, whose ε at δ is exact (Balle, Wang 2018). The law that is drawn is the discrete one
 * on a grid. As in `fitDpSgd`, it differs by at most 1/(5σ²) in total variation, σ in steps, from a continuous one that is rounded, so that
 * all N draws add at most (1 + e^ε)·N/(5σ²) to δ, which a thousandth of δ is kept for. Its ρ = μ²/2 needs no such step
 * (Canonne, Kamath, Steinke 2020, Theorem 4): where ε is so large, or δ so small, that a thousandth is not enough, (ε, δ) follows from ρ.
 *
 * @throws {RangeError} where ε is too small or too large for so many rounds and columns.
 */
export function additiveNoise(options: NoiseOptions): AdditiveNoise {
  requireRowRelation("fit an additive model", options.relation);
  return options.delta === 0 ? laplaceNoise(options) : gaussianNoise(options);
}

function laplaceNoise(
  { epsilon, relation, rounds, columns }: NoiseOptions,
): AdditiveNoise {
  const changed = relation === addRemoveOne ? 1 : 2;
  const of = (share: typeof COUNT_SHARE, releases: number): UnitNoise => {
    const scale = divide(rational(changed * releases), multiply(rational(epsilon), share));
    const size = toNumber(scale), stepsPerUnit = stepsOf({ epsilon, variance: size ** 2 });
    return {
      stepsPerUnit,
      noise: discreteLaplace({ scale: multiply(scale, rational(stepsPerUnit)) }),
      deviation: Math.SQRT2 * size,
    };
  };
  // Each release is ε_i-DP, and so ε_i²/2-zCDP (Bun, Steinke 2016, Proposition 1.4).
  const squares = 0.04 / columns + 0.64 / (columns * rounds);
  return {
    counts: of(COUNT_SHARE, columns),
    residuals: of(RESIDUAL_SHARE, columns * rounds),
    // Of one draw; sums of several have lighter tails for their deviation.
    halfWidth: Math.log(20) / Math.SQRT2,
    claim: pure({ epsilon, relation }),
    alsoKeeps: alsoConcentrated({
      rho: roundUp(0.5 * squares * epsilon ** 2, { relativeError: 1e-14 }),
      relation,
    }),
  };
}

function gaussianNoise(options: NoiseOptions): AdditiveNoise {
  const { epsilon, delta } = options;
  // Deviations for a sensitivity of 1.
  const least = analyticGaussianDeviation({ epsilon, delta: delta * (1 - DISCRETE_SHARE) });
  const { noise, distance } = gaussianNoiseOf(least, options);
  if ((1 + Math.exp(epsilon)) * distance <= delta * DISCRETE_SHARE / 2) return noise;
  const deviation = roundUp(1 / Math.sqrt(2 * largestRho({ epsilon, delta })), {
    relativeError: 1e-15,
  });
  return gaussianNoiseOf(deviation, options).noise;
}

/** Noise of this deviation for a sensitivity of 1 in all, and how far all of it is from continuous noise, in total variation. */
function gaussianNoiseOf(
  deviation: number,
  { epsilon, delta, relation, rounds, columns, bins }: NoiseOptions,
): { readonly noise: AdditiveNoise; readonly distance: number } {
  const [count, residual] = relation === addRemoveOne ? [1, 1] : [2, 4];
  const of = (square: number, share: typeof COUNT_SHARE): UnitNoise => {
    const variance = roundUp(square * deviation ** 2 / toNumber(share), { relativeError: 1e-14 });
    const stepsPerUnit = stepsOf({ epsilon, variance });
    return {
      stepsPerUnit,
      noise: discreteGaussian({
        variance: multiply(rational(variance), rational(stepsPerUnit ** 2)),
      }),
      deviation: Math.sqrt(variance),
    };
  };
  const counts = of(count! * columns, COUNT_SHARE);
  const residuals = of(residual! * columns * rounds, RESIDUAL_SHARE);
  const mu = roundUp(1 / deviation, { relativeError: Number.EPSILON });
  const rho = roundUp(0.5 * mu * mu, { relativeError: 2 * Number.EPSILON });
  const distance = roundUp(
    bins / (5 * steps(counts) ** 2) + rounds * bins / (5 * steps(residuals) ** 2),
    { relativeError: 1e-14 },
  );
  const alsoKeeps = alsoConcentrated({ rho, relation });
  const losses: KnownLosses = {
    parts: [{ loss: gaussianLoss({ mu }), count: 1 }],
    distance,
    key: `additive ${mu} ${distance}`,
    renyi: (order) => roundUp(order * rho, { relativeError: Number.EPSILON }),
    alsoKeeps,
  };
  const noise = {
    counts,
    residuals,
    halfWidth: 1.96,
    claim: withLosses(approximate({ epsilon, delta, relation }), losses),
    alsoKeeps,
  };
  return { noise, distance };
}

const steps = ({ stepsPerUnit, deviation }: UnitNoise): number => stepsPerUnit * deviation;

function stepsOf({ epsilon, variance }: { epsilon: number; variance: number }): number {
  if (variance >= LEAST_VARIANCE && variance <= MOST_VARIANCE) return stepsForVariance(variance);
  throw new RangeError(
    `Cannot fit an additive model: epsilon must be ${
      variance < LEAST_VARIANCE ? "smaller" : "larger"
    } for so many rounds and columns: current value is ${epsilon}`,
  );
}
