import { addRemoveOne, changeEach, replaceOne } from "../../lib/core/relation.ts";
import {
  sampleReusableHoldout,
  thresholdoutClaim,
  thresholdoutMechanism,
} from "../../lib/learners/holdout/thresholdout.ts";
import { clippedGradient, STEPS_PER_BOUND } from "../../lib/learners/sgd/clipped_gradient.ts";
import { dpSgdClaim, dpSgdMechanism, sampleDpSgd } from "../../lib/learners/sgd/dp_sgd.ts";
import { denseRows } from "../../lib/learners/erm/rows.ts";
import { kMeansCalibration, kMeansClaim, sampleKMeans } from "../../lib/learners/sulq/k_means.ts";
import { kMeansMechanism } from "../../lib/learners/sulq/k_means_mechanism.ts";
import { conjunctionQueries, learnConjunction } from "../../lib/learners/sulq/learn_conjunction.ts";
import {
  perceptronCalibration,
  perceptronSquaredSensitivity,
  samplePerceptron,
} from "../../lib/learners/sulq/perceptron.ts";
import { perceptronGuarantee } from "../../lib/learners/sulq/perceptron_guarantee.ts";
import {
  sampleStatisticalQueries,
  statisticalQueryCalibration,
} from "../../lib/learners/sulq/statistical_queries.ts";
import { sulqAccounting, sulqRho } from "../../lib/learners/sulq/sulq_accounting.ts";
import { sampleSulq, sulqClaim } from "../../lib/learners/sulq/sulq_database.ts";
import { sulqMechanism } from "../../lib/learners/sulq/sulq_mechanism.ts";
import { sulqNoise } from "../../lib/learners/sulq/sulq_noise.ts";
import { advancedComposition } from "../../lib/accounting/advanced_composition.ts";
import { gaussianLoss } from "../../lib/accounting/privacy_loss.ts";
import { epsilonBounds } from "../../lib/accounting/privacy_loss_distribution.ts";
import { poissonSubsampledLoss } from "../../lib/accounting/subsampled_loss.ts";
import { zcdpEpsilon } from "../../lib/accounting/zcdp.ts";
import { type Rational, toNumber } from "../../lib/numeric/rational.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { type ScriptedSource, scriptedSource } from "../checks/scripted_source.ts";
import {
  casesOf,
  requireEqual,
  requireNear,
  requireRefused,
  requireThat,
} from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const shipped = {
  sampleReusableHoldout,
  thresholdoutClaim,
  sampleDpSgd,
  clippedGradient,
  sampleSulq,
  sulqRho,
  samplePerceptron,
  sampleKMeans,
};
type Learners = typeof shipped;

/** Learners with every draw in hand. */
export const scriptedDraws = theorem<Learners>({
  id: "queries/scripted_draws",
  statement:
    "With each of its draws set, Thresholdout, SuLQ’s database, k-means, perceptron and conjunctions, and private gradient descent come to what their algorithms say, and they ask for noise of the scale that their claims rest on.",
  citation:
    "Dwork, Feldman, Hardt, Pitassi, Reingold, Roth 2015; Blum, Dwork, McSherry, Nissim 2005; Kearns 1998; Abadi et al. 2016",
  source:
    "Haußmann’s slides, reusable holdout; Shmatikov’s slides, what SuLQ computes; lib/learners",
  kind: "sampled",
  checked:
    "2 to 40 rows by hand and generated, noise of 0 and of a few steps at every draw; the laws that are asked for; claims at 3 to 12 settings; each option out of range",
  subject: shipped,
  check: (of, { seed }) =>
    casesOf({
      "Thresholdout": () => requireThresholdout(of),
      "gradient descent": () => requireDescent(of, seed),
      "SuLQ’s database and accounting": () => requireDatabase(of),
      "perceptron": () => requirePerceptron(of, seed),
      "k-means": () => requireKMeans(of, seed),
      "statistical queries": () => requireQueries(seed),
    }),
  mutants: {
    "no noise on the threshold": {
      ...shipped,
      sampleReusableHoldout: (source, options) =>
        sampleReusableHoldout(
          scriptedSource((law, k) => k === 0 ? 0 : source.branch!(law)),
          options,
        ),
    },
    "B times what one answer loses, without the 2": {
      ...shipped,
      thresholdoutClaim: (options, shape) =>
        thresholdoutClaim({ ...options, noiseScale: 2 * options.noiseScale }, shape),
    },
    "gradients that are not clipped": {
      ...shipped,
      clippedGradient: (row, options) =>
        clippedGradient(row, { ...options, clip: 1e3 * options.clip }).map((g) => 1e3 * g),
    },
    "a step without its learning rate": {
      ...shipped,
      sampleDpSgd: (source, options) => sampleDpSgd(source, { ...options, learningRate: 1 }),
    },
    "ρ of one query": { ...shipped, sulqRho: (options) => sulqRho({ ...options, queries: 1 }) },
    "labels turned round": {
      ...shipped,
      samplePerceptron: (source, options) =>
        samplePerceptron(source, {
          ...options,
          data: options.data.map(({ features, label }) => ({ features, label: -label })),
        }),
    },
  },
});

