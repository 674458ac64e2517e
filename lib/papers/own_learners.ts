/**
 * The learners of papers, by paper.
 *
 * @module
 */

// SuLQ (Blum, Dwork, McSherry, Nissim 2005): learning from noisy sums.
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

// Linear queries answered by multiplicative weights (Hardt, Ligett, McSherry 2012).
export { cellOf, type FiniteDomain, finiteDomain, histogramOf } from "./queries/finite_domain.ts";
export { type BoxQuery, marginalQueries, rangeQuery } from "./queries/box_query.ts";
export { type HistogramQuery, type LinearQuery, linearQuery } from "./queries/linear_query.ts";
export { answerQueries } from "./queries/answer_queries.ts";
export { fitMwem, type MwemEstimate, mwemMechanism, type MwemOptions } from "./queries/mwem.ts";
export type { Measurement } from "./queries/mwem_rounds.ts";
export { mwemErrorBound } from "./queries/mwem_error_bound.ts";

// Posterior sampling and noisy sufficient statistics.
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

// The reusable holdout (Dwork and others 2015).
export {
  openReusableHoldout,
  type ReusableHoldout,
  type Statistic,
  thresholdoutMechanism,
  type ThresholdoutOptions,
} from "./holdout/thresholdout.ts";

// Subsample and aggregate, and votes.
export {
  subsampleAndAggregate,
  type SubsampleOptions,
} from "./aggregate/subsample_and_aggregate.ts";
export { clampedVectorMean } from "./aggregate/clamped_vector_mean.ts";
export { pluralityVote } from "./aggregate/plurality_vote.ts";

// Private PAC learning of finite classes (Kasiviswanathan and others 2011).
export { privateLearner, type PrivateLearnerOptions } from "./pac/private_learner.ts";
export { type LearningGoal, privateLearnerRows } from "./pac/private_learner_rows.ts";
