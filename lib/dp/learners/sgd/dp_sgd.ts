import { requireKnown } from "../../../core/text/known_options.ts";
import { adaptiveEpsilon } from "../../accounting/loss_distribution/adaptive_bounds.ts";
import { noiseFor } from "../../accounting/calibrate_noise.ts";
import type { Bounds } from "../../accounting/loss_distribution/privacy_loss_distribution.ts";
import { gaussianLoss, type PrivacyLoss } from "../../accounting/loss_distribution/privacy_loss.ts";
import { poissonSubsampledLoss } from "../../accounting/sampling/subsampled_loss.ts";
import { type KnownLosses, withLosses } from "../../accounting/loss_distribution/known_losses.ts";
import { wholeOrderSampledRenyi } from "../../accounting/sampling/subsampling.ts";
import { approximate, type ApproximateClaim, zcdp } from "../../../core/claims/claim.ts";
import type { Dataset } from "../../../core/relations/dataset.ts";
import type { Mechanism } from "../../../core/mechanism/mechanism.ts";
import { addRemoveOne } from "../../../core/relations/relation.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { type ReleaseOptions, spendThen } from "../../mechanisms/release.ts";
import { multiply, rational } from "../../../core/numeric/rational.ts";
import {
  requireFields,
  requireInteger,
  requireKind,
  requirePositive,
} from "../../../core/numeric/require.ts";
import { roundUp } from "../../../core/numeric/round_outward.ts";
import { bernoulli } from "../../../core/random/bernoulli.ts";
import { discreteGaussian } from "../../../core/random/discrete_gaussian.ts";
import type { IntegerNoise } from "../../../core/random/integer_noise.ts";
import type { LabelledRow } from "../erm/mechanism.ts";
import { addGradient, clippedGradient, STEPS_PER_BOUND } from "./clipped_gradient.ts";

/** Options of private stochastic gradient descent. */
export interface DpSgdOptions {
  /** d, at most 4,096: rows have so many features. */
  readonly columnCount: number;
  /** Number of steps. */
  readonly steps: number;
  /** Probability that a row is in the sample of a step, in (0, 1], independently of the others. */
  readonly rate: number;
  /** The Euclidean norm to which a row's gradient is clipped. */
  readonly clip: number;
  /**
   * The deviation of the noise on the sum of clipped gradients, as a multiple of `clip`, from 0.1 to 100. In its place `epsilon`
   * may be given.
   */
  readonly noiseMultiplier?: number;
  /** Target ε, given instead of `noiseMultiplier`: the noise is chosen so that the claim is at most this ε and within 0.1% of it. */
  readonly epsilon?: number;
  /** The weights move by so many times the noisy sum. */
  readonly learningRate: number;
  /** The δ of the claim, in (0, 1). */
  readonly delta: number;
}

/** A logistic regression that was trained privately. */
export interface DpSgdModel {
  /** d weights: the label is the sign of their product with the features. */
  readonly weights: readonly number[];
  /** Privacy claim of the weights of all steps: (ε, δ)-DP for one row more or less. */
  readonly claim: ApproximateClaim;
}

/** Options of which the noise is known. */
type Noisy = DpSgdOptions & {
  readonly noiseMultiplier: number;
  /** The ε of the claim, where it was computed before. */
  readonly known?: number;
};

/** The noise multipliers that may be used. */
const LEAST_NOISE = 0.1, MOST_NOISE = 100;
/** Share of δ reserved for the difference between discrete and continuous noise. */
const DISCRETE_SHARE = 1e-3;