const scaleOf = (source: ScriptedSource, draw: number): number =>
  1 / toNumber((source.laws[draw] as { rate: Rational }).rate);
const varianceOf = (source: ScriptedSource, draw: number): number =>
  toNumber((source.laws[draw] as { variance: Rational }).variance);

function requireThresholdout({ sampleReusableHoldout, thresholdoutClaim }: Learners): void {
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

function requireDescent({ sampleDpSgd, clippedGradient }: Learners, seed: number): void {
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

function requireDatabase({ sampleSulq, sulqRho }: Learners): void {
  for (const [variance, queries, squaredSensitivity] of [[10, 3, 1], [0.5, 100, 2.5]] as const) {
    const rho = sulqRho({ variance, queries, squaredSensitivity });
    requireNear(rho, queries * squaredSensitivity / (2 * variance), { relative: 1e-13 });
    requireThat(rho >= queries * squaredSensitivity / (2 * variance), "ρ rounded up");
    const { rho: one, concentrated, published, exactGain } = sulqAccounting({
      variance: 200 * queries,
      queries,
    }, { delta: 1e-3 });
    requireNear(one, 1 / 400, { relative: 1e-12 });
    requireNear(concentrated.epsilon, zcdpEpsilon({ rho: one }, { delta: 1e-3 }), {
      relative: 1e-12,
    });
    requireEqual([concentrated.delta, published.delta, exactGain.delta], [1e-3, 1e-3, 1e-3]);
    // R > 8T·log²(T/δ)/ε² turned round, where ε is at most 1; the exact gain needs less.
    requireThat(exactGain.epsilon < published.epsilon, "the exact gain");
    requireNear(
      published.epsilon,
      Math.sqrt(8 * queries / (200 * queries)) * Math.log(queries / 1e-3),
      { relative: 1e-9 },
    );
  }
  requireEqual(
    sulqRho({ variance: 2, queries: 4 }),
    sulqRho({ variance: 2, queries: 4, squaredSensitivity: 1 }),
  );
  const { stepsPerUnit } = sulqNoise({ variance: 9 });
  const data = [0.5, 0.25, 7, -1, NaN], draws = [0, 3, -8];
  const source = scriptedSource((_, k) => draws[k] ?? 0);
  const database = sampleSulq(source, { variance: 9, queries: 3, relation: replaceOne, data });
  requireEqual(database.remaining, 3);
  requireEqual(database.ask((row) => row), 1.75);
  requireEqual(database.ask((row) => row === 7 ? 0.5 : 0), 0.5 + 3 / stepsPerUnit);
  requireEqual(
    database.ask(() => {
      throw new Error("no");
    }),
    -8 / stepsPerUnit,
  );
  requireEqual(database.remaining, 0);
  requireRefused("one more", () => database.ask(() => 1), "all were answered");
  requireNear(varianceOf(source, 0), 9 * stepsPerUnit ** 2);
  // A power of two of steps, some 2^28 in a deviation, and from 2^10 to 2^30 in 1.
  requireEqual(
    [1, 9, 2 ** 40, 2 ** -30].map((variance) => Math.log2(sulqNoise({ variance }).stepsPerUnit)),
    [28, 27, 10, 30],
  );
  requireEqual(
    (sulqClaim({ variance: 8, queries: 4, relation: addRemoveOne }) as { rho: number }).rho,
    sulqRho({ variance: 8, queries: 4 }),
  );
  const mechanism = sulqMechanism<number>({
    variance: 9,
    queries: 2,
    relation: replaceOne,
    next: (answers) => (row) => answers.length === 0 ? row : answers[0]! / 4,
  });
  requireEqual(mechanism.sample([0.5, 0.5], scriptedSource()), [1, 0.5]);
  requireEqual((mechanism.claim as { rho: number }).rho, sulqRho({ variance: 9, queries: 2 }));
  for (const variance of [0, -1, NaN, 2 ** -41, 2 ** 55]) {
    requireRefused(`variance ${variance}`, () => sulqNoise({ variance }));
  }
  for (const wrong of [{ variance: 0 }, { queries: 0 }, { squaredSensitivity: 0 }]) {
    requireRefused(JSON.stringify(wrong), () => sulqRho({ variance: 1, queries: 1, ...wrong }));
  }
  for (const delta of [0, 1, NaN]) {
    requireRefused(`δ of ${delta}`, () => sulqAccounting({ variance: 9, queries: 1 }, { delta }));
  }
  requireRefused(
    "another relation",
    () => sulqClaim({ variance: 1, queries: 1, relation: changeEach({ by: 1 }) }),
  );
}

function requirePerceptron({ samplePerceptron }: Learners, seed: number): void {
  for (const columnCount of [1, 2, 8]) {
    requireEqual(
      perceptronSquaredSensitivity({ columnCount }),
      Math.max(columnCount, 1 + columnCount / 4),
    );
    const { variance, queries } = perceptronCalibration({ columnCount, rounds: 5, rho: 0.3 });
    requireNear(variance, 5 * Math.max(columnCount, 1 + columnCount / 4) / 0.6, {
      relative: 1e-13,
    });
    requireEqual(queries, 5 * (columnCount + 1));
  }
  const source = new SeededSource(seed).split("perceptron");
  const data = Array.from({ length: 40 }, () => {
    const features = [2 * source.uniform() - 1, 2 * source.uniform() - 1];
    return { features, label: features[0]! - 0.5 * features[1]! > 0 ? 1 : -1 };
  });
  // Rounds of the algorithm, without noise: sums of wrong rows over their number.
  const run = (rows: typeof data, rounds: number, tolerance: number): number[] => {
    let weights = [0, 0];
    for (let round = 0; round < rounds; round++) {
      const wrong = rows.filter(({ features, label }) =>
        label * features.reduce((sum, x, j) => sum + x * weights[j]!, 0) <= 0
      );
      if (wrong.length <= tolerance) break;
      weights = weights.map((w, j) =>
        w + wrong.reduce((sum, { features, label }) => sum + label * features[j]!, 0) / wrong.length
      );
    }
    return weights;
  };
  for (const [rounds, tolerance] of [[1, 0], [4, 0], [9, 2.5]] as const) {
    const silent = scriptedSource(),
      model = samplePerceptron(silent, { data, columnCount: 2, rounds, rho: 0.5, tolerance });
    model.weights.forEach((w, j) =>
      requireNear(w, run(data, rounds, tolerance)[j]!, { absolute: 1e-5, what: `weight ${j}` })
    );
    requireEqual((model.claim as { rho: number }).rho, 0.5);
    const { stepsPerUnit } = sulqNoise(model.calibration);
    requireNear(varianceOf(silent, 0) / stepsPerUnit ** 2, model.calibration.variance, {
      relative: 1e-12,
    });
  }
  // Rows beyond [−1, 1] are held to it; those that are no rows are never wrong.
  const odd = [{ features: [5, -5], label: 1 }, { features: [NaN, 0], label: 1 }, {
    features: [1, 1],
    label: 3,
  }, null as never];
  requireEqual(
    samplePerceptron(scriptedSource(), {
      data: odd,
      columnCount: 2,
      rounds: 1,
      rho: 1,
      tolerance: 0,
    }).weights,
    [1, -1],
  );
  // Without a tolerance: two deviations of a count.
  requireEqual(
    samplePerceptron(scriptedSource(), {
      data: data.slice(0, 5),
      columnCount: 2,
      rounds: 50,
      rho: 1e-3,
    }).weights,
    [0, 0],
  );
  const goal = { columnCount: 4, margin: 0.5, rho: 2, failure: 0.1 };
  const { options, wrongRows } = perceptronGuarantee(goal);
  // Updates: ((√d + e)/(γ − 2e))² for e = γ/4; noise: √(2σ²·ln(2Q/β)).
  requireEqual(options.rounds, Math.floor(((2 + 0.125) / 0.25) ** 2) + 1);
  const { variance, queries } = perceptronCalibration({
    columnCount: 4,
    rounds: options.rounds,
    rho: 2,
  });
  const noise = Math.sqrt(2 * variance * Math.log(2 * queries / 0.1));
  requireNear(options.tolerance, 3 * noise * 2 / 0.125, { relative: 1e-12 });
  requireNear(wrongRows, options.tolerance + noise, { relative: 1e-12 });
  for (
    const wrong of [{ columnCount: 0 }, { margin: 0 }, { margin: 2.1 }, { failure: 0 }, {
      failure: 1,
    }, { rho: 0 }]
  ) requireRefused(JSON.stringify(wrong), () => perceptronGuarantee({ ...goal, ...wrong }));
  perceptronGuarantee({ ...goal, margin: 2 });
  for (const wrong of [{ columnCount: 0 }, { rounds: 0 }, { rho: 0 }, { tolerance: -1 }]) {
    requireRefused(
      JSON.stringify(wrong),
      () => perceptronCalibration({ columnCount: 2, rounds: 2, rho: 1, ...wrong }),
    );
  }
}

function requireKMeans({ sampleKMeans }: Learners, seed: number): void {
  const source = new SeededSource(seed).split("k-means");
  const bounds = { lower: [-1, 0], upper: [3, 10] }, start = [[0, 2], [2, 8]];
  const rows = Array.from(
    { length: 40 },
    (_, i) => [i % 2 === 0 ? source.uniform() - 1 : 2 + source.uniform(), 10 * source.uniform()],
  );
  rows.push([99, -99]);
  const held = rows.map((row) =>
    row.map((value, j) => Math.min(bounds.upper[j]!, Math.max(bounds.lower[j]!, value)))
  );
  const scaled = (row: readonly number[]): number[] =>
    row.map((value, j) => (value - bounds.lower[j]!) / (bounds.upper[j]! - bounds.lower[j]!));
  for (const rounds of [1, 3]) {
    let centres = start.map(scaled), counts = [0, 0];
    for (let round = 0; round < rounds; round++) {
      const nearest = held.map(scaled).map((row) => {
        const distance = (centre: number[]): number =>
          (row[0]! - centre[0]!) ** 2 + (row[1]! - centre[1]!) ** 2;
        return distance(centres[1]!) < distance(centres[0]!) ? 1 : 0;
      });
      counts = [0, 1].map((k) => nearest.filter((each) => each === k).length);
      centres = centres.map((_, k) =>
        [0, 1].map((j) =>
          held.map(scaled).reduce((sum, row, i) => nearest[i] === k ? sum + row[j]! : sum, 0) /
          counts[k]!
        )
      );
    }
    const silent = scriptedSource();
    const model = sampleKMeans(silent, {
      points: denseRows(rows),
      clusters: 2,
      rounds,
      rho: 50,
      bounds,
      relation: replaceOne,
      start,
    });
    requireEqual(model.counts, counts);
    model.centres.forEach((centre, k) =>
      centre.forEach((value, j) =>
        requireNear(
          value,
          bounds.lower[j]! + centres[k]![j]! * (bounds.upper[j]! - bounds.lower[j]!),
          { absolute: 1e-5, what: "centre" },
        )
      )
    );
    requireEqual([silent.laws.length, model.claim.rho], [rounds * 6, 50]);
    const { stepsPerUnit } = sulqNoise(model.calibration);
    requireNear(varianceOf(silent, 0) / stepsPerUnit ** 2, model.calibration.variance, {
      relative: 1e-12,
    });
  }
  // A cluster of few rows stays where it is.
  const few = sampleKMeans(scriptedSource(), {
    points: denseRows(rows.slice(0, 3)),
    clusters: 2,
    rounds: 1,
    rho: 1e-2,
    bounds,
    relation: replaceOne,
    start,
  });
  few.centres.forEach((centre, k) =>
    centre.forEach((value, j) => requireNear(value, start[k]![j]!, { absolute: 1e-6 }))
  );
  for (
    const [clusters, relation, columns, squared] of [[2, replaceOne, 2, 3], [2, replaceOne, 6, 6], [
      1,
      replaceOne,
      2,
      2,
    ], [3, addRemoveOne, 2, 1.5]] as const
  ) {
    const options = {
      clusters,
      rounds: 4,
      rho: 0.3,
      bounds: { lower: Array<number>(columns).fill(0), upper: Array<number>(columns).fill(1) },
      relation,
    };
    const { variance, queries } = kMeansCalibration(options);
    requireNear(variance, 4 * squared / 0.6, { relative: 1e-13 });
    requireEqual([queries, kMeansClaim(options).rho, kMeansClaim(options).relation === relation], [
      4 * clusters * (columns + 1),
      0.3,
      true,
    ]);
    const mechanism = kMeansMechanism(options);
    requireEqual((mechanism.claim as { rho: number }).rho, 0.3);
    requireEqual(
      mechanism.sample([Array<number>(columns).fill(0.5)], new SeededSource(1)).length,
      clusters * (columns + 1),
    );
  }
  const good = {
    points: denseRows(rows),
    clusters: 2,
    rounds: 1,
    rho: 1,
    bounds,
    relation: replaceOne,
  };
  for (
    const wrong of [
      { clusters: 0 },
      { rounds: 0 },
      { rho: 0 },
      { bounds: { lower: [0], upper: [1] } },
      { bounds: { lower: [0, 1], upper: [1, 1] } },
      { start: [[0, 0]] },
      { start: [[0, 0], [0]] },
      { start: [[0, 0], [0, NaN]] },
      { relation: changeEach({ by: 1 }) },
    ]
  ) {
    requireRefused(
      JSON.stringify(wrong),
      () => sampleKMeans(scriptedSource(), { ...good, ...wrong } as never),
    );
  }
}

function requireQueries(seed: number): void {
  const { variance, queries } = statisticalQueryCalibration({
    queries: 6,
    tolerance: 0.05,
    failure: 0.1,
  }, { rowCount: 2000 });
  requireNear(variance, 10_000 / (2 * Math.log(120)), { relative: 1e-12 });
  requireEqual(queries, 6);
  const source = new SeededSource(seed).split("conjunction");
  const data = Array.from({ length: 400 }, () => {
    const features = [0, 1, 2].map(() => source.uint32() % 2 === 0);
    return { features, label: features[0]! && !features[2]! };
  });
  const asked = conjunctionQueries({ columnCount: 3, error: 0.2 });
  requireEqual(asked.queries, 6);
  requireNear(asked.tolerance, 0.2 / 12);
  const oracle = sampleStatisticalQueries(scriptedSource(), { data, ...asked, failure: 0.1 });
  requireNear(
    oracle.ask((row) => row.label ? 1 : 0),
    data.filter((row) => row.label).length / 400,
    { absolute: 1e-6 },
  );
  const fresh = sampleStatisticalQueries(scriptedSource(), { data, ...asked, failure: 0.1 });
  requireEqual(learnConjunction(fresh, { columnCount: 3, error: 0.2 }), [
    { column: 0, value: true },
    { column: 2, value: false },
  ]);
  requireEqual(fresh.remaining, 0);
  requireRefused(
    "too few answers left",
    () => learnConjunction(fresh, { columnCount: 3, error: 0.2 }),
    "left",
  );
  requireRefused(
    "answers that are too coarse",
    () =>
      learnConjunction(
        sampleStatisticalQueries(scriptedSource(), {
          data,
          queries: 6,
          tolerance: 0.02,
          failure: 0.1,
        }),
        { columnCount: 3, error: 0.2 },
      ),
    "left",
  );
  for (const wrong of [{ queries: 0 }, { tolerance: 0 }, { failure: 0 }, { failure: 1 }]) {
    requireRefused(
      JSON.stringify(wrong),
      () =>
        statisticalQueryCalibration({ queries: 1, tolerance: 0.1, failure: 0.1, ...wrong }, {
          rowCount: 10,
        }),
    );
  }
  requireRefused(
    "no rows",
    () =>
      statisticalQueryCalibration({ queries: 1, tolerance: 0.1, failure: 0.1 }, { rowCount: 0 }),
  );
  for (const wrong of [{ columnCount: 0, error: 0.1 }, { columnCount: 1, error: 0 }]) {
    requireRefused(JSON.stringify(wrong), () => conjunctionQueries(wrong));
  }
}
