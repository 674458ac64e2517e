import type { Theorem } from "./engine/theorem.ts";
import { boundedAboveLikelihood } from "./false_claims/bounded_above_likelihood.ts";
import { cleaningProgram } from "./false_claims/cleaning_program.ts";
import { confidenceBand } from "./false_claims/confidence_band.ts";
import { coordinateLaplace } from "./false_claims/coordinate_laplace.ts";
import { corollary13Gradient } from "./false_claims/corollary_13_gradient.ts";
import { errorAsPrivacy } from "./false_claims/error_as_privacy.ts";
import { huberQuarter } from "./false_claims/huber_quarter.ts";
import { huberSlopeHalf } from "./false_claims/huber_slope_half.ts";
import { kernelFeatureNorm } from "./false_claims/kernel_feature_norm.ts";
import { laplaceByDeviation } from "./false_claims/laplace_by_deviation.ts";
import { lemma19Epsilon } from "./false_claims/lemma_19_epsilon.ts";
import { lemma23Norm } from "./false_claims/lemma_23_norm.ts";
import { lemma23Slack } from "./false_claims/lemma_23_slack.ts";
import { lifetimeByTheorem } from "./false_claims/lifetime_by_theorem.ts";
import { lossProbability } from "./false_claims/loss_probability.ts";
import { mwemProofLine } from "./false_claims/mwem_proof_line.ts";
import { nips2008Algorithm2 } from "./false_claims/nips_2008_algorithm_2.ts";
import { nips2008Theorem3 } from "./false_claims/nips_2008_theorem_3.ts";
import { objectiveRateInText } from "./false_claims/objective_rate_in_text.ts";
import { onePlusEpsilonBound } from "./false_claims/one_plus_epsilon_bound.ts";
import { slidesGradientDifference } from "./false_claims/slides_gradient_difference.ts";
import { smallNodes } from "./false_claims/small_nodes.ts";
import { trainingLossAlone } from "./false_claims/training_loss_alone.ts";
import { utilityExactlyEpsilon } from "./false_claims/utility_exactly_epsilon.ts";
import {
  sparseVectorChen,
  sparseVectorLeeClifton,
  sparseVectorRoth,
  sparseVectorStoddard,
} from "./false_claims/published_sparse_vectors.ts";
import { plainSumOfLosses } from "./false_claims/plain_sum_of_losses.ts";
import { wishartPca } from "./false_claims/wishart_pca.ts";
import { betaBernoulliPosterior } from "./common_mistakes/beta_bernoulli_posterior.ts";
import { classicalGaussian } from "./common_mistakes/classical_gaussian.ts";
import { cleaningIsPrivate } from "./common_mistakes/cleaning_is_private.ts";
import { columnMaximum } from "./common_mistakes/column_maximum.ts";
import { exponentialWithoutHalf } from "./common_mistakes/exponential_without_half.ts";
import { floatingPointLaplace } from "./common_mistakes/floating_point_laplace.ts";
import { histogramScale } from "./common_mistakes/histogram_scale.ts";
import { minimiserIsPrivate } from "./common_mistakes/minimiser_is_private.ts";
import { largeGroups } from "./common_mistakes/large_groups.ts";
import { noisyMaxHalfNoise } from "./common_mistakes/noisy_max_half_noise.ts";
import { noisyMaxValue } from "./common_mistakes/noisy_max_value.ts";
import { truncatedByResampling } from "./common_mistakes/truncated_by_resampling.ts";
import { tuningByTestError } from "./common_mistakes/tuning_by_test_error.ts";
import { unfinishedSolver } from "./common_mistakes/unfinished_solver.ts";
import { unscaledIntercept } from "./common_mistakes/unscaled_intercept.ts";

/** Every published claim that is false, and common mistakes. */
export const refuted: readonly Theorem[] = [
  boundedAboveLikelihood,
  cleaningProgram,
  confidenceBand,
  coordinateLaplace,
  corollary13Gradient,
  errorAsPrivacy,
  huberQuarter,
  huberSlopeHalf,
  kernelFeatureNorm,
  laplaceByDeviation,
  lemma19Epsilon,
  lemma23Norm,
  lemma23Slack,
  lifetimeByTheorem,
  lossProbability,
  mwemProofLine,
  nips2008Algorithm2,
  nips2008Theorem3,
  objectiveRateInText,
  onePlusEpsilonBound,
  plainSumOfLosses,
  slidesGradientDifference,
  smallNodes,
  trainingLossAlone,
  utilityExactlyEpsilon,
  sparseVectorChen,
  sparseVectorLeeClifton,
  sparseVectorRoth,
  sparseVectorStoddard,
  wishartPca,
  betaBernoulliPosterior,
  cleaningIsPrivate,
  minimiserIsPrivate,
  largeGroups,
  columnMaximum,
  tuningByTestError,
  exponentialWithoutHalf,
  noisyMaxValue,
  noisyMaxHalfNoise,
  classicalGaussian,
  floatingPointLaplace,
  truncatedByResampling,
  unfinishedSolver,
  unscaledIntercept,
  histogramScale,
];
