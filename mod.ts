/**
 * dpcheck: does this code keep the differential-privacy claim it makes?
 *
 * {@linkcode audit} runs a program on neighbouring datasets and refutes claims that are false, with a
 * bound on the chance of a false alarm. The mechanisms, the accounting and the private learners here
 * are held to the same checks. For assertions inside tests there is `@dpcheck/dpcheck/testing`.
 *
 * ```ts
 * import { audit, laplace, mechanismSubject, replaceOne, SeededSource } from "@dpcheck/dpcheck";
 *
 * const total = laplace<number>({
 *   query: (rows) => rows.reduce((sum, row) => sum + Math.min(1, Math.max(0, row)), 0),
 *   epsilon: 1,
 *   sensitivity: 1,
 *   granularity: 2 ** -10,
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
export type { Progress } from "./lib/audit/drawing/progress.ts";
export type { AuditReport } from "./lib/audit/report.ts";
export type { Condition, EventReport } from "./lib/audit/counterexample/event_report.ts";

// Subjects: what can be audited.
export {
  type PairData,
  type PairOutputs,
  type Subject,
  SubjectFailure,
  Thrown,
} from "./lib/audit/subjects/subject.ts";
export { type Outputs } from "./lib/audit/subjects/outputs.ts";
export { Coins } from "./lib/audit/subjects/order/coins.ts";
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
  SamplesExhausted,
  samplesPair,
  type SamplesSubject,
  samplesSubject,
  type Side,
} from "./lib/audit/subjects/recorded/samples_subject.ts";

// Reports: an audit's outcome in words.
export { htmlReport } from "./lib/report/html.ts";
export { jsonReport } from "./lib/report/json.ts";
export { junitReport } from "./lib/report/junit.ts";
export { terminalReport } from "./lib/report/terminal.ts";

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
  approximate,
  type ApproximateClaim,
  type Claim,
  claimToJSON,
  deltaAt,
  describeClaim,
  gaussian,
  type GaussianClaim,
  pure,
  type PureClaim,
  renyi,
  type RenyiClaim,
  zcdp,
  type ZcdpClaim,
} from "./lib/core/claim.ts";
export type { ClaimBrand } from "./lib/core/claim_brand.ts";
export type { Mechanism } from "./lib/core/mechanism.ts";
export type { Spendable } from "./lib/core/budget.ts";

// Sources of randomness, and what is drawn from them.
export type { Source } from "./lib/core/source.ts";
export { SecureSource } from "./lib/random/secure_source.ts";
export { SeededSource } from "./lib/random/seeded_source.ts";
export { discreteGaussian } from "./lib/random/discrete_gaussian.ts";
export { discreteLaplace } from "./lib/random/discrete_laplace.ts";
export type { IntegerNoise } from "./lib/random/integer_noise.ts";
export { bernoulli } from "./lib/random/bernoulli.ts";
export { floatExponential } from "./lib/random/float_exponential.ts";
export { floatGamma } from "./lib/random/float_gamma.ts";
export { floatLaplace } from "./lib/random/float_laplace.ts";
export { floatNormal } from "./lib/random/float_normal.ts";
export { floatUniform } from "./lib/random/float_uniform.ts";
export { randomInteger } from "./lib/random/random_integer.ts";
export { shuffle, type Shuffleable } from "./lib/random/shuffle.ts";
export { type Rational, rational } from "./lib/numeric/rational.ts";

// Mechanisms: noise on numbers.
export { release } from "./lib/mechanisms/release.ts";
export {
  type PreparedRelease,
  type ReleaseOptions,
  spendThen,
} from "./lib/mechanisms/spend_then.ts";
export { laplace, type LaplaceOptions, vectorLaplace } from "./lib/mechanisms/laplace.ts";
export {
  geometric,
  type GeometricOptions,
  integerLaplace,
  truncatedGeometric,
} from "./lib/mechanisms/geometric.ts";
export {
  analyticGaussian,
  analyticGaussianDeviation,
  classicalGaussian,
  type GaussianOptions,
  integerGaussian,
  vectorGaussian,
  type VectorGaussianOptions,
} from "./lib/mechanisms/gaussian.ts";
export { discreteGaussianDelta } from "./lib/mechanisms/discrete_gaussian_delta.ts";
export { snapping, type SnappingOptions } from "./lib/mechanisms/snapping.ts";
export { staircase, staircaseTread } from "./lib/mechanisms/staircase.ts";
export type { GridMechanism, GridNoise } from "./lib/mechanisms/grid_mechanism.ts";
export { floatLaplaceMechanism } from "./lib/mechanisms/float_laplace_mechanism.ts";
export { floatGaussianMechanism } from "./lib/mechanisms/float_gaussian_mechanism.ts";
export { floatSphericalLaplace } from "./lib/mechanisms/float_spherical_laplace.ts";

// Mechanisms: counts, sums and tables.
export { count } from "./lib/mechanisms/count.ts";
export { boundedMean, type BoundedOptions, boundedSum } from "./lib/mechanisms/bounded_sum.ts";
export { noisyHistogram } from "./lib/mechanisms/noisy_histogram.ts";
export {
  type Attributes,
  contingencyTable,
  marginal,
  type TableRow,
} from "./lib/mechanisms/contingency_table.ts";
export { quantile } from "./lib/mechanisms/quantile.ts";

// Mechanisms: choices and thresholds.
export {
  exponentialMechanism,
  type SelectionOptions,
} from "./lib/mechanisms/exponential_mechanism.ts";
export { baseTwoExponential } from "./lib/mechanisms/base_two_exponential.ts";
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
  twoCoinSurvey,
} from "./lib/mechanisms/randomised_response.ts";
export { estimateUnaryCounts, unaryEncoding } from "./lib/mechanisms/unary_encoding.ts";
export { bloomFilter, rappor, type RapporOptions } from "./lib/mechanisms/rappor.ts";
export { type BitReport, bitReport } from "./lib/mechanisms/local_bits.ts";
export {
  additiveNoise,
  keepOrReplace,
  mixedNoise,
  type Perturbation,
  perturbedDatabase,
  wrappedNoise,
} from "./lib/mechanisms/input_perturbation.ts";
export {
  mechanismNamed,
  mechanismNames,
  type RegisteredMechanism,
  type RegistryOptions,
} from "./lib/mechanisms/registry.ts";

// Accounting: budgets.
export { type Budget, openBudget } from "./lib/accounting/budget.ts";
export {
  type FilterOptions,
  type PrivacyFilter,
  privacyFilter,
} from "./lib/accounting/privacy_filter.ts";
export {
  type OdometerOptions,
  type PrivacyOdometer,
  privacyOdometer,
} from "./lib/accounting/privacy_odometer.ts";
export { shareOf } from "./lib/accounting/share_of.ts";

// Accounting: composition, groups, sampling.
export type { PrivacyParameters, PrivacyTotal } from "./lib/accounting/privacy_parameters.ts";
export { basicComposition } from "./lib/accounting/basic_composition.ts";
export {
  advancedComposition,
  advancedEpsilonOfEach,
  type AdvancedForm,
  type AdvancedOptions,
} from "./lib/accounting/advanced_composition.ts";
export { kairouzComposition } from "./lib/accounting/kairouz_composition.ts";
export {
  type CompositionGroup,
  optimalDelta,
  optimalEpsilon,
} from "./lib/accounting/optimal_composition.ts";
export { type GroupOptions, groupPrivacy } from "./lib/accounting/group_privacy.ts";
export { mapMechanism, type MapOptions } from "./lib/accounting/map_mechanism.ts";
export {
  poissonSubsampledGaussianRenyi,
  subsampledParameters,
  subsampledRenyi,
} from "./lib/accounting/subsampling.ts";

// Accounting: zCDP, Rényi curves, privacy loss distributions.
export {
  largestRho,
  zcdpComposition,
  type ZcdpConversion,
  zcdpDelta,
  zcdpEpsilon,
  zcdpOfBoundedRange,
  zcdpOfClaim,
} from "./lib/accounting/zcdp.ts";
export {
  composeRenyi,
  gaussianRenyi,
  laplaceRenyi,
  type OrderOptions,
  pureRenyi,
  type RenyiCurve,
  renyiDelta,
  renyiEpsilon,
  renyiOfClaim,
  zcdpRenyi,
} from "./lib/accounting/renyi.ts";
export {
  composeMeanConcentrated,
  type MeanConcentrated,
  meanConcentratedEpsilon,
  meanConcentratedOfGaussian,
  meanConcentratedOfPure,
  zcdpOfMeanConcentrated,
} from "./lib/accounting/mean_concentrated.ts";
export {
  approximateLoss,
  finiteLoss,
  gaussianLoss,
  type IntervalDifference,
  laplaceLoss,
  type LossLaw,
  lossOfClaim,
  type PairMass,
  type PrivacyLoss,
} from "./lib/accounting/privacy_loss.ts";
export { poissonSubsampledLoss } from "./lib/accounting/subsampled_loss.ts";
export { type Bounds, composedDelta } from "./lib/accounting/composed_delta.ts";
export type { LossGrid } from "./lib/accounting/loss_grid.ts";
export type { GridPart } from "./lib/accounting/tilted_grid.ts";
export {
  deltaBounds,
  epsilonBounds,
  type GridOptions,
  type LossPart,
} from "./lib/accounting/privacy_loss_distribution.ts";

// Accounting: other measures of privacy.
export { klDistance, type Leakage, leakage } from "./lib/breaches/average_measures.ts";
export {
  amplification,
  amplificationAt,
  breachFreeAmplification,
  rulesOutBreaches,
} from "./lib/breaches/amplification.ts";
export {
  type Belief,
  beliefIn,
  type Breach,
  breachIn,
  type BreachLevels,
  type BreachSearch,
  findBreach,
  posteriorOf,
  type Property,
} from "./lib/breaches/privacy_breach.ts";
export {
  addUniform,
  addUniformModulo,
  identityOperator,
  mixWithUniform,
  type RandomisationOperator,
  replaceByAnother,
} from "./lib/breaches/randomisation_operator.ts";
export {
  confidence,
  confidenceGainProbability,
  confidenceGrowth,
  leastSulqVariance,
  probabilityOfConfidence,
  type SulqPrivacy,
  sulqVariance,
} from "./lib/breaches/sulq_condition.ts";

// Learners: private empirical risk minimisation.
export { fit, type FitOptions } from "./lib/learners/erm/fit.ts";
export {
  type Candidate,
  fitTuned,
  type Tuned,
  type TuningOptions,
} from "./lib/learners/erm/tune.ts";
export { type Label, Model, type ModelParts, type Training } from "./lib/learners/erm/model.ts";
export type { ModelJson } from "./lib/learners/erm/model_json.ts";
export type { TrainingProgress } from "./lib/learners/erm/sample_model.ts";
export type { TrainingOptions } from "./lib/learners/erm/training_options.ts";
export type { Preparation } from "./lib/learners/erm/prepare_rows.ts";
export {
  type DenseRows,
  denseRows,
  type Rows,
  type SparseRows,
  sparseRows,
} from "./lib/learners/erm/rows.ts";
export type { Loss } from "./lib/learners/erm/loss.ts";
export { logisticLoss } from "./lib/learners/erm/logistic_loss.ts";
export { huberHinge } from "./lib/learners/erm/huber_hinge.ts";
export { smoothedHinge } from "./lib/learners/erm/smoothed_hinge.ts";
export { type Regulariser, smoothElasticNet, squaredNorm } from "./lib/learners/erm/regulariser.ts";
export { type LambdaOptions, suggestedLambda } from "./lib/learners/erm/suggested_lambda.ts";
export {
  drawRandomFeatures,
  type Kernel,
  type RandomFeatures,
} from "./lib/learners/erm/random_features.ts";
export { ermMechanism, type LabelledRow } from "./lib/learners/erm/mechanism.ts";
export {
  type CategoryColumn,
  type ColumnDescription,
  encodeTable,
  featureCount,
  type NumberColumn,
  readColumnDescription,
  readLabelColumn,
  type Table,
} from "./lib/learners/erm/column_encoder.ts";

// Predictors: features cleaned before they reach a predictor. No differential privacy.
export {
  type Amplitudes,
  type NullSpaceCleaner,
  nullSpaceCleaner,
} from "./lib/predictors/null_space.ts";
export { type FeatureMatrix, featureMatrix, featureRows } from "./lib/predictors/feature_matrix.ts";
export {
  applyFirstStage,
  type LinearFirstStage,
  linearFirstStage,
} from "./lib/predictors/linear_first_stage.ts";
export { leastSquares } from "./lib/predictors/least_squares.ts";
export { principalComponents } from "./lib/predictors/principal_components.ts";
export {
  generalisedEigenproblem,
  type GeneralisedSpectrum,
} from "./lib/predictors/generalised_eigenproblem.ts";
export {
  type PredictorDescription,
  predictorFromJson,
} from "./lib/predictors/predictor_from_json.ts";
export { completePrivacy, squaredErrors } from "./lib/predictors/privacy_measures.ts";
export { refitAttack } from "./lib/predictors/refit_attack.ts";
export { addLaplaceNoise, laplaceScaleForUtility } from "./lib/predictors/laplace_noise.ts";

// Learning from noisy answers: SuLQ, queries, aggregates, the reusable holdout, Bayes, PAC.
export {
  openSulq,
  type SulqDatabase,
  type SulqOptions,
} from "./lib/learners/sulq/sulq_database.ts";
export {
  type SulqAccounting,
  sulqAccounting,
  type SulqCalibration,
} from "./lib/learners/sulq/sulq_accounting.ts";
export {
  kMeans,
  kMeansCalibration,
  type KMeansModel,
  type KMeansOptions,
} from "./lib/learners/sulq/k_means.ts";
export {
  perceptron,
  perceptronCalibration,
  type PerceptronModel,
  type PerceptronOptions,
} from "./lib/learners/sulq/perceptron.ts";
export {
  type PerceptronGoal,
  perceptronGuarantee,
} from "./lib/learners/sulq/perceptron_guarantee.ts";
export {
  type CategoricalRow,
  classify,
  type DecisionTree,
  decisionTree,
  type DecisionTreeOptions,
  type TreeNode,
} from "./lib/learners/sulq/decision_tree.ts";
export { treeGainBound } from "./lib/learners/sulq/tree_gain_bound.ts";
export {
  type BooleanRow,
  type ConjunctionOptions,
  learnConjunction,
  type Literal,
} from "./lib/learners/sulq/learn_conjunction.ts";
export {
  openStatisticalQueries,
  type StatisticalQueryOptions,
  type StatisticalQueryOracle,
} from "./lib/learners/sulq/statistical_queries.ts";
export {
  noisySecondMoments,
  type PrincipalDirections,
  principalDirections,
  type SecondMomentOptions,
} from "./lib/learners/sulq/principal_directions.ts";
export { secondMomentError } from "./lib/learners/sulq/second_moment_error.ts";
export {
  cellOf,
  type FiniteDomain,
  finiteDomain,
  histogramOf,
} from "./lib/learners/queries/finite_domain.ts";
export { type BoxQuery, marginalQueries, rangeQuery } from "./lib/learners/queries/box_query.ts";
export {
  type HistogramQuery,
  type LinearQuery,
  linearQuery,
} from "./lib/learners/queries/linear_query.ts";
export { answerQueries } from "./lib/learners/queries/answer_queries.ts";
export { fitMwem, type MwemEstimate, type MwemOptions } from "./lib/learners/queries/mwem.ts";
export type { Measurement } from "./lib/learners/queries/mwem_rounds.ts";
export { mwemErrorBound } from "./lib/learners/queries/mwem_error_bound.ts";
export {
  openReusableHoldout,
  type ReusableHoldout,
  type Statistic,
  type ThresholdoutOptions,
} from "./lib/learners/holdout/thresholdout.ts";
export {
  subsampleAndAggregate,
  type SubsampleOptions,
} from "./lib/learners/aggregate/subsample_and_aggregate.ts";
export { clampedVectorMean } from "./lib/learners/aggregate/clamped_vector_mean.ts";
export { pluralityVote } from "./lib/learners/aggregate/plurality_vote.ts";
export { privateLearner, type PrivateLearnerOptions } from "./lib/learners/pac/private_learner.ts";
export { type LearningGoal, privateLearnerRows } from "./lib/learners/pac/private_learner_rows.ts";
export {
  betaBernoulli,
  dirichletMultinomial,
  gaussianMean,
} from "./lib/learners/bayes/families.ts";
export {
  type PosteriorFamily,
  type PosteriorSampling,
  posteriorSampling,
  type PosteriorSamplingOptions,
} from "./lib/learners/bayes/posterior_sampling.ts";
export {
  noisyStatistics,
  type NoisyStatisticsOptions,
} from "./lib/learners/bayes/noisy_statistics.ts";
export {
  exponentialFamily,
  type ExponentialFamilyOptions,
} from "./lib/learners/bayes/exponential_family.ts";
export { exponentialPosterior } from "./lib/learners/bayes/exponential_posterior.ts";
export {
  noisySufficientStatistics,
  type NoisySufficientStatisticsOptions,
} from "./lib/learners/bayes/noisy_sufficient_statistics.ts";

// Attacks that show what noise must be there.
export {
  reconstruct,
  reconstructExhaustively,
  type Reconstruction,
  type SubsetAnswers,
} from "./lib/attacks/reconstruction.ts";
