import type { Chapter } from "../../engine/chapter.ts";
import { short } from "../../engine/outcome.ts";
import { boundedAboveLikelihood } from "./bounded_above_likelihood.ts";
import { cleaningProgram } from "./cleaning_program.ts";
import { confidenceBand } from "./confidence_band.ts";
import { coordinateLaplace } from "./coordinate_laplace.ts";
import { corollary13Gradient } from "./corollary_13_gradient.ts";
import { errorAsPrivacy } from "./error_as_privacy.ts";
import { huberQuarter } from "./huber_quarter.ts";
import { huberSlopeHalf } from "./huber_slope_half.ts";
import { kernelFeatureNorm } from "./kernel_feature_norm.ts";
import { laplaceByDeviation } from "./laplace_by_deviation.ts";
import { lemma19Epsilon } from "./lemma_19_epsilon.ts";
import { lemma23Norm } from "./lemma_23_norm.ts";
import { lemma23Slack } from "./lemma_23_slack.ts";
import { lifetimeByTheorem } from "./lifetime_by_theorem.ts";
import { lossProbability } from "./loss_probability.ts";
import { mwemProofLine } from "./mwem_proof_line.ts";
import { nips2008Algorithm2 } from "./nips_2008_algorithm_2.ts";
import { nips2008Theorem3 } from "./nips_2008_theorem_3.ts";
import { objectiveRateInText } from "./objective_rate_in_text.ts";
import { onePlusEpsilonBound } from "./one_plus_epsilon_bound.ts";
import { plainSumOfLosses } from "./plain_sum_of_losses.ts";
import {
  sparseVectorChen,
  sparseVectorLeeClifton,
  sparseVectorRoth,
  sparseVectorStoddard,
} from "./published_sparse_vectors.ts";
import { slidesGradientDifference } from "./slides_gradient_difference.ts";
import { smallNodes } from "./small_nodes.ts";
import { trainingLossAlone } from "./training_loss_alone.ts";
import { utilityExactlyEpsilon } from "./utility_exactly_epsilon.ts";
import { SENSITIVITY, wishartPca } from "./wishart_pca.ts";

function prose(): string {
  const falseCount = falseClaimsChapter.theorems.length;
  const dimension = short(Math.sqrt(105)), wishart = short(SENSITIVITY);
  return `Here are the statements that were published and are not so: ${falseCount} of them, each refuted by a witness, and each beside a corrected twin of which the same check holds. That is the point of a twin: a check that refutes everything would refute it too.

They fail in few ways. **Something was left out of the account.** The paper of 2008 forgets that its map stretches space (\`false_claims/nips_2008_algorithm_2\`, \`false_claims/nips_2008_theorem_3\`). One published sparse vector puts no noise on what it compares (\`false_claims/sparse_vector_stoddard\`), one never stops (\`false_claims/sparse_vector_chen\`), one publishes the noisy value that it compared (\`false_claims/sparse_vector_roth\`), and the noise of one does not grow with what is answered (\`false_claims/sparse_vector_lee_clifton\`).

**A factor belongs to another quantity.** Standard deviation for scale (\`false_claims/laplace_by_deviation\`), features that are √2 too long (\`false_claims/kernel_feature_norm\`), the constant of one loss for that of another (\`false_claims/huber_quarter\`), ε where part of it is already spent (\`false_claims/lemma_19_epsilon\`, \`false_claims/objective_rate_in_text\`), noise in each coordinate for a change that is measured in Euclidean length, which loses √d: ${dimension} times ε for the 105 columns of a well-known dataset (\`false_claims/coordinate_laplace\`).

**The support depends on the data.** The covariance of private rows is to be published with noise, so that principal components can be computed. Two papers of 2016 add a Wishart matrix, which has the advantage that the sum stays positive. But a positive matrix only adds: the output is never below the true covariance. Replace a row (1, 0) by (0, 1), and some outputs that were likely become impossible. An impossible output has no factor e^ε that could excuse it; no finite ε holds, however large the matrix that is added (\`false_claims/wishart_pca\`). Noise that may go both ways is private, and its size is decided by how far the three entries of a 2×2 matrix can move together, which is √5 = ${wishart} and not the 2 of the obvious example. One of the authors withdrew the method in public.

**The direction is wrong.** A bound from above where a difference is meant (\`false_claims/bounded_above_likelihood\`), "at most" where "at least" is meant (\`false_claims/loss_probability\`), a minimum for a maximum in an auditor's confidence band, which then fails in nearly half of its uses (\`false_claims/confidence_band\`).

None of these needed new mathematics to be found. Each falls to a small case whose loss can be computed: one row, one dimension, three outputs. That is what the checks of this book do first.`;
}

/** What was published and is not so. */
export const falseClaimsChapter: Chapter = {
  folder: "false_claims",
  title: "What was published and is not so",
  prose,
  theorems: [
    nips2008Algorithm2,
    nips2008Theorem3,
    kernelFeatureNorm,
    laplaceByDeviation,
    sparseVectorStoddard,
    sparseVectorChen,
    sparseVectorRoth,
    sparseVectorLeeClifton,
    wishartPca,
    huberQuarter,
    huberSlopeHalf,
    corollary13Gradient,
    lemma19Epsilon,
    lemma23Slack,
    lemma23Norm,
    errorAsPrivacy,
    objectiveRateInText,
    slidesGradientDifference,
    plainSumOfLosses,
    trainingLossAlone,
    coordinateLaplace,
    onePlusEpsilonBound,
    lossProbability,
    lifetimeByTheorem,
    mwemProofLine,
    boundedAboveLikelihood,
    smallNodes,
    utilityExactlyEpsilon,
    cleaningProgram,
    confidenceBand,
  ],
};
