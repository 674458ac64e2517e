import { gaussianLoss } from "../../lib/accounting/privacy_loss.ts";
import { epsilonBounds } from "../../lib/accounting/privacy_loss_distribution.ts";
import { poissonSubsampledLoss } from "../../lib/accounting/subsampled_loss.ts";
import { addRemoveOne, replaceOne } from "../../lib/core/relation.ts";
import {
  sampleReusableHoldout,
  thresholdoutClaim,
  thresholdoutMechanism,
} from "../../lib/learners/holdout/thresholdout.ts";
import {
  addGradient,
  clippedGradient,
  STEPS_PER_BOUND,
} from "../../lib/learners/sgd/clipped_gradient.ts";
import { dpSgdClaim, dpSgdMechanism, sampleDpSgd } from "../../lib/learners/sgd/dp_sgd.ts";
import {
  type BooleanRow,
  conjunctionQueries,
  learnConjunction,
} from "../../lib/learners/sulq/learn_conjunction.ts";
import { sampleStatisticalQueries } from "../../lib/learners/sulq/statistical_queries.ts";
import { rational, subtract } from "../../lib/numeric/rational.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireRefused, requireThat } from "../engine/requirement.ts";
import { presetNoise } from "./preset_noise.ts";
import { scriptedSource } from "./scripted_source.ts";

/** Thresholdout where means lie between steps, and where its claim is rounded. */
export function requireHoldoutEdges(): void {
  const unit = 2 * 2 ** 16, holdout = [0.25, 0.5], value = (row: number): number => row;
  for (const part of [0.1, 0.4, 0.6, 0.9]) {
    // The training mean is a part of a step beyond whole ones: it is rounded before means are compared.
    const trained = 0.375 + (1000 + part) / unit, apart = Math.round(1000 + part), limit = 700;
    for (const over of [-1, 0, 1]) {
      const draws = [limit, apart - 2 * limit + over, 5, 0];
      const asked = sampleReusableHoldout(scriptedSource((_, k) => draws[k]!), {
        threshold: limit / unit,
        noiseScale: 0.01,
        count: 1,
        training: [trained],
        holdout,
      });
      requireEqual(
        asked.answer(value),
        over < 0 ? 0.375 + 5 / unit : trained,
        `${part} of a step, ${over}`,
      );
      requireEqual(asked.remaining, over < 0 ? 0 : 1);
    }
  }
  // Claims are no less than 2B/(σn), beside exact fractions, and next to it.
  const source = new SeededSource(1).split("holdout");
  for (let k = 0; k < 400; k++) {
    const noiseScale = 0.001 + source.uniform(),
      count = 1 + source.uint32() % 50,
      rowCount = 1 + source.uint32() % 5000;
    const { epsilon } = thresholdoutClaim({ threshold: 0.1, noiseScale, count }, { rowCount }) as {
      epsilon: number;
    };
    const least = subtract(
      {
        numerator: rational(epsilon).numerator * rational(noiseScale).numerator * BigInt(rowCount),
        denominator: rational(epsilon).denominator * rational(noiseScale).denominator,
      },
      rational(2 * count),
    );
    requireThat(
      least.numerator >= 0n,
      () => `a claim of ${epsilon} is below 2·${count}/(${noiseScale}·${rowCount})`,
    );
    requireNear(epsilon, 2 * count / (noiseScale * rowCount), { relative: 4e-14 });
  }
  const options = {
    threshold: 0.1,
    noiseScale: 0.5,
    count: 3,
    training: [0.5],
    statistics: [value],
    rowCount: 2,
  };
  const rows = { type: "number", min: 0, max: 1 } as const;
  requireEqual(thresholdoutMechanism({ ...options, rows }).domain, {
    rows,
    size: { min: 2, max: 2 },
  });
  requireEqual("domain" in thresholdoutMechanism(options), false);
  for (const data of [[0.1], [0.1, 0.2, 0.3]]) {
    requireRefused(
      `${data.length} rows`,
      () => thresholdoutMechanism(options).sample(data, scriptedSource()),
      "rows",
    );
  }
}

