import {
  sampleReusableHoldout,
  thresholdoutClaim,
  thresholdoutMechanism,
} from "../../lib/learners/holdout/thresholdout.ts";
import { clippedGradient } from "../../lib/learners/sgd/clipped_gradient.ts";
import { sampleDpSgd } from "../../lib/learners/sgd/dp_sgd.ts";
import { sampleKMeans } from "../../lib/learners/sulq/k_means.ts";
import { samplePerceptron } from "../../lib/learners/sulq/perceptron.ts";
import { sulqRho } from "../../lib/learners/sulq/sulq_accounting.ts";
import { sampleSulq } from "../../lib/learners/sulq/sulq_database.ts";
import { advancedComposition } from "../../lib/accounting/advanced_composition.ts";
import { type Rational, toNumber } from "../../lib/numeric/rational.ts";
import { type ScriptedSource, scriptedSource } from "./scripted_source.ts";
import { requireEqual, requireNear, requireRefused, requireThat } from "../engine/requirement.ts";

/** For scripted draws. */
export const shipped = {
  sampleReusableHoldout,
  thresholdoutClaim,
  sampleDpSgd,
  clippedGradient,
  sampleSulq,
  sulqRho,
  samplePerceptron,
  sampleKMeans,
};

/** For scripted draws. */
export type Learners = typeof shipped;

const scaleOf = (source: ScriptedSource, draw: number): number =>
  1 / toNumber((source.laws[draw] as { rate: Rational }).rate);

/** For scripted draws. */
export function requireThresholdout({ sampleReusableHoldout, thresholdoutClaim }: Learners): void {
  const training = [0.2, 0.4, 0.9], holdout = [0.5, 0.9, 0.1, 0.7], unit = 4 * 2 ** 16;
  const options = { threshold: 0.06, noiseScale: 0.01, count: 2, training, holdout };
  const value = (row: number): number => row;
  const trained = 0.5, held = holdout.reduce((sum, row) => sum + Math.round(row * 65536), 0);
  const apart = Math.abs(held - Math.round(trained * unit)), limit = Math.round(0.06 * unit);
  requireThat(apart < limit && apart > 10, "means that are close");
  for (
    const [draws, answers] of [
      // Draws: threshold, difference; where it is above, answer and the next threshold.
      [[0, 0, 0], [trained, trained]],
      [[0, apart - limit, 0], [trained, trained]],
      [[0, apart - limit - 1, 7, 0, 0], [(held + 7) / unit, trained]],
      [[apart - limit - 1, 0, 7, 3, 0], [(held + 7) / unit, trained]],
      [[apart - limit - 1, 1, 0], [trained, (held + 0) / unit]],
      [[-limit, 0, -3, -limit, 0, 5, 0], [(held - 3) / unit, (held + 5) / unit, null, null]],
    ] as const
  ) {
    const source = scriptedSource((_, k) => draws[k] ?? 0);
    const asked = sampleReusableHoldout(source, options);
    answers.forEach((answer, i) =>
      requireEqual(asked.answer(value), answer, `answer ${i} to draws ${draws}`)
    );
    const scale = 0.01 * unit;
    requireNear(scaleOf(source, 0), 2 * scale, { what: "threshold" });
    requireNear(scaleOf(source, 1), 4 * scale, { what: "difference" });
    if (answers[0] !== trained) {
      requireNear(scaleOf(source, 2), scale, { what: "answer" });
      requireNear(scaleOf(source, 3), 2 * scale, { what: "the next threshold" });
    }
  }
  const asked = sampleReusableHoldout(scriptedSource(), { ...options, threshold: 0 });
  requireEqual(asked.remaining, 2);
  requireEqual(asked.answer(value), held / unit);
  requireEqual(asked.remaining, 1);
  // Values beyond [0, 1], no numbers and errors count as ends, 0 and 0.
  const odd = sampleReusableHoldout(scriptedSource(), {
    ...options,
    threshold: 0,
    training: [1],
    holdout: [9, -9, NaN, Infinity],
  });
  requireEqual(odd.answer(value), 2 / 4);
  requireEqual(
    sampleReusableHoldout(scriptedSource(), { ...options, threshold: 0.9 }).answer(() => {
      throw new Error("no");
    }),
    0,
  );
  for (
    const [noiseScale, count, rowCount] of [[0.01, 1, 50], [0.05, 7, 1000], [
      0.02,
      400,
      5000,
    ]] as const
  ) {
    const part = 2 / (noiseScale * rowCount),
      basic = thresholdoutClaim({ threshold: 0.1, noiseScale, count }, { rowCount });
    requireEqual(basic.kind, "pure");
    requireNear((basic as { epsilon: number }).epsilon, count * part, { relative: 1e-12 });
    const both = thresholdoutClaim({ threshold: 0.1, noiseScale, count, delta: 1e-6 }, {
      rowCount,
    });
    const advanced = advancedComposition({ epsilon: part }, { count, slack: 1e-6 }).epsilon;
    requireEqual(both.kind, advanced < count * part ? "approximate" : "pure");
    requireNear((both as { epsilon: number }).epsilon, Math.min(advanced, count * part), {
      relative: 1e-10,
    });
    requireNear((both as { delta?: number }).delta ?? 0, both.kind === "pure" ? 0 : 1e-6);
  }
  const mechanism = thresholdoutMechanism({
    threshold: 0.05,
    noiseScale: 0.01,
    count: 2,
    training,
    statistics: [value, value],
    rowCount: 4,
  });
  requireEqual(mechanism.sample(holdout, scriptedSource()), [trained, trained]);
  requireNear((mechanism.alsoKeeps![0] as { rho: number }).rho, 0.5 * 2 * (2 / 0.04) ** 2, {
    relative: 1e-12,
  });
  requireRefused("other rows", () => mechanism.check!([1]));
  for (
    const wrong of [
      { threshold: -0.1 },
      { threshold: NaN },
      { noiseScale: 0 },
      { count: 0 },
      { count: 1.5 },
      { delta: 1 },
      { delta: -1 },
    ]
  ) {
    requireRefused(
      JSON.stringify(wrong),
      () =>
        thresholdoutClaim({ threshold: 0.1, noiseScale: 0.1, count: 1, ...wrong }, {
          rowCount: 10,
        }),
    );
  }
  for (const rowCount of [0, 1.5, 2 ** 32 + 1]) {
    requireRefused(
      `${rowCount} rows`,
      () => thresholdoutClaim({ threshold: 0.1, noiseScale: 0.1, count: 1 }, { rowCount }),
    );
  }
  requireRefused(
    "no training rows",
    () => sampleReusableHoldout(scriptedSource(), { ...options, training: [] }),
  );
}
