import { epsilonBounds } from "../../accounting/privacy_loss_distribution.ts";
import { gaussianLoss } from "../../accounting/privacy_loss.ts";
import { poissonSubsampledLoss } from "../../accounting/subsampled_loss.ts";
import { approximate, type ApproximateClaim } from "../../core/claim.ts";
import type { Dataset } from "../../core/dataset.ts";
import type { Mechanism } from "../../core/mechanism.ts";
import { addRemoveOne } from "../../core/relation.ts";
import type { Source } from "../../core/source.ts";
import { type ReleaseOptions, spendThen } from "../../mechanisms/spend_then.ts";
import { multiply, rational } from "../../numeric/rational.ts";
import { requireInteger, requirePositive } from "../../numeric/require.ts";
import { roundUp } from "../../numeric/round_outward.ts";
import { bernoulli } from "../../random/bernoulli.ts";
import { discreteGaussian } from "../../random/discrete_gaussian.ts";
import type { IntegerNoise } from "../../random/integer_noise.ts";
import type { LabelledRow } from "../erm/mechanism.ts";
import { addGradient, clippedGradient, STEPS_PER_BOUND } from "./clipped_gradient.ts";

/** What private stochastic gradient descent must be told. */
export interface DpSgdOptions {
  /** d, at most 4,096: rows have so many features. */
  readonly columnCount: number;
  /** How many steps. */
  readonly steps: number;
  /** The chance that a row is in the sample of a step, in (0, 1]: each by itself. */
  readonly rate: number;
  /** The Euclidean norm to which a row's gradient is clipped. */
  readonly clip: number;
  /** The deviation of the noise on the sum of clipped gradients, as a multiple of `clip`, from 0.1 to 100. */
  readonly noiseMultiplier: number;
  /** The weights move by so many times the noisy sum. */
  readonly learningRate: number;
  /** The δ of the claim, in (0, 1); ε follows. */
  readonly delta: number;
}

/** A logistic regression that was trained privately. */
export interface DpSgdModel {
  /** d weights: the label is the sign of their product with the features. */
  readonly weights: readonly number[];
  /** What the weights of all steps keep: (ε, δ)-DP for one row more or less. */
  readonly claim: ApproximateClaim;
}

/** Of δ, the share that is kept for the difference between discrete and continuous noise. */
const DISCRETE_SHARE = 1e-3;

/**
 * Logistic regression by private stochastic gradient descent (Abadi et al. 2016): each step takes a Poisson sample, clips each
 * row's gradient, and adds Gaussian noise to their sum. One row more or less changes the sum by at most `clip`.
 *
 * ε is that of `steps` Poisson-sampled Gaussian mechanisms with μ = 1/noiseMultiplier, by privacy loss distributions
 * ({@linkcode epsilonBounds}). The noise is the discrete Gaussian law on a grid of clip/2²⁸, deviation σ in steps. A
 * continuous Gaussian rounded to the grid loses no more than an unrounded one, and its law differs from the discrete one by at most 1/(5σ²) in
 * total variation: the ratio of their weights at k is the mean of e^(−kt/σ² − t²/(2σ²)) over |t| ≤ ½, between 1 − 1/(24σ²) and
 * cosh(k/(2σ²)), and the mean of the latter is at most e^(1/(8σ²)) (Canonne, Kamath, Steinke 2020, Proposition 17). All coordinates of
 * all steps therefore add at most (1 + e^ε)·steps·d/(5σ²) to δ, which a thousandth of δ is kept for.
 *
 * @param data rows with d features and a label of −1 or 1. The gradient of a row that has another label, or whose gradient
 * is no number, counts as 0: a refusal would tell about the row.
 * @throws {RangeError} on options out of range, or when the budget cannot pay; nothing was drawn then.
 * @throws {TypeError} when the source is not secure.
 *
 * @example
 * ```ts
 * import { openBudget } from "@dpcheck/dpcheck/accounting";
 * import { addRemoveOne, approximate } from "@dpcheck/dpcheck/core";
 * import { dpSgd } from "@dpcheck/dpcheck/learners";
 * const budget = openBudget(approximate({ epsilon: 3, delta: 1e-5, relation: addRemoveOne }));
 * const rows = Array.from({ length: 1000 }, (_, i) => ({
 *   features: [1, i % 2 === 0 ? 1 : -1],
 *   label: i % 2 === 0 ? 1 : -1,
 * }));
 * const options = { columnCount: 2, steps: 20, rate: 0.1, clip: 1, noiseMultiplier: 2 };
 * dpSgd(rows, { ...options, learningRate: 0.01, delta: 1e-5, budget }).weights; // about [0, 1]
 * ```
 */
export function dpSgd(
  data: Dataset<LabelledRow>,
  { budget, source, ...options }: DpSgdOptions & ReleaseOptions,
): DpSgdModel {
  return spendThen("learn privately", {
    budget,
    source,
    prepare: () => {
      const claim = dpSgdClaim(options);
      return {
        claim,
        draw: (secure) => ({ claim, weights: sampleDpSgd(secure, { ...options, data }) }),
      };
    },
  });
}

