import {
  sampleReusableHoldout,
  thresholdoutClaim,
} from "../../lib/learners/holdout/thresholdout.ts";
import { clippedGradient } from "../../lib/learners/sgd/clipped_gradient.ts";
import { sampleDpSgd } from "../../lib/learners/sgd/dp_sgd.ts";
import { conjunctionQueries, learnConjunction } from "../../lib/learners/sulq/learn_conjunction.ts";
import { samplePerceptron } from "../../lib/learners/sulq/perceptron.ts";
import {
  sampleStatisticalQueries,
  statisticalQueryCalibration,
} from "../../lib/learners/sulq/statistical_queries.ts";
import { sulqRho } from "../../lib/learners/sulq/sulq_accounting.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { scriptedSource } from "../checks/scripted_source.ts";
import { casesOf, requireEqual, requireNear, requireRefused } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";
import { type Learners, requireThresholdout, shipped } from "../checks/scripted_holdout.ts";
import { requireDescent } from "../checks/scripted_learners.ts";
import { requireKMeans } from "../checks/scripted_k_means.ts";
import { requireDatabase, requirePerceptron } from "../checks/scripted_sulq.ts";

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
