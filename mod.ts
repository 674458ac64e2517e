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
export { audit } from "./lib/judge/audit/audit.ts";
export type { AuditOptions } from "./lib/judge/audit/options.ts";
export type { AuditEffort } from "./lib/judge/audit/model/prediction/effort.ts";
export type { Progress } from "./lib/judge/audit/kernel/drawing/progress.ts";
export type {
  AuditReport,
  FailedReport,
  NotRefutedReport,
  RefutedReport,
} from "./lib/judge/audit/report.ts";
export type { EventReport } from "./lib/judge/audit/counterexample/event_report.ts";
export type { Condition } from "./lib/judge/audit/model/encoding/condition.ts";

// Services that answer questions.
export { auditInteractive } from "./lib/judge/dialogue/audit_interactive.ts";
export type { Service, Session } from "./lib/judge/dialogue/service.ts";
export type { SessionReport } from "./lib/judge/dialogue/session_report.ts";
export type { AuditInteractiveOptions } from "./lib/judge/dialogue/session_settings.ts";

// Subjects: what can be audited.
export { type Subject, SubjectFailure, Thrown } from "./lib/judge/audit/kernel/subject.ts";
export type { OutputBlock, Outputs } from "./lib/judge/audit/kernel/outputs.ts";
export {
  functionSubject,
  type FunctionSubjectOptions,
} from "./lib/judge/audit/subjects/function_subject.ts";
export {
  mechanismSubject,
  type MechanismSubjectOptions,
} from "./lib/judge/audit/subjects/mechanism_subject.ts";
export {
  moduleSubject,
  type ModuleSubjectOptions,
} from "./lib/judge/audit/subjects/thread/module_subject.ts";
export {
  processSubject,
  type ProcessSubjectOptions,
} from "./lib/judge/audit/subjects/process/process_subject.ts";
export { readSamples } from "./lib/judge/audit/subjects/recorded/read_samples.ts";
export {
  samplesPair,
  type SamplesSubject,
  samplesSubject,
} from "./lib/judge/audit/subjects/recorded/samples_subject.ts";

// The nouns: datasets, neighbours, claims, mechanisms.
export type { Dataset, Domain, RowSpec } from "./lib/core/relations/dataset.ts";
export {
  addRemoveOne,
  asserted,
  changeEach,
  changeOne,
  type NeighbourMaker,
  type Pair,
  pairOf,
  type Relation,
  replaceOne,
} from "./lib/core/relations/relation.ts";
export { relationOf } from "./lib/core/relations/relation_named.ts";
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
} from "./lib/core/claims/claim.ts";
export { approximate, gaussian, pure, renyi, zcdp } from "./lib/core/claims/claim_of_amounts.ts";
export { claimFromJSON } from "./lib/core/claims/claim_json.ts";
export { type Deployment, deployment } from "./lib/core/claims/deployment.ts";
export type { Mechanism } from "./lib/core/mechanism/mechanism.ts";
export type { Spendable, SpendOptions } from "./lib/core/mechanism/budget.ts";

// Sources of randomness, and what is drawn from them.
export type { ContinuousNoise, Source } from "./lib/core/mechanism/source.ts";
export { SecureSource } from "./lib/core/random/secure_source.ts";
export { SeededSource } from "./lib/core/random/seeded_source.ts";

// Mechanisms: noise on numbers.
export { release } from "./lib/dp/mechanisms/release.ts";
export { laplace, type LaplaceOptions, vectorLaplace } from "./lib/dp/mechanisms/laplace.ts";
export { geometric, type GeometricOptions, integerLaplace } from "./lib/dp/mechanisms/geometric.ts";
export {
  analyticGaussian,
  type GaussianOptions,
  integerGaussian,
  vectorGaussian,
  type VectorGaussianOptions,
} from "./lib/dp/mechanisms/gaussian.ts";

// Mechanisms: counts, sums and tables.
export { count } from "./lib/dp/mechanisms/count.ts";
export { boundedMean, type BoundedOptions, boundedSum } from "./lib/dp/mechanisms/bounded_sum.ts";
export { clippedSum } from "./lib/dp/mechanisms/clipped_sum.ts";
export { noisyHistogram } from "./lib/dp/mechanisms/noisy_histogram.ts";
export { contingencyTable } from "./lib/dp/mechanisms/contingency_table.ts";
export { quantile } from "./lib/dp/mechanisms/quantile.ts";

// Mechanisms: choices and thresholds.
export {
  exponentialMechanism,
  type SelectionOptions,
} from "./lib/dp/mechanisms/exponential_mechanism.ts";
export { permuteAndFlip } from "./lib/dp/mechanisms/permute_and_flip.ts";
export { type NoisyMaxOptions, reportNoisyMax } from "./lib/dp/mechanisms/report_noisy_max.ts";
export {
  aboveThreshold,
  numericSparseVector,
  type SparseVectorOptions,
} from "./lib/dp/mechanisms/sparse_vector.ts";

// Mechanisms: answers that are randomised before they are collected.
export {
  estimateProportion,
  kAryRandomisedResponse,
  randomisedResponse,
} from "./lib/dp/mechanisms/randomised_response.ts";

// Accounting: budgets.
export {
  type Budget,
  openBudget,
  type SpendAllOptions,
} from "./lib/dp/accounting/budget/budget.ts";
export { type LedgerOptions, openLedger } from "./lib/dp/accounting/budget/ledger.ts";
export { type PrivacyFilter, privacyFilter } from "./lib/dp/accounting/budget/privacy_filter.ts";
export {
  type PrivacyOdometer,
  privacyOdometer,
} from "./lib/dp/accounting/budget/privacy_odometer.ts";
export { share } from "./lib/dp/accounting/budget/share.ts";

// Accounting: composition, groups, sampling.
export { mapMechanism } from "./lib/dp/accounting/map_mechanism.ts";

// Learners: private empirical risk minimisation.
export { fit, type FitOptions } from "./lib/dp/learners/erm/fit.ts";
export {
  type Candidate,
  fitTuned,
  type Tuned,
  type TuningOptions,
} from "./lib/dp/learners/erm/tune.ts";
export { Model } from "./lib/dp/learners/erm/model.ts";
export { type Label } from "./lib/dp/learners/erm/label.ts";
export { denseRows, type Rows, sparseRows } from "./lib/dp/learners/erm/rows/rows.ts";
export { logisticLoss } from "./lib/dp/learners/erm/losses/logistic_loss.ts";
export { huberHinge } from "./lib/dp/learners/erm/losses/huber_hinge.ts";
export { suggestedLambda } from "./lib/dp/learners/erm/suggested_lambda.ts";

// Learning from noisy answers: SuLQ, queries, aggregates, the reusable holdout, Bayes, PAC.
export { fitKMeans, type KMeansModel, type KMeansOptions } from "./lib/papers/sulq/k_means.ts";
export { fitMwem, type MwemEstimate, type MwemOptions } from "./lib/papers/queries/mwem.ts";
export { openReusableHoldout, type ReusableHoldout } from "./lib/papers/holdout/thresholdout.ts";
export { subsampleAndAggregate } from "./lib/papers/aggregate/subsample_and_aggregate.ts";