/**
 * The claim of {@linkcode dpSgd}.
 *
 * @throws {RangeError} on options out of range, or where the grid is too coarse for δ.
 */
export function dpSgdClaim(options: DpSgdOptions): ApproximateClaim {
  const { steps, rate, noiseMultiplier, delta, columnCount } = options;
  requireOptions(options);
  const loss = poissonSubsampledLoss(gaussianLoss({ mu: stepMu(options) }), { rate });
  const { upper } = epsilonBounds([{ loss, count: steps }], {
    delta: delta * (1 - DISCRETE_SHARE),
  });
  const variance = (noiseMultiplier * STEPS_PER_BOUND) ** 2;
  const extra = (1 + Math.exp(upper)) * steps * columnCount / (5 * variance);
  if (!(extra <= delta * DISCRETE_SHARE / 2)) {
    throw new RangeError(
      `Cannot learn privately: delta must be at least ${
        2 * extra / DISCRETE_SHARE
      } for so many steps and columns: current value is ${delta}`,
    );
  }
  // Where no noise would be needed, ε must still be positive.
  return approximate({ epsilon: Math.max(upper, 2 ** -40), delta, relation: addRemoveOne });
}

/** At least μ of a step, by the bound on a gradient over the standard deviation of its noise. */
export function stepMu({ noiseMultiplier }: Pick<DpSgdOptions, "noiseMultiplier">): number {
  return roundUp(1 / noiseMultiplier, { relativeError: Number.EPSILON });
}

/** {@linkcode dpSgd} drawing from a source of either kind: what audits and tests run. Returns the weights. */
export function sampleDpSgd(
  source: Source,
  { data, ...options }: DpSgdOptions & { readonly data: Dataset<LabelledRow> },
): number[] {
  requireOptions(options);
  return descend(source, { ...options, data, noise: stepNoise(options) });
}

/** The noise on a coordinate of a sum of gradients, in steps of the grid. */
function stepNoise({ noiseMultiplier }: DpSgdOptions): IntegerNoise {
  const deviation = multiply(rational(noiseMultiplier), rational(STEPS_PER_BOUND));
  return discreteGaussian({ variance: multiply(deviation, deviation) });
}

function descend(
  source: Source,
  { data, noise, ...options }: DpSgdOptions & {
    readonly data: Dataset<LabelledRow>;
    readonly noise: IntegerNoise;
  },
): number[] {
  const { columnCount, steps, rate, clip, learningRate } = options;
  const weights = new Array<number>(columnCount).fill(0);
  const sampled = new Uint8Array(data.length);
  const sum = new Float64Array(columnCount), noises = new Float64Array(columnCount);
  for (let step = 0; step < steps; step++) {
    bernoulli(source, sampled, { probability: rate });
    sum.fill(0);
    for (let i = 0; i < sampled.length; i++) {
      if (sampled[i] === 0) continue;
      addGradient(sum, clippedGradient(data[i]!, { weights, clip }));
    }
    noise.fill(source, noises);
    for (let j = 0; j < columnCount; j++) {
      const moved = weights[j]! - learningRate * clip * ((sum[j]! + noises[j]!) / STEPS_PER_BOUND);
      weights[j] = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, moved));
    }
  }
  return weights;
}

/** {@linkcode dpSgd} as a mechanism, for audits and tests. @throws {RangeError} on options out of range. */
export function dpSgdMechanism(options: DpSgdOptions): Mechanism<LabelledRow, number[]> {
  const claim = dpSgdClaim(options), noise = stepNoise(options);
  return {
    name: "dp-sgd",
    claim,
    width: options.columnCount,
    sample: (data, source) => descend(source, { ...options, data, noise }),
  };
}

function requireOptions(options: DpSgdOptions): void {
  const act = "learn privately";
  requireInteger(act, "columnCount", options.columnCount, { min: 1, max: 4096 });
  requireInteger(act, "steps", options.steps, { min: 1 });
  requirePositive(act, "rate", options.rate);
  requirePositive(act, "clip", options.clip);
  requirePositive(act, "learningRate", options.learningRate);
  requirePositive(act, "delta", options.delta);
  refuseUnless(options.rate <= 1, "rate", "at most 1", options.rate);
  refuseUnless(options.delta < 1, "delta", "below 1", options.delta);
  const { noiseMultiplier } = options;
  refuseUnless(
    noiseMultiplier >= 0.1 && noiseMultiplier <= 100,
    "noiseMultiplier",
    "from 0.1 to 100",
    noiseMultiplier,
  );
}

function refuseUnless(holds: boolean, name: string, rule: string, value: number): void {
  if (holds) return;
  throw new RangeError(
    `Cannot learn privately: ${name} must be ${rule}: current value is ${value}`,
  );
}
