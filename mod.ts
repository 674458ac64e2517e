/**
 * dpcheck: does this code keep the differential-privacy claim it makes?
 *
 * {@linkcode audit} runs a program on neighbouring datasets and refutes claims that are false, with a
 * bound on the chance of a false alarm. The mechanisms, the accounting and the private learners here
 * are held to the same checks. For assertions inside tests there is `@dpcheck/dpcheck/testing`, for reports of
 * audits as text, JSON and pages `@dpcheck/dpcheck/report`.
 *
 * ```ts
 * import { audit, boundedSum, mechanismSubject, replaceOne, SeededSource } from "@dpcheck/dpcheck";
 *
 * const total = boundedSum({
 *   bounds: { lower: 0, upper: 1 },
 *   epsilon: 1,
 *   relation: replaceOne,
 *   domain: { rows: { type: "number", min: 0, max: 1 }, size: { min: 1, max: 5 } },
 * });
 * const subject = mechanismSubject(total, { source: new SeededSource(1) });
 * const report = await audit(subject, { seed: 1, maxDraws: 20_000 });
 * console.log(report.verdict); // "not-refuted"
 * ```
 *
 * @module
 */

// Audits: run a program, judge its claim.
export { audit } from "./lib/audit/audit.ts";
export type { AuditOptions } from "./lib/audit/options.ts";
export type { AuditEffort } from "./lib/audit/model/prediction/effort.ts";
export type { Progress } from "./lib/audit/kernel/drawing/progress.ts";
export type {
  AuditReport,
  FailedReport,
  NotRefutedReport,
  RefutedReport,
} from "./lib/audit/report.ts";
export type { EventReport } from "./lib/audit/counterexample/event_report.ts";
export type { Condition } from "./lib/audit/model/encoding/condition.ts";

// Subjects: what can be audited.
export { type Subject, SubjectFailure, Thrown } from "./lib/audit/kernel/subject.ts";
export type { Outputs } from "./lib/audit/kernel/outputs.ts";
export {
  functionSubject,
  type FunctionSubjectOptions,
} from "./lib/audit/subjects/function_subject.ts";
export {
  mechanismSubject,
  type MechanismSubjectOptions,
} from "./lib/audit/subjects/mechanism_subject.ts";
export {
  moduleSubject,
  type ModuleSubjectOptions,
} from "./lib/audit/subjects/thread/module_subject.ts";
export {
  processSubject,
  type ProcessSubjectOptions,
} from "./lib/audit/subjects/process/process_subject.ts";
export { readSamples } from "./lib/audit/subjects/recorded/read_samples.ts";
export {
  samplesPair,
  type SamplesSubject,
  samplesSubject,
} from "./lib/audit/subjects/recorded/samples_subject.ts";

// The nouns: datasets, neighbours, claims, mechanisms.
export type { Dataset, Domain, RowSpec } from "./lib/core/dataset.ts";
export {
  addRemoveOne,
  asserted,
  changeEach,
  changeOne,
  type Pair,
  pairOf,
  type Relation,
  replaceOne,
} from "./lib/core/relation.ts";
export {
  type ApproximateClaim,
  type Claim,
  claimToJSON,
  deltaAt,
  describeClaim,
  type GaussianClaim,
  type PureClaim,
  type RenyiClaim,
  type ZcdpClaim,
} from "./lib/core/claim.ts";
export { approximate, gaussian, pure, renyi, zcdp } from "./lib/core/claim_of_amounts.ts";
export { claimFromJSON } from "./lib/core/claim_json.ts";
export type { Mechanism } from "./lib/core/mechanism.ts";
export type { Spendable } from "./lib/core/budget.ts";

// Sources of randomness, and what is drawn from them.
export type { Source } from "./lib/core/source.ts";
export { SecureSource } from "./lib/random/secure_source.ts";
export { SeededSource } from "./lib/random/seeded_source.ts";

// Mechanisms: noise on numbers.
export { release } from "./lib/mechanisms/release.ts";
export { laplace, type LaplaceOptions, vectorLaplace } from "./lib/mechanisms/laplace.ts";
export { geometric, type GeometricOptions, integerLaplace } from "./lib/mechanisms/geometric.ts";
export {
  analyticGaussian,
  type GaussianOptions,
  integerGaussian,
  vectorGaussian,
  type VectorGaussianOptions,
} from "./lib/mechanisms/gaussian.ts";

// Mechanisms: counts, sums and tables.
export { count } from "./lib/mechanisms/count.ts";
export { boundedMean, type BoundedOptions, boundedSum } from "./lib/mechanisms/bounded_sum.ts";
export { clippedSum } from "./lib/mechanisms/clipped_sum.ts";
export { noisyHistogram } from "./lib/mechanisms/noisy_histogram.ts";
export { contingencyTable } from "./lib/mechanisms/contingency_table.ts";
export { quantile } from "./lib/mechanisms/quantile.ts";

// Mechanisms: choices and thresholds.
export {
  exponentialMechanism,
  type SelectionOptions,
} from "./lib/mechanisms/exponential_mechanism.ts";
export { permuteAndFlip } from "./lib/mechanisms/permute_and_flip.ts";
export { type NoisyMaxOptions, reportNoisyMax } from "./lib/mechanisms/report_noisy_max.ts";
export {
  aboveThreshold,
  numericSparseVector,
  type SparseVectorOptions,
} from "./lib/mechanisms/sparse_vector.ts";

// Mechanisms: answers that are randomised before they are collected.
export {
  estimateProportion,
  kAryRandomisedResponse,
  randomisedResponse,
} from "./lib/mechanisms/randomised_response.ts";

// Accounting: budgets.
export { type Budget, openBudget } from "./lib/accounting/budget.ts";
export { type LedgerOptions, openLedger } from "./lib/accounting/ledger.ts";
export { type PrivacyFilter, privacyFilter } from "./lib/accounting/privacy_filter.ts";
export { type PrivacyOdometer, privacyOdometer } from "./lib/accounting/privacy_odometer.ts";
export { share } from "./lib/accounting/share.ts";

// Accounting: composition, groups, sampling.
export { mapMechanism } from "./lib/accounting/map_mechanism.ts";

// Learners: private empirical risk minimisation.
export { fit, type FitOptions } from "./lib/learners/erm/fit.ts";
export {
  type Candidate,
  fitTuned,
  type Tuned,
  type TuningOptions,
} from "./lib/learners/erm/tune.ts";
export { type Label, Model } from "./lib/learners/erm/model.ts";
export { denseRows, type Rows, sparseRows } from "./lib/learners/erm/rows.ts";
export { logisticLoss } from "./lib/learners/erm/logistic_loss.ts";
export { huberHinge } from "./lib/learners/erm/huber_hinge.ts";
export { suggestedLambda } from "./lib/learners/erm/suggested_lambda.ts";

// Learning from noisy answers: SuLQ, queries, aggregates, the reusable holdout, Bayes, PAC.
export { fitKMeans, type KMeansModel, type KMeansOptions } from "./lib/learners/sulq/k_means.ts";
export { fitMwem, type MwemEstimate, type MwemOptions } from "./lib/learners/queries/mwem.ts";
export { openReusableHoldout, type ReusableHoldout } from "./lib/learners/holdout/thresholdout.ts";
export { subsampleAndAggregate } from "./lib/learners/aggregate/subsample_and_aggregate.ts";