/** Gradients at the ends of their ranges, and sums of them. */
export function requireGradientEdges(): void {
  const row = (features: unknown, label: unknown = 1) => ({ features, label }) as never;
  const of = (each: unknown, weights: readonly number[] = [1, 1], clip = 1): number[] =>
    [...clippedGradient(each as never, { weights, clip })].map((g) => g + 0);
  for (
    const each of [
      row([1, Infinity]),
      row([-Infinity, 1]),
      row([NaN, 1]),
      row([1, 1], 0.5),
      row([1, 1], "1"),
      row([1, 1], NaN),
      row([0, 0]),
      row([]),
      null,
      undefined,
      row(null),
      {
        get features(): never {
          throw new Error("no");
        },
        label: 1,
      },
    ]
  ) requireEqual(of(each), [0, 0], "a row that is none");
  // Products of huge values are infinite, of both signs: a slope of 0 or 1, in the direction of the row.
  requireEqual(of(row([1e308, 1e308], 1), [10, 10]), [0, 0]);
  const [left, right] = of(row([1e308, 1e308], -1), [10, 10]);
  requireNear(left!, STEPS_PER_BOUND * Math.SQRT1_2, { relative: 1e-8 });
  requireEqual(left, right);
  requireEqual(of(row([1e308, 1e308], 1), [10, -10]), [0, 0]);
  // Of one coordinate as long as can be, the room for rounding takes the last of 2^28 steps.
  requireEqual(of(row([1e6], 1), [-1]), [1 - 2 ** 28]);
  requireEqual(of(row([1e6], -1), [1]), [2 ** 28 - 1]);
  for (const clip of [1e-3, 1, 20]) {
    for (const scale of [1e-9, 0.01, 1, 300]) {
      for (const label of [1, -1]) {
        const features = [3 * scale, -4 * scale, 0], weights = [0.1 / scale, 0.2 / scale, 5];
        const slope = 1 / (1 + Math.exp(label * -0.5)),
          long = Math.min(1, slope * 5 * scale / clip);
        const [a, b, c] = of({ features, label }, weights, clip);
        requireNear(a!, -label * 0.6 * long * STEPS_PER_BOUND, { absolute: 1.001 });
        requireNear(b!, label * 0.8 * long * STEPS_PER_BOUND, { absolute: 1.001 });
        requireEqual(c, 0);
        requireThat(Math.hypot(a!, b!) <= STEPS_PER_BOUND, "a gradient that is too long");
      }
    }
  }
  // Steps are cut off, and never round up; sums stop where doubles would be inexact.
  const most = 2 ** 52;
  for (
    const [sum, added, stated] of [[1, 2, 3], [most, 1, most], [most - 1, 5, most], [
      -most + 1,
      -5,
      -most,
    ], [
      -most,
      7,
      7 - most,
    ]] as const
  ) {
    const into = Float64Array.of(sum, 0);
    addGradient(into, Float64Array.of(added, -1));
    requireEqual([...into], [stated, -1], "a sum of gradients");
  }
}

