import { addRemoveOne } from "../../lib/core/relation.ts";
import { STEPS_PER_BOUND } from "../../lib/learners/sgd/clipped_gradient.ts";
import { dpSgdClaim, dpSgdMechanism } from "../../lib/learners/sgd/dp_sgd.ts";
import { gaussianLoss } from "../../lib/accounting/privacy_loss.ts";
import { epsilonBounds } from "../../lib/accounting/privacy_loss_distribution.ts";
import { poissonSubsampledLoss } from "../../lib/accounting/subsampled_loss.ts";
import { type Rational, toNumber } from "../../lib/numeric/rational.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { type ScriptedSource, scriptedSource } from "./scripted_source.ts";
import { requireEqual, requireNear, requireRefused, requireThat } from "../engine/requirement.ts";
import type { Learners } from "./scripted_holdout.ts";

/** For scripted draws. */
export const varianceOf = (source: ScriptedSource, draw: number): number =>
  toNumber((source.laws[draw] as { variance: Rational }).variance);

/** For scripted draws. */
export function requireDescent({ sampleDpSgd, clippedGradient }: Learners, seed: number): void {
  const source = new SeededSource(seed).split("descent");
  for (let k = 0; k < 40; k++) {
    const d = 1 + k % 4, size = 10 ** (k % 5 - 2), clip = [0.1, 1, 5][k % 3]!;
    const features = Array.from({ length: d }, () => size * (source.uniform() - 0.5)),
      weights = Array.from({ length: d }, () => source.uniform() - 0.5);
    const label = k % 2 === 0 ? 1 : -1;
    const slope = 1 /
      (1 + Math.exp(label * features.reduce((sum, x, j) => sum + x * weights[j]!, 0)));
    const gradient = features.map((x) => -label * slope * x), length = Math.hypot(...gradient);
    const found = clippedGradient({ features, label }, { weights, clip });
    const held = Math.hypot(...found);
    requireThat(held <= STEPS_PER_BOUND, "a gradient that is too long");
    found.forEach((steps, j) =>
      requireNear(steps / STEPS_PER_BOUND, gradient[j]! / clip * Math.min(1, clip / length), {
        absolute: 1e-8,
        what: "a gradient",
      })
    );
    requireThat([...found].every(Number.isInteger), "whole steps");
  }
  for (
    const row of [
      { features: [1, NaN], label: 1 },
      { features: [1, Infinity], label: 1 },
      { features: [1, 1], label: 0 },
      { features: [1, 1], label: 2 },
      { features: [0, 0], label: 1 },
      { features: [1], label: 1 },
      null,
    ]
  ) {
    requireEqual(
      [...clippedGradient(row as never, { weights: [0, 0], clip: 1 })].map((g) => g + 0),
      [0, 0],
      JSON.stringify(row),
    );
  }
  // Huge and tiny values keep their direction.
  for (const x of [1e300, 1e-300]) {
    const found = clippedGradient({ features: [x, -x], label: 1 }, {
      weights: [0, 0],
      clip: x > 1 ? 1 : 1e-301,
    });
    requireNear(found[0]! / STEPS_PER_BOUND, -Math.SQRT1_2, { relative: 1e-7 });
    requireNear(found[1]! / STEPS_PER_BOUND, Math.SQRT1_2, { relative: 1e-7 });
  }
  const options = {
    columnCount: 2,
    steps: 3,
    rate: 0.5,
    clip: 1,
    noiseMultiplier: 4,
    learningRate: 0.2,
    delta: 1e-5,
  };
  const data = [{ features: [0.4, -0.2], label: 1 }, { features: [0.1, 0.9], label: -1 }, {
    features: [3, 4],
    label: 1,
  }];
  // Sampled rows: a coin is answered by 0 where the row is in.
  const sampled = [[true, true, false], [false, false, true], [true, true, true]],
    noise = [[5, -9], [0, 2 ** 27], [1, 1]];
  let expected = [0, 0];
  sampled.forEach((rows, step) => {
    const sum = [0, 0];
    rows.forEach((isIn, i) => {
      if (!isIn) return;
      clippedGradientOf(data[i]!, expected).forEach((g, j) => sum[j]! += g);
    });
    expected = expected.map((w, j) => w - 0.2 * (sum[j]! + noise[step]![j]! / STEPS_PER_BOUND));
  });
  const scripted = scriptedSource((_, k) => {
    const step = Math.floor(k / 5), within = k % 5;
    return within < 3 ? (sampled[step]![within] ? 0 : 1) : noise[step]![within - 3]!;
  });
  const weights = sampleDpSgd(scripted, { ...options, data });
  weights.forEach((w, j) => requireNear(w, expected[j]!, { absolute: 1e-7, what: `weight ${j}` }));
  requireEqual(scripted.laws.length, 15);
  requireNear(varianceOf(scripted, 3), (4 * STEPS_PER_BOUND) ** 2, { what: "variance" });
  requireEqual(
    dpSgdMechanism(options).sample(
      data,
      scriptedSource((law) => law.kind === "discrete gaussian" ? 0 : 1),
    ).map((w) => w + 0),
    [0, 0],
  );
  // Sampled Gaussian losses, composed; a thousandth of δ for the steps of the grid.
  for (
    const [steps, rate, noiseMultiplier, delta] of [[100, 0.02, 1.3, 1e-5], [
      10,
      1,
      5,
      1e-3,
    ]] as const
  ) {
    const claim = dpSgdClaim({ ...options, steps, rate, noiseMultiplier, delta });
    const { lower, upper } = epsilonBounds([{
      loss: poissonSubsampledLoss(gaussianLoss({ mu: 1 / noiseMultiplier }), { rate }),
      count: steps,
    }], { delta });
    requireEqual([claim.kind, claim.delta, claim.relation === addRemoveOne], [
      "approximate",
      delta,
      true,
    ]);
    requireThat(
      claim.epsilon >= lower && claim.epsilon <= upper * 1.01,
      () => `${claim.epsilon} for [${lower}, ${upper}]`,
    );
  }
  for (
    const wrong of [
      { columnCount: 0 },
      { columnCount: 4097 },
      { steps: 0 },
      { rate: 0 },
      { rate: 1.1 },
      { clip: 0 },
      { learningRate: 0 },
      { delta: 0 },
      { delta: 1 },
      { noiseMultiplier: 0.09 },
      { noiseMultiplier: 101 },
      { delta: 1e-30 },
      { clip: NaN },
      { learningRate: Infinity },
    ]
  ) {
    requireRefused(
      JSON.stringify(wrong),
      () => dpSgdClaim({ ...options, ...wrong }),
      Object.keys(wrong)[0],
    );
  }
  dpSgdClaim({ ...options, steps: 1, delta: 0.1, noiseMultiplier: 100 });
  requireRefused(
    "ε so large that the grid counts",
    () => dpSgdClaim({ ...options, noiseMultiplier: 0.1 }),
    "delta must be at least",
  );
}

/** A gradient of logistic loss, cut to length 1. */
function clippedGradientOf(
  { features, label }: { features: number[]; label: number },
  weights: number[],
): number[] {
  const slope = 1 /
    (1 + Math.exp(label * features.reduce((sum, x, j) => sum + x * weights[j]!, 0)));
  const length = slope * Math.hypot(...features);
  return features.map((x) => -label * slope * x / Math.max(1, length));
}
