import type { Theorem } from "./engine/theorem.ts";
import { attackerGain } from "./definitions/attacker_gain.ts";
import { meanSalary } from "./definitions/mean_salary.ts";
import { neighbours } from "./definitions/neighbours.ts";
import { noImpact } from "./definitions/no_impact.ts";
import { onePlusEpsilon } from "./definitions/one_plus_epsilon.ts";
import { querySensitivities } from "./definitions/query_sensitivities.ts";
import { setsAndOutputs } from "./definitions/sets_and_outputs.ts";
import { alignments } from "./exact/alignments.ts";
import { signsOfPolynomials } from "./exact/signs_of_polynomials.ts";
import { analyticGaussian } from "./mechanisms/analytic_gaussian.ts";
import { exponential } from "./mechanisms/exponential.ts";
import { gaussian } from "./mechanisms/gaussian.ts";
import { geometric } from "./mechanisms/geometric.ts";
import { kAryRandomisedResponse } from "./mechanisms/k_ary_randomised_response.ts";
import { laplace } from "./mechanisms/laplace.ts";
import { laplaceMoments } from "./mechanisms/laplace_moments.ts";
import { laplaceVector } from "./mechanisms/laplace_vector.ts";
import { meanError } from "./mechanisms/mean_error.ts";
import { noisyMax } from "./mechanisms/noisy_max.ts";
import { noisyMaxCertified } from "./mechanisms/noisy_max_certified.ts";
import { gumbelMax } from "./mechanisms/gumbel_max.ts";
import { noisyMaxGap } from "./mechanisms/noisy_max_gap.ts";
import { permuteAndFlip } from "./mechanisms/permute_and_flip.ts";
import { randomisedResponse } from "./mechanisms/randomised_response.ts";
import { randomisedResponseMean } from "./mechanisms/randomised_response_mean.ts";
import { shippedMechanisms } from "./mechanisms/shipped_mechanisms.ts";
import { shippedSparseVector } from "./mechanisms/shipped_sparse_vector.ts";
import { sparseVector } from "./mechanisms/sparse_vector.ts";
import { shippedByEnumerationCertified } from "./mechanisms/shipped_by_enumeration_certified.ts";
import { shippedByEnumeration } from "./mechanisms/shipped_by_enumeration.ts";
import { adaptiveComposition } from "./composition/adaptive_composition.ts";
import { advancedComposition } from "./composition/advanced_composition.ts";
import { basicComposition } from "./composition/basic_composition.ts";
import { groupIsNotComposition } from "./composition/group_is_not_composition.ts";
import { groupPrivacy } from "./composition/group_privacy.ts";
import { lifetimeBudget } from "./composition/lifetime_budget.ts";
import { lossDistribution } from "./composition/loss_distribution.ts";
import { optimalComposition } from "./composition/optimal_composition.ts";
import { postProcessing } from "./composition/post_processing.ts";
import { pureIsConcentrated } from "./composition/pure_is_concentrated.ts";
import { concentratedAccuracy } from "./composition/concentrated_accuracy.ts";
import { subsampling } from "./composition/subsampling.ts";
import { corollary11, corollary12, corollary13 } from "./erm/corollaries_11_to_13.ts";
import { hingeLimit } from "./erm/hinge_limit.ts";
import { corollary8 } from "./erm/corollary_8.ts";
import { gaussianObjective } from "./erm/gaussian_objective.ts";
import { lemma10 } from "./erm/lemma_10.ts";
import { jacobianRatio } from "./erm/jacobian_ratio.ts";
import { lemma16 } from "./erm/lemma_16.ts";
import { lemma17 } from "./erm/lemma_17.ts";
import { lemma19 } from "./erm/lemma_19.ts";
import { lemma23 } from "./erm/lemma_23.ts";
import { lemma7 } from "./erm/lemma_7.ts";
import { sampleRequirements } from "./erm/sample_requirements.ts";
import { slidesFact1 } from "./erm/slides_fact_1.ts";
import { slidesLemmas } from "./erm/slides_lemmas.ts";
import { convexDirections } from "./erm/convex_directions.ts";
import { noiseAsRegulariser } from "./erm/noise_as_regulariser.ts";
import { rowsWithoutPrivacy } from "./erm/rows_without_privacy.ts";
import { theorem15, theorem18 } from "./erm/theorems_15_and_18.ts";
import { theorem22 } from "./erm/theorem_22.ts";
import { theorem24 } from "./erm/theorem_24.ts";
import { theorem25 } from "./erm/theorem_25.ts";
import { theorem26 } from "./erm/theorem_26.ts";
import { theorem27 } from "./erm/theorem_27.ts";
import { theorem6 } from "./erm/theorem_6.ts";
import { theorem9 } from "./erm/theorem_9.ts";
import { supportVectors } from "./erm/support_vectors.ts";
import { theorem9Certified } from "./erm/theorem_9_certified.ts";
import { tightSlack } from "./erm/tight_slack.ts";
import { strongConvexity } from "./erm/strong_convexity.ts";
import { learningPrivately } from "./queries/learning_privately.ts";
import { mwemBudget } from "./queries/mwem_budget.ts";
import { mwemSplit } from "./queries/mwem_split.ts";
import { mwemUpdate } from "./queries/mwem_update.ts";
import { subsampleAndAggregate } from "./queries/subsample_and_aggregate.ts";
import { sulqLearners } from "./queries/sulq_learners.ts";
import { thresholdout } from "./queries/thresholdout.ts";
import { adaptiveHoldout } from "./queries/adaptive_holdout.ts";
import { contingencyTableAccuracy } from "./queries/contingency_table.ts";
import { sulqTreeGain } from "./queries/sulq_tree_gain.ts";
import { sulqDirections } from "./queries/sulq_directions.ts";
import { betaSensitivity } from "./bayes/beta_sensitivity.ts";
import { exponentialFamily } from "./bayes/exponential_family.ts";
import { mostLikelyParameter } from "./bayes/most_likely_parameter.ts";
import { noisyPosterior } from "./bayes/noisy_posterior.ts";
import { posteriorSamples } from "./bayes/posterior_samples.ts";
import { posteriorSampling } from "./bayes/posterior_sampling.ts";
import { temperedPosterior } from "./bayes/tempered_posterior.ts";
import { noisyStatisticsTheorem } from "./bayes/noisy_statistics.ts";
import { amplification } from "./input_perturbation/amplification.ts";
import { averageDistance } from "./input_perturbation/average_distance.ts";
import { averageHidesWorst } from "./input_perturbation/average_hides_worst.ts";
import { confidenceIsAdditive } from "./input_perturbation/confidence_is_additive.ts";
import { meanOfNoisyEntries } from "./input_perturbation/mean_of_noisy_entries.ts";
import { noBreach } from "./input_perturbation/no_breach.ts";
import { oddsOfProperties } from "./input_perturbation/odds_of_properties.ts";
import { polynomialReconstruction } from "./input_perturbation/polynomial_reconstruction.ts";
import { reconstructionLimit } from "./input_perturbation/reconstruction_limit.ts";
import { slideFigures } from "./input_perturbation/slide_figures.ts";
import { sulqCondition } from "./input_perturbation/sulq_condition.ts";
import { sulqAdaptive } from "./input_perturbation/sulq_adaptive.ts";
import { sulqSublinear } from "./input_perturbation/sulq_sublinear.ts";
import { transitionProbabilities } from "./input_perturbation/transition_probabilities.ts";
import { anyPredictor } from "./predictors/any_predictor.ts";
import { order } from "./predictors/order.ts";
import { privacyError } from "./predictors/privacy_error.ts";
import { theorem1 } from "./predictors/theorem_1.ts";
import { toyTable } from "./predictors/toy_table.ts";
import { refuted } from "./refuted.ts";