/** Claims of private gradient descent are those of its losses at the δ that noise of whole steps leaves. */
export function requireDescentClaims(): void {
  const options = {
    columnCount: 2,
    steps: 20,
    rate: 0.1,
    clip: 1,
    noiseMultiplier: 1.5,
    learningRate: 0.2,
    delta: 1e-5,
  };
  for (
    const [steps, rate, noiseMultiplier, delta] of [[20, 0.1, 1.5, 1e-5], [1, 1, 0.7, 0.01], [
      3,
      0.5,
      3,
      1e-3,
    ]] as const
  ) {
    const { epsilon, ...rest } = dpSgdClaim({ ...options, steps, rate, noiseMultiplier, delta });
    const loss = poissonSubsampledLoss(gaussianLoss({ mu: 1 / noiseMultiplier * (1 + 2 ** -52) }), {
      rate,
    });
    const at = (part: number): number =>
      epsilonBounds([{ loss, count: steps }], { delta: delta * part }).upper;
    requireNear(epsilon, at(0.999), { relative: 1e-9, what: "ε" });
    requireThat(epsilon > at(0.9995) && epsilon < at(0.998), "the share of δ that is kept");
    requireEqual([rest.delta, rest.relation === addRemoveOne], [delta, true]);
  }
  // The δ that whole steps would need is said where it is too little: (1 + e^ε)·T·d/(5R), 2,000 times.
  for (const [columnCount, steps] of [[4096, 3], [2, 30]] as const) {
    const refused = { ...options, columnCount, steps, noiseMultiplier: 0.1, rate: 1, delta: 1e-6 };
    const loss = gaussianLoss({ mu: 10 * (1 + 2 ** -52) });
    const { upper } = epsilonBounds([{
      loss: poissonSubsampledLoss(loss, { rate: 1 }),
      count: steps,
    }], { delta: 1e-6 * 0.999 });
    const needed = 2000 * (1 + Math.exp(upper)) * steps * columnCount /
      (5 * (0.1 * STEPS_PER_BOUND) ** 2);
    requireThat(needed > 1e-6, "a δ that is enough");
    let said = NaN;
    try {
      dpSgdClaim(refused);
    } catch (error) {
      said = Number((error as Error).message.match(/at least (\S+) for/)?.[1]);
    }
    requireNear(said, needed, { relative: 1e-6, what: "the δ that is needed" });
  }
  // Next to no loss is still a claim.
  const tiny = dpSgdClaim({ ...options, steps: 1, rate: 1e-9, noiseMultiplier: 100, delta: 0.5 });
  requireEqual(tiny.epsilon, 2 ** -40);
  // Weights that would leave doubles stay at their end.
  const far = sampleDpSgd(
    scriptedSource((law) => law.kind === "discrete gaussian" ? -(2 ** 40) : 0),
    {
      ...options,
      clip: 1e300,
      learningRate: 1e300,
      data: [],
    },
  );
  requireEqual(far, [Number.MAX_VALUE, Number.MAX_VALUE]);
  requireEqual(
    sampleDpSgd(scriptedSource(() => 2 ** 40), {
      ...options,
      clip: 1e300,
      learningRate: 1e300,
      data: [],
    }),
    [-Number.MAX_VALUE, -Number.MAX_VALUE],
  );
  const { name, width } = dpSgdMechanism(options);
  requireEqual([name, width], ["dp-sgd", 2]);
}

/** A literal of which exactly the share that is allowed speaks against it is kept. */
export function requireConjunctions(): void {
  const goal = { columnCount: 2, error: 0.5 }, asked = conjunctionQueries(goal);
  requireEqual(asked, { queries: 4, tolerance: 1 / 16 });
  for (const against of [0, 1, 2, 3]) {
    const data = Array.from({ length: 16 }, (_, i): BooleanRow => ({
      features: [i >= against, i < 8],
      label: true,
    }));
    const oracle = sampleStatisticalQueries(new SeededSource(1), {
      data,
      ...asked,
      failure: 0.1,
      prepared: presetNoise(2 ** 20, () => 0),
    });
    requireEqual(
      learnConjunction(oracle, goal).map(({ column, value }) => [column, value]),
      against <= 1 ? [[0, true]] : [],
      `${against} of 16 rows`,
    );
  }
  requireEqual(conjunctionQueries({ columnCount: 7, error: 0.1 }), {
    queries: 14,
    tolerance: 0.1 / 28,
  });
  const { claim, tolerance } = sampleStatisticalQueries(new SeededSource(1), {
    data: new Array<number>(50).fill(0),
    queries: 3,
    tolerance: 0.1,
    failure: 0.2,
  });
  requireNear(claim.rho, 3 * Math.log(30) / 25, { relative: 1e-12 });
  requireEqual([tolerance, claim.relation === replaceOne], [0.1, true]);
}
