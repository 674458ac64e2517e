import * as judge from "../../lib/judge/audit/mod.ts";
import { auditCanaries, countGuesses } from "../../lib/judge/audit/one_run/mod.ts";
import { pure } from "../../lib/core/mod.ts";
import { addRemoveOne as relation, pairOf, replaceOne } from "../../lib/core/relations/relation.ts";
import * as learners from "../../lib/papers/learners.ts";
import { boundedMean } from "../../lib/dp/mechanisms/bounded_sum.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import * as reports from "../../lib/judge/report/mod.ts";

/** Options that are right together; "?" after a name: it may be left out. */
export type Options = Readonly<Record<string, unknown>>;

/** A public function that takes options. */
export interface CallWithOptions {
  readonly name: string;
  readonly call: (options: never) => unknown;
  readonly options: Options;
}

const { denseRows, rangeQuery } = learners;
const source = new SeededSource(1);
/** Pays for everything. */
const budget = { spend(): void {} };
const domain = learners.finiteDomain({ shape: [2, 3] });
const search = { rows: { type: "boolean" }, size: { min: 0, max: 1 } } as const;
const rows = denseRows([[0.1, 0.2], [0.2, 0.1], [0.1, 0.1], [0.3, 0]]), labels = [1, -1, 1, -1];
const box = { lower: [-1, 0], upper: [1, 1] };
const training = {
  ...{ epsilon: 1, lambda: 0.1, normBound: 1, "perturbation?": "objective", "slack?": "tight" },
  ...{ "intercept?": 1, "loss?": learners.logisticLoss, "regulariser?": learners.squaredNorm },
  ...{ "noiseShare?": 0.5, "tolerance?": 1e-6, "classes?": [-1, 1], "delta?": 1e-6 },
};
const clustering = { clusters: 2, rounds: 2, rho: 1, bounds: box, relation };
const perceptron = { columnCount: 2, rounds: 3, rho: 1 };
const additive = {
  columns: ["a", "b"].map((name) => ({ name, type: "number", min: 0, max: 1, scale: "linear" })),
  ...{ epsilon: 1, relation, "rounds?": 2, "learningRate?": 0.1, "cells?": 4 },
};
const sgd = { columnCount: 2, steps: 3, rate: 0.5, clip: 1, noiseMultiplier: 1, learningRate: 0.1 };

const called = (name: string, call: (options: never) => unknown, options: Options) => ({
  name,
  call,
  options,
});