/**
 * Logistic regression by private stochastic gradient descent (Abadi et al. 2016): each step takes a Poisson sample, clips each
 * row's gradient, and adds Gaussian noise to their sum. One row more or less changes the sum by at most `clip`.
 *
 * ε is that of `steps` Poisson-sampled Gaussian mechanisms with μ = 1/noiseMultiplier, by privacy loss distributions
 * (`epsilonBounds`). The noise is the discrete Gaussian law on a grid of clip/2²⁸, deviation σ in steps. A
 * continuous Gaussian rounded to the grid loses no more than an unrounded one, and its law differs from the discrete one by at most 1/(5σ²) in
 * total variation: the ratio of their weights at k is the mean of e^(−kt/σ² − t²/(2σ²)) over |t| ≤ ½, between 1 − 1/(24σ²) and
 * cosh(k/(2σ²)), and the mean of the latter is at most e^(1/(8σ²)) (Canonne, Kamath, Steinke 2020, Proposition 17). All coordinates of
 * all steps therefore add at most (1 + e^ε)·steps·d/(5σ²) to δ, which a thousandth of δ is kept for.
 *
 * A budget of zCDP pays ρ = steps/(2·noiseMultiplier²), which sampling does not make smaller at every order; an approximate one with
 * slack pays the ρ that the Rényi divergences of sampled steps give beside δ; one with an announced sequence
 * (`openAnnouncedBudget`, with {@linkcode dpSgdClaim}) composes the losses of all steps with those of other releases.
 *
 * @param data rows with d features and a label of −1 or 1. The gradient of a row that has another label, or whose gradient
 * is not a number, counts as 0: a refusal would tell about the row.
 * @throws {RangeError} on options out of range, or when the budget cannot pay; nothing was drawn then.
 * @throws {TypeError} when the source is not secure.
 *
 * @example
 * ```ts
 * import { openBudget } from "@dpcheck/dpcheck/accounting";
 * import { addRemoveOne, approximate } from "@dpcheck/dpcheck/core";
 * import { fitDpSgd } from "@dpcheck/dpcheck/learners";
 * const budget = openBudget(approximate({ epsilon: 3, delta: 1e-5, relation: addRemoveOne }));
 * const rows = Array.from({ length: 1000 }, (_, i) => ({
 *   features: [1, i % 2 === 0 ? 1 : -1],
 *   label: i % 2 === 0 ? 1 : -1,
 * }));
 * const options = { columnCount: 2, steps: 20, rate: 0.1, clip: 1, learningRate: 0.01 };
 * fitDpSgd(rows, { ...options, epsilon: 3, delta: 1e-5, budget }).weights; // about [0, 1]
 * ```
 */
export function fitDpSgd(
  data: Dataset<LabelledRow>,
  stated: DpSgdOptions & ReleaseOptions,
): DpSgdModel {
  requireKind("fitDpSgd", "data", data, "list");
  const { budget, source, ...given } = requireFields("fitDpSgd", stated, {});
  requireKnown("call fitDpSgd()", stated, [
    "columnCount",
    "steps",
    "rate",
    "clip",
    "noiseMultiplier",
    "epsilon",
    "learningRate",
    "delta",
    "budget",
    "source",
  ]);
  return spendThen("learn privately", {
    budget,
    source,
    prepare: () => {
      const options = noisy(given), claim = claimOf(options);
      return {
        claim,
        draw: (secure) => ({ claim, weights: sampleDpSgd(secure, { ...options, data }) }),
      };
    },
  });
}

/**
 * {@linkcode fitDpSgd} as a mechanism, for audits: from labelled rows to the weights.
 *
 * @throws {RangeError} on options out of range, or where the grid is too coarse for δ.
 *
 * @example
 * ```ts
 * import { SeededSource } from "@dpcheck/dpcheck";
 * import { dpSgdMechanism } from "@dpcheck/dpcheck/learners";
 * const training = { steps: 20, rate: 0.1, clip: 1, learningRate: 0.01, noiseMultiplier: 1 };
 * const mechanism = dpSgdMechanism({ ...training, columnCount: 2, delta: 1e-5 });
 * mechanism.sample([{ features: [1, 0], label: 1 }], new SeededSource(1)).length; // 2
 * ```
 */
export function dpSgdMechanism(given: DpSgdOptions): Mechanism<LabelledRow, number[]> {
  const options = noisy(requireFields("dpSgdMechanism", given, {}));
  requireKnown("call dpSgdMechanism()", given, [
    "columnCount",
    "steps",
    "rate",
    "clip",
    "noiseMultiplier",
    "epsilon",
    "learningRate",
    "delta",
  ]);
  const claim = claimOf(options), noise = stepNoise(options);
  return {
    name: "dp-sgd",
    claim,
    alsoKeeps: divergences(options).alsoKeeps,
    width: options.columnCount,
    sample: (data, source) => descend(source, { ...options, data, noise }),
  };
}

/**
 * The claim of {@linkcode fitDpSgd}.
 *
 * @throws {RangeError} on options out of range, or where the grid is too coarse for δ.
 */
export function dpSgdClaim(options: DpSgdOptions): ApproximateClaim {
  return claimOf(noisy(requireFields("dpSgdClaim", options, {})));
}

/** The options with their noise, which is looked for where ε is given. */
function noisy(options: DpSgdOptions): Noisy {
  const { epsilon, ...rest } = options, { noiseMultiplier } = rest;
  if ((noiseMultiplier === undefined) === (epsilon === undefined)) {
    throw new RangeError(
      "Cannot learn privately: one of noiseMultiplier and epsilon must be given: current values are " +
        `${noiseMultiplier} and ${epsilon}`,
    );
  }
  requireOptions(options);
  if (noiseMultiplier !== undefined) {
    requirePositive("learn privately", "noiseMultiplier", noiseMultiplier);
    refuseUnless(
      noiseMultiplier >= LEAST_NOISE && noiseMultiplier <= MOST_NOISE,
      "noiseMultiplier",
      `from ${LEAST_NOISE} to ${MOST_NOISE}`,
      noiseMultiplier,
    );
    return { ...rest, noiseMultiplier };
  }
  requirePositive("learn privately", "epsilon", epsilon!);
  return calibrated(rest, epsilon!);
}

