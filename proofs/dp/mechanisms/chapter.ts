import type { Chapter } from "../../engine/chapter.ts";
import { twoCoinSurvey } from "../../../lib/dp/mechanisms/randomised_response.ts";
import { lossWithoutCutoff } from "../../judge/false_claims/published_sparse_vectors.ts";
import { short } from "../../engine/outcome.ts";
import { analyticGaussian } from "./analytic_gaussian.ts";
import { exponential } from "./exponential.ts";
import { gaussian } from "./gaussian.ts";
import { geometric } from "./geometric.ts";
import { gumbelMax } from "./gumbel_max.ts";
import { kAryRandomisedResponse } from "./k_ary_randomised_response.ts";
import { laplace } from "./laplace.ts";
import { laplaceMoments } from "./laplace_moments.ts";
import { laplaceVector } from "./laplace_vector.ts";
import { errorOfMean, errorOfSampling, meanError } from "./mean_error.ts";
import { noisyMax } from "./noisy_max.ts";
import { noisyMaxCertified } from "./noisy_max_certified.ts";
import { noisyMaxGap } from "./noisy_max_gap.ts";
import { permuteAndFlip } from "./permute_and_flip.ts";
import { randomisedResponse } from "./randomised_response.ts";
import { randomisedResponseMean } from "./randomised_response_mean.ts";
import { shippedByEnumeration } from "./shipped_by_enumeration.ts";
import { shippedByEnumerationCertified } from "./shipped_by_enumeration_certified.ts";
import { sparseVector } from "./sparse_vector.ts";

function prose(): string {
  const survey = twoCoinSurvey().claim;
  const mean = { rows: 400, range: 1, epsilon: 1, step: 1 / 64, failure: 1 / 20 };
  const figures = {
    survey: short(survey.kind === "pure" ? survey.epsilon : NaN),
    meanError: short(errorOfMean(mean)),
    sampling: short(errorOfSampling(mean)),
    deviation: short(Math.SQRT2),
    sparse: short(lossWithoutCutoff(20)),
  };
  return `There are two ways to keep the promise: blur a number, or choose at random. The second is older than the definition. In a survey on a sensitive question, Warner in 1965 let people toss a coin before they answer; a "yes" then proves nothing about anyone, and the share of true yes can still be computed (\`mechanisms/randomised_response\`, \`mechanisms/randomised_response_mean\`). The survey of two coins loses ln 3 = ${figures.survey}, and no less.

Numbers get noise. How much depends on how far one person can move them, the sensitivity Δ. Laplace noise of scale Δ/ε makes the loss exactly ε and spends all of it (\`mechanisms/laplace\`); in several coordinates it is the sum of all changes that counts (\`mechanisms/laplace_vector\`). The price is small where many people are counted: the mean of 400 values between 0 and 1 at ε = 1 is within ${figures.meanError} of the truth in 19 releases of 20, while drawing the sample already costs ${figures.sampling} (\`mechanisms/mean_error\`). Gaussian noise keeps a weaker promise, with a δ, and keeps it only with the right deviation (\`mechanisms/gaussian\`, \`mechanisms/analytic_gaussian\`).

Choices get random weights. The exponential mechanism prefers good candidates by e^(ε/2) for each point of score (\`mechanisms/exponential\`); adding noise to each score and taking the best comes to the same (\`mechanisms/gumbel_max\`) or to something similar (\`mechanisms/noisy_max\`). Half of ε is needed because one candidate may gain while all others lose.

**What falls.** Both papers on private classifiers introduce the Laplace mechanism with noise of standard deviation S/ε. The standard deviation of Laplace noise is √2 times its scale, so that noise is too small by that factor and loses √2 = ${figures.deviation} times ε (\`false_claims/laplace_by_deviation\`). Most readers would correct it without noticing; a program that follows the sentence would not.

The second fall is deeper. Sparse vector answers "is it above the threshold?" again and again and pays only when the answer is yes. That works, with noise on the threshold and noise on each answer that grows with the number of answers yes (\`mechanisms/sparse_vector\`). Four published forms save on this: one puts no noise on the answers, one never stops, one does not let the noise grow, one publishes the noisy value that it compared. What they lose is unbounded, or grows with the number of questions or of answers yes: the one that never stops has lost ${figures.sparse} at ε = 1 after twenty answers below and twenty above (\`false_claims/sparse_vector_chen\`).

Proofs on paper are one thing and code is another. The last statements run every path of the shipped mechanisms, each possible draw, and compare the law that comes out with the law that is claimed (\`mechanisms/shipped_by_enumeration\`).`;
}

/** How the promise is kept. */
export const mechanismsChapter: Chapter = {
  folder: "mechanisms",
  title: "How the promise is kept",
  prose,
  theorems: [
    randomisedResponse,
    randomisedResponseMean,
    kAryRandomisedResponse,
    laplaceMoments,
    laplace,
    laplaceVector,
    meanError,
    geometric,
    gaussian,
    analyticGaussian,
    exponential,
    gumbelMax,
    permuteAndFlip,
    noisyMax,
    noisyMaxCertified,
    noisyMaxGap,
    sparseVector,
    shippedByEnumeration,
    shippedByEnumerationCertified,
  ],
};