/** Every exported learner, and what makes its parts. */
export const LEARNERS: readonly CallWithOptions[] = [
  called("fit", (options) => learners.fit(rows, labels, options), {
    ...training,
    ...{ "allowOneClass?": true, "onProgress?": () => {}, budget },
  }),
  called("fitTuned", (options) => learners.fitTuned(rows, labels, options), {
    ...training,
    ...{ candidates: [{}], "allowOneClass?": true, budget },
  }),
  called("ermMechanism", learners.ermMechanism, { ...training, columnCount: 2 }),
  called("denseRows", (options) => denseRows([[1, 2]], options), { "columnCount?": 2 }),
  called("sparseRows", learners.sparseRows, {
    ...{ columnCount: 2, offsets: Int32Array.of(0, 1), columns: Int32Array.of(0) },
    values: Float64Array.of(1),
  }),
  called("drawRandomFeatures", (options) => learners.drawRandomFeatures(source, options), {
    ...{ kernel: { name: "laplacian", gamma: 1 }, inputCount: 2, count: 3 },
  }),
  called("suggestedLambda", learners.suggestedLambda, {
    ...{ rowCount: 100, columnCount: 3, epsilon: 1, normBound: 1, "delta?": 0.1 },
    ...{ "perturbation?": "objective", "loss?": learners.logisticLoss, "classCount?": 2 },
    "weightNorm?": 1,
  }),
  called("openSulq", (options) => learners.openSulq([1], options), {
    ...{ variance: 4, queries: 1, relation, budget },
  }),
  called("sulqAccounting", (options) => learners.sulqAccounting(options, options), {
    ...{ variance: 4, queries: 1, delta: 1e-6 },
  }),
  called("fitKMeans", (options) => learners.fitKMeans(rows, options), {
    ...clustering,
    ...{ "start?": [[0, 0.5], [0.5, 0.5]], budget },
  }),
  called("kMeansCalibration", learners.kMeansCalibration, clustering),
  called("fitDpSgd", (options) => learners.fitDpSgd([], options), { ...sgd, delta: 1e-5, budget }),
  called("dpSgdClaim", learners.dpSgdClaim, { ...sgd, delta: 1e-5 }),
  called("dpSgdMechanism", learners.dpSgdMechanism, { ...sgd, delta: 1e-5 }),
  called("fitAdditive", (options) => learners.fitAdditive(rows, labels, options), {
    ...additive,
    ...{ "delta?": 1e-6, "classes?": [-1, 1], budget },
  }),
  called("additiveMechanism", learners.additiveMechanism, { ...additive, "delta?": 1e-6 }),
  called("fitPerceptron", (options) => learners.fitPerceptron([], options), {
    ...perceptron,
    ...{ "tolerance?": 5, budget },
  }),
  called("perceptronCalibration", learners.perceptronCalibration, perceptron),
  called("perceptronGuarantee", learners.perceptronGuarantee, {
    ...{ margin: 0.1, columnCount: 2, rho: 1, failure: 0.1 },
  }),
  called("fitDecisionTree", (options) => learners.fitDecisionTree([], options), {
    ...{ attributes: [2, 3], classes: 2, depth: 2, rho: 1, relation, budget },
  }),
  called("noisySecondMoments", learners.noisySecondMoments, {
    ...{ columnCount: 2, normBound: 1, rho: 1, relation },
  }),
  called("openStatisticalQueries", (options) => learners.openStatisticalQueries([1], options), {
    ...{ queries: 1, tolerance: 0.1, failure: 0.1, budget },
  }),
  called("fitConjunction", (options) => {
    const oracle = { ask: () => 0, tolerance: 0, remaining: 99 };
    return learners.fitConjunction(oracle as never, options);
  }, { columnCount: 3, error: 0.1 }),
  called("finiteDomain", learners.finiteDomain, { shape: [2, 3] }),
  called("fitMwem", (options) => learners.fitMwem([0], options), {
    ...{ domain, queries: [rangeQuery(domain, { 0: [1, 1] })], rounds: 2, epsilon: 1, relation },
    ...{ "output?": "last", "replays?": 1, budget },
  }),
  called("mwemMechanism", learners.mwemMechanism, {
    ...{ domain, queries: [rangeQuery(domain, { 0: [1, 1] })], rounds: 2, epsilon: 1, relation },
    ...{ "output?": "last", "replays?": 1, sizes: { min: 0, max: 4 } },
  }),
  called("mwemErrorBound", learners.mwemErrorBound, {
    ...{ size: 100, cells: 6, queries: 5, rounds: 2, epsilon: 1 },
  }),
  called("openReusableHoldout", (options) => {
    return learners.openReusableHoldout({ training: [1], holdout: [1] }, options);
  }, { threshold: 0.1, noiseScale: 0.1, count: 2, budget }),
  called("thresholdoutMechanism", learners.thresholdoutMechanism, {
    ...{ threshold: 0.1, noiseScale: 0.1, count: 2, training: [1], statistics: [Number] },
    ...{ rowCount: 1, "rows?": { type: "boolean" } },
  }),
  called("subsampleAndAggregate", learners.subsampleAndAggregate, {
    ...{ blocks: 3, estimator: () => 0, fallback: 0, relation },
    aggregator: boundedMean({
      bounds: { lower: -1, upper: 1 },
      epsilon: 1,
      relation: replaceOne,
    }),
  }),
  called("clampedVectorMean", learners.clampedVectorMean, {
    ...{ dimension: 2, bound: 1, "granularity?": 2 ** -20, epsilon: 1 },
  }),
  called("pluralityVote", learners.pluralityVote, { candidates: ["a", "b"], epsilon: 1 }),
  called("privateLearner", learners.privateLearner, {
    ...{ hypotheses: [0, 1], errs: () => true, epsilon: 1, relation },
  }),
  called("privateLearnerRows", learners.privateLearnerRows, {
    ...{ hypotheses: 10, epsilon: 1, excess: 0.1, failure: 0.1 },
  }),
  called("betaBernoulli", learners.betaBernoulli, {
    ...{ ones: 1, zeros: 1, least: 0.1, resolution: 5 },
  }),
  called("dirichletMultinomial", learners.dirichletMultinomial, { prior: [1, 1], resolution: 5 }),
  called("gaussianMean", learners.gaussianMean, {
    ...{ bounds: { lower: 0, upper: 10 }, deviation: 1, prior: { mean: 5, deviation: 1 } },
    resolution: 11,
  }),
  called("posteriorSampling", (options) => {
    const family = learners.betaBernoulli({ ones: 1, zeros: 1, least: 0.1, resolution: 5 });
    return learners.posteriorSampling(family, options);
  }, { epsilon: 1, relation, "samples?": 2 }),
  called("noisyStatistics", learners.noisyStatistics, { prior: [1, 1], epsilon: 1, relation }),
  called("exponentialFamily", learners.exponentialFamily, {
    ...{ parameters: [[-1], [0.5]], statistic: () => [0], bounds: { lower: [-1], upper: [1] } },
    ...{ logPartition: () => 0, prior: { mean: [0], strength: 1 } },
  }),
  called("noisySufficientStatistics", learners.noisySufficientStatistics, {
    ...{ statistic: () => [0, 0], bounds: box, "granularity?": 2 ** -10, epsilon: 1, relation },
  }),
];