/** The options with noise for which ε is at most `target`, and nearly that. */
function calibrated(options: DpSgdOptions, target: number): Noisy {
  const { noise: noiseMultiplier, epsilon: known } = noiseFor({
    boundsAt: (noiseMultiplier, within) => boundsOf({ ...options, noiseMultiplier }, within),
    target,
    least: LEAST_NOISE,
    most: MOST_NOISE,
  });
  refuseUnless(known <= target, "epsilon", `at least ${known} for these steps and rate`, target);
  return { ...options, noiseMultiplier, known };
}

function lossOf({ rate, ...options }: Noisy): PrivacyLoss {
  return poissonSubsampledLoss(gaussianLoss({ mu: stepMu(options) }), { rate });
}

/** Bounds on ε, with all of δ but the share of discrete noise; how near to each other, relative to ε, may be said. */
function boundsOf(options: Noisy, within?: number): Bounds {
  const { forward, backward } = lossOf(options), { steps: count, delta } = options;
  return adaptiveEpsilon([forward, backward].map((law) => [{ law, count }]), {
    delta: delta * (1 - DISCRETE_SHARE),
    ...(within === undefined ? {} : { within }),
  });
}

function epsilonOf(options: Noisy): number {
  return options.known ?? boundsOf(options).upper;
}

function claimOf(options: Noisy): ApproximateClaim {
  const { steps, rate, noiseMultiplier, delta, columnCount } = options;
  const upper = epsilonOf(options), variance = (noiseMultiplier * STEPS_PER_BOUND) ** 2;
  const distance = roundUp(steps * columnCount / (5 * variance), { relativeError: 1e-14 });
  const extra = (1 + Math.exp(upper)) * distance;
  if (!(extra <= delta * DISCRETE_SHARE / 2)) {
    throw new RangeError(
      `Cannot learn privately: delta must be at least ${
        2 * extra / DISCRETE_SHARE
      } for so many steps and columns: current value is ${delta}`,
    );
  }
  // ε must be positive even if the bound is 0.
  const claim = approximate({ epsilon: Math.max(upper, 2 ** -40), delta, relation: addRemoveOne });
  return withLosses(claim, {
    parts: [{ loss: lossOf(options), count: steps }],
    distance,
    key: `dp-sgd ${noiseMultiplier} ${rate} ${steps} ${columnCount}`,
    ...divergences(options),
  });
}

/**
 * Discrete Gaussian noise on vectors of whole numbers has Rényi divergences of at most a·μ²/2 (Canonne, Kamath, Steinke 2020,
 * Theorem 4, for each coordinate), and so has that on a sample, by quasi-convexity. What sampling makes of them at
 * orders that are not too high is the bound for Gaussian noise at whole orders.
 */
function divergences(
  { steps, rate, ...options }: Noisy,
): Required<Pick<KnownLosses, "renyi" | "alsoKeeps">> {
  const mu = stepMu(options), one = wholeOrderSampledRenyi({ mu, rate });
  const rho = roundUp(0.5 * steps * mu ** 2, { relativeError: 4 * Number.EPSILON });
  return {
    renyi: (order) => roundUp(steps * one(order), { relativeError: Number.EPSILON }),
    alsoKeeps: [zcdp({ rho, relation: addRemoveOne })],
  };
}

/** At least μ of a step, by the bound on a gradient over the standard deviation of its noise. */
export function stepMu({ noiseMultiplier }: { readonly noiseMultiplier: number }): number {
  return roundUp(1 / noiseMultiplier, { relativeError: Number.EPSILON });
}

/** {@linkcode fitDpSgd} drawing from a source of either kind: what audits and tests run. Returns the weights. */
export function sampleDpSgd(
  source: Source,
  { data, ...options }: DpSgdOptions & { readonly data: Dataset<LabelledRow> },
): number[] {
  return descend(source, { ...options, data, noise: stepNoise(noisy(options)) });
}

/** The noise on a coordinate of a sum of gradients, in steps of the grid. */
function stepNoise({ noiseMultiplier }: Noisy): IntegerNoise {
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
}

function refuseUnless(holds: boolean, name: string, rule: string, value: number): void {
  if (holds) return;
  throw new RangeError(
    `Cannot learn privately: ${name} must be ${rule}: current value is ${value}`,
  );
}