/** Every theorem and every published claim that is false, by folder. */
export const theorems: readonly Theorem[] = [
  attackerGain,
  meanSalary,
  neighbours,
  noImpact,
  onePlusEpsilon,
  querySensitivities,
  setsAndOutputs,
  signsOfPolynomials,
  alignments,
  analyticGaussian,
  exponential,
  gaussian,
  geometric,
  kAryRandomisedResponse,
  laplace,
  laplaceMoments,
  laplaceVector,
  meanError,
  noisyMax,
  noisyMaxCertified,
  noisyMaxGap,
  gumbelMax,
  permuteAndFlip,
  randomisedResponse,
  randomisedResponseMean,
  shippedMechanisms,
  shippedSparseVector,
  sparseVector,
  shippedByEnumerationCertified,
  shippedByEnumeration,
  adaptiveComposition,
  advancedComposition,
  basicComposition,
  groupIsNotComposition,
  groupPrivacy,
  lifetimeBudget,
  lossDistribution,
  optimalComposition,
  postProcessing,
  pureIsConcentrated,
  concentratedAccuracy,
  subsampling,
  corollary11,
  corollary12,
  corollary13,
  hingeLimit,
  corollary8,
  gaussianObjective,
  lemma10,
  jacobianRatio,
  lemma16,
  lemma17,
  lemma19,
  lemma23,
  lemma7,
  sampleRequirements,
  slidesFact1,
  slidesLemmas,
  convexDirections,
  noiseAsRegulariser,
  rowsWithoutPrivacy,
  theorem15,
  theorem18,
  theorem22,
  theorem24,
  theorem25,
  theorem26,
  theorem27,
  theorem6,
  theorem9,
  supportVectors,
  theorem9Certified,
  tightSlack,
  strongConvexity,
  learningPrivately,
  mwemBudget,
  mwemSplit,
  mwemUpdate,
  subsampleAndAggregate,
  sulqLearners,
  thresholdout,
  adaptiveHoldout,
  contingencyTableAccuracy,
  sulqTreeGain,
  sulqDirections,
  betaSensitivity,
  exponentialFamily,
  mostLikelyParameter,
  noisyPosterior,
  posteriorSamples,
  posteriorSampling,
  temperedPosterior,
  noisyStatisticsTheorem,
  amplification,
  averageDistance,
  averageHidesWorst,
  confidenceIsAdditive,
  meanOfNoisyEntries,
  noBreach,
  oddsOfProperties,
  polynomialReconstruction,
  reconstructionLimit,
  slideFigures,
  sulqCondition,
  sulqAdaptive,
  sulqSublinear,
  transitionProbabilities,
  anyPredictor,
  order,
  privacyError,
  theorem1,
  toyTable,
  ...refuted,
];