const coin = (data: readonly unknown[], own: { uniform(): number }): boolean =>
  own.uniform() < 0.6 ? data[0] === true : data[0] !== true;
const claim = pure({ epsilon: 1, relation: replaceOne });
const pair = pairOf(replaceOne, { left: [false], right: [true] });
const subject = judge.functionSubject(coin, { name: "coin", source });
const canaries = [{ included: true, score: 2 }, { included: false, score: 1 }];

/** What judges: audits, their subjects and their reports. */
export async function judgesWithOptions(): Promise<readonly CallWithOptions[]> {
  const report = await judge.audit(subject, { claim, pair, maxDraws: 50, seed: 1 });
  const oneRun = auditCanaries(canaries, { source });
  return [
    called("audit", (options) => judge.audit(subject, options), {
      ...{
        claim,
        "pair?": pair,
        "domain?": search,
        "numbers?": [1],
        "withRows?": [],
        "require?": [],
      },
      ...{ "except?": [], "all?": false, "relation?": replaceOne, "alpha?": 0.1, "maxDraws?": 20 },
      ...{ "maxSeconds?": 1, "seed?": 1, "effort?": "quick", "bits?": false, "shrink?": false },
      ...{ "oneAtATime?": false, "requirePower?": 2, "details?": false, "onProgress?": () => {} },
      "signal?": new AbortController().signal,
      "interrupt?": new AbortController().signal,
    }),
    called("functionSubject", (options) => judge.functionSubject(coin, options), {
      ...{ name: "coin", source, "domain?": search, "timeoutSeconds?": 1, "onOutput?": () => {} },
    }),
    called("mechanismSubject", (options) => {
      return judge.mechanismSubject({ name: "coin", claim, sample: coin }, options);
    }, { source, "onOutput?": () => {} }),
    called("moduleSubject", (options) => judge.moduleSubject("none.js", options), { source }),
    called("processSubject", (options) => judge.processSubject("true", options), {
      ...{ "timeoutSeconds?": 1, "name?": "program", "independent?": false, "workers?": 1 },
      "answersOn?": 1,
    }),
    called("httpSubject", (options) => judge.httpSubject("http://127.0.0.1:1", options), {
      ...{ "timeoutSeconds?": 1, "name?": "program", "independent?": false },
    }),
    called("samplesPair", judge.samplesPair, { left: "a.csv", right: "b.csv" }),
    called("samplesSubject", judge.samplesSubject, {
      ...{ left: { kind: "values", values: [1] }, right: { kind: "values", values: [1] }, source },
      ...{ pair: judge.samplesPair({ left: "a.csv", right: "b.csv" }), "name?": "recorded" },
    }),
    called("auditCanaries", (options) => auditCanaries(canaries, options), {
      ...{ "claim?": claim, "delta?": 0, "alpha?": 0.1, "requirePower?": 2, source },
    }),
    called("countGuesses", (options) => countGuesses(canaries, options), { source }),
    called("githubAnnotation", (options) => reports.githubAnnotation(report, options), {
      "file?": "a.ts",
    }),
    called("htmlReport", (options) => reports.htmlReport(report, options), {
      ...{ "figures?": "", "regressionTest?": "", "date?": new Date(0), "commit?": "" },
    }),
    called("sarifReport", (options) => reports.sarifReport(report, options), { "file?": "a.ts" }),
    called("oneRunJson", (options) => reports.oneRunJson(oneRun, options), {
      ...{ seconds: 1, seed: 1, replay: "" },
    }),
  ];
}
