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
export type { Preparation } from "./erm/rows/prepare_rows.ts";
export {
  type DenseRows,
  denseRows,
  type Rows,
  type SparseRows,
  sparseRows,
} from "./erm/rows/rows.ts";
export type { Loss } from "./erm/losses/loss.ts";
export { logisticLoss } from "./erm/losses/logistic_loss.ts";
export { huberHinge } from "./erm/losses/huber_hinge.ts";
export { smoothedHinge } from "./erm/losses/smoothed_hinge.ts";
export { type Regulariser, smoothElasticNet, squaredNorm } from "./erm/losses/regulariser.ts";
export { type LambdaOptions, suggestedLambda } from "./erm/suggested_lambda.ts";
export {
  drawRandomFeatures,
  type Kernel,
  type RandomFeatures,
} from "./erm/rows/random_features.ts";
export { ermMechanism, type LabelledRow } from "./erm/mechanism.ts";
export {
  type CategoryColumn,
  type ColumnDescription,
  type FeatureDescription,
  type LabelColumn,
  type NumberColumn,
  readColumnDescription,
  readFeatureDescription,
} from "./erm/files/column_description.ts";
export { encodeTable, readLabelColumn, type Table } from "./erm/files/column_encoder.ts";
export { type LabelledFeatures, readFeatureLines } from "./erm/files/feature_lines.ts";
export { RowFile } from "./erm/files/row_file.ts";
export type { RowBlocks } from "./erm/files/row_blocks.ts";
export type { LabelIndices, Labels } from "./erm/files/read_labels.ts";
export type { ClassIndices } from "./erm/rows/signs.ts";

// Learning from noisy answers: SuLQ, queries, aggregates, the reusable holdout, Bayes, PAC.
export { openSulq, type SulqDatabase, type SulqOptions } from "../../papers/sulq/sulq_database.ts";
export {
  type SulqAccounting,
  sulqAccounting,
  type SulqCalibration,
} from "../../papers/sulq/sulq_accounting.ts";
export {
  fitKMeans,
  kMeansCalibration,
  type KMeansModel,
  type KMeansOptions,
} from "../../papers/sulq/k_means.ts";
export {
  fitPerceptron,
  perceptronCalibration,
  type PerceptronModel,
  type PerceptronOptions,
} from "../../papers/sulq/perceptron.ts";
export {
  type PerceptronGoal,
  perceptronGuarantee,
} from "../../papers/sulq/perceptron_guarantee.ts";
export {
  type CategoricalRow,
  classify,
  type DecisionTree,
  type DecisionTreeOptions,
  fitDecisionTree,
  type TreeNode,
} from "../../papers/sulq/decision_tree.ts";
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
export { treeGainBound } from "../../papers/sulq/tree_gain_bound.ts";
export {
  type BooleanRow,
  type ConjunctionOptions,
  fitConjunction,
  type Literal,
} from "../../papers/sulq/fit_conjunction.ts";
export {
  openStatisticalQueries,
  type StatisticalQueryOptions,
  type StatisticalQueryOracle,
} from "../../papers/sulq/statistical_queries.ts";
export {
  noisySecondMoments,
  type PrincipalDirections,
  principalDirections,
  type SecondMomentOptions,
} from "../../papers/sulq/principal_directions.ts";
export { secondMomentError } from "../../papers/sulq/second_moment_error.ts";
export {
  cellOf,
  type FiniteDomain,
  finiteDomain,
  histogramOf,
} from "../../papers/queries/finite_domain.ts";
export { type BoxQuery, marginalQueries, rangeQuery } from "../../papers/queries/box_query.ts";
export {
  type HistogramQuery,
  type LinearQuery,
  linearQuery,
} from "../../papers/queries/linear_query.ts";
export { answerQueries } from "../../papers/queries/answer_queries.ts";
export {
  fitMwem,
  type MwemEstimate,
  mwemMechanism,
  type MwemOptions,
} from "../../papers/queries/mwem.ts";
export type { Measurement } from "../../papers/queries/mwem_rounds.ts";
export { mwemErrorBound } from "../../papers/queries/mwem_error_bound.ts";
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
} from "../../papers/holdout/thresholdout.ts";
export {
  subsampleAndAggregate,
  type SubsampleOptions,
} from "../../papers/aggregate/subsample_and_aggregate.ts";
export { clampedVectorMean } from "../../papers/aggregate/clamped_vector_mean.ts";
export { pluralityVote } from "../../papers/aggregate/plurality_vote.ts";
export { privateLearner, type PrivateLearnerOptions } from "../../papers/pac/private_learner.ts";
export { type LearningGoal, privateLearnerRows } from "../../papers/pac/private_learner_rows.ts";
export { betaBernoulli, dirichletMultinomial, gaussianMean } from "../../papers/bayes/families.ts";
export {
  type PosteriorFamily,
  type PosteriorSampling,
  posteriorSampling,
  type PosteriorSamplingOptions,
} from "../../papers/bayes/posterior_sampling.ts";
export {
  noisyStatistics,
  type NoisyStatisticsOptions,
} from "../../papers/bayes/noisy_statistics.ts";
export {
  exponentialFamily,
  type ExponentialFamilyOptions,
} from "../../papers/bayes/exponential_family.ts";
export { exponentialPosterior } from "../../papers/bayes/exponential_posterior.ts";
export {
  noisySufficientStatistics,
  type NoisySufficientStatisticsOptions,
} from "../../papers/bayes/noisy_sufficient_statistics.ts";
