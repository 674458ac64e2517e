/**
 * Private learners: empirical risk minimisation, SuLQ, query answering, Bayes, the reusable holdout.
 *
 * @module
 */

// Learners: private empirical risk minimisation.
export { fit, type FitOptions } from "./erm/fit.ts";
export { type Candidate, fitTuned, type Tuned, type TuningOptions } from "./erm/tune.ts";
export { Classifier } from "./erm/classifier.ts";
export { type Label, Model, type Training } from "./erm/model.ts";
export type { ModelJson } from "./erm/model_json.ts";
export type { TrainingProgress } from "./erm/sample_model.ts";
export type { TrainingOptions } from "./erm/training_options.ts";
export type { Preparation } from "./erm/prepare_rows.ts";
export { type DenseRows, denseRows, type Rows, type SparseRows, sparseRows } from "./erm/rows.ts";
export type { Loss } from "./erm/loss.ts";
export { logisticLoss } from "./erm/logistic_loss.ts";
export { huberHinge } from "./erm/huber_hinge.ts";
export { smoothedHinge } from "./erm/smoothed_hinge.ts";
export { type Regulariser, smoothElasticNet, squaredNorm } from "./erm/regulariser.ts";
export { type LambdaOptions, suggestedLambda } from "./erm/suggested_lambda.ts";
export { drawRandomFeatures, type Kernel, type RandomFeatures } from "./erm/random_features.ts";
export { ermMechanism, type LabelledRow } from "./erm/mechanism.ts";
export {
  type CategoryColumn,
  type ColumnDescription,
  type FeatureDescription,
  type LabelColumn,
  type NumberColumn,
  readColumnDescription,
  readFeatureDescription,
} from "./erm/column_description.ts";
export { encodeTable, readLabelColumn, type Table } from "./erm/column_encoder.ts";
export { type LabelledFeatures, readFeatureLines } from "./erm/feature_lines.ts";
export { RowFile } from "./erm/row_file.ts";
export type { RowBlocks } from "./erm/row_blocks.ts";
export type { LabelIndices, Labels } from "./erm/read_labels.ts";
export type { ClassIndices } from "./erm/signs.ts";

// Learning from noisy answers: SuLQ, queries, aggregates, the reusable holdout, Bayes, PAC.
export { openSulq, type SulqDatabase, type SulqOptions } from "./sulq/sulq_database.ts";
export {
  type SulqAccounting,
  sulqAccounting,
  type SulqCalibration,
} from "./sulq/sulq_accounting.ts";
export {
  fitKMeans,
  kMeansCalibration,
  type KMeansModel,
  type KMeansOptions,
} from "./sulq/k_means.ts";
export {
  fitPerceptron,
  perceptronCalibration,
  type PerceptronModel,
  type PerceptronOptions,
} from "./sulq/perceptron.ts";
export { type PerceptronGoal, perceptronGuarantee } from "./sulq/perceptron_guarantee.ts";
export {
  type CategoricalRow,
  classify,
  type DecisionTree,
  type DecisionTreeOptions,
  fitDecisionTree,
  type TreeNode,
} from "./sulq/decision_tree.ts";
export {
  dpSgdClaim,
  dpSgdMechanism,
  type DpSgdModel,
  type DpSgdOptions,
  fitDpSgd,
} from "./sgd/dp_sgd.ts";
export { AdditiveModel, type AdditiveParts, type ColumnShape } from "./additive/additive_model.ts";
export { additiveMechanism, type AdditiveOptions, fitAdditive } from "./additive/fit_additive.ts";
export type { Shape } from "./additive/boost.ts";
export { treeGainBound } from "./sulq/tree_gain_bound.ts";
export {
  type BooleanRow,
  type ConjunctionOptions,
  fitConjunction,
  type Literal,
} from "./sulq/fit_conjunction.ts";
export {
  openStatisticalQueries,
  type StatisticalQueryOptions,
  type StatisticalQueryOracle,
} from "./sulq/statistical_queries.ts";
export {
  noisySecondMoments,
  type PrincipalDirections,
  principalDirections,
  type SecondMomentOptions,
} from "./sulq/principal_directions.ts";
export { secondMomentError } from "./sulq/second_moment_error.ts";
export { cellOf, type FiniteDomain, finiteDomain, histogramOf } from "./queries/finite_domain.ts";
export { type BoxQuery, marginalQueries, rangeQuery } from "./queries/box_query.ts";
export { type HistogramQuery, type LinearQuery, linearQuery } from "./queries/linear_query.ts";
export { answerQueries } from "./queries/answer_queries.ts";
export { fitMwem, type MwemEstimate, mwemMechanism, type MwemOptions } from "./queries/mwem.ts";
export type { Measurement } from "./queries/mwem_rounds.ts";
export { mwemErrorBound } from "./queries/mwem_error_bound.ts";
export {
  adaptiveMarginals,
  type AdaptiveMarginalsOptions,
  type MarginalsCost,
  type SyntheticRows,
} from "./synthetic/adaptive_marginals.ts";
export type { CodedRow } from "./synthetic/adaptive_rounds.ts";
export { type TableCoder, tableCoder } from "./synthetic/table_coder.ts";
export type { NoisyMarginal } from "./synthetic/marginal_model.ts";
export {
  openReusableHoldout,
  type ReusableHoldout,
  type Statistic,
  thresholdoutMechanism,
  type ThresholdoutOptions,
} from "./holdout/thresholdout.ts";
export {
  subsampleAndAggregate,
  type SubsampleOptions,
} from "./aggregate/subsample_and_aggregate.ts";
export { clampedVectorMean } from "./aggregate/clamped_vector_mean.ts";
export { pluralityVote } from "./aggregate/plurality_vote.ts";
export { privateLearner, type PrivateLearnerOptions } from "./pac/private_learner.ts";
export { type LearningGoal, privateLearnerRows } from "./pac/private_learner_rows.ts";
export { betaBernoulli, dirichletMultinomial, gaussianMean } from "./bayes/families.ts";
export {
  type PosteriorFamily,
  type PosteriorSampling,
  posteriorSampling,
  type PosteriorSamplingOptions,
} from "./bayes/posterior_sampling.ts";
export { noisyStatistics, type NoisyStatisticsOptions } from "./bayes/noisy_statistics.ts";
export { exponentialFamily, type ExponentialFamilyOptions } from "./bayes/exponential_family.ts";
export { exponentialPosterior } from "./bayes/exponential_posterior.ts";
export {
  noisySufficientStatistics,
  type NoisySufficientStatisticsOptions,
} from "./bayes/noisy_sufficient_statistics.ts";
