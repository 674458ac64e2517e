import type { Chapter } from "../../engine/chapter.ts";
import { short } from "../../engine/outcome.ts";
import { betaSensitivity } from "./beta_sensitivity.ts";
import { exponentialFamily } from "./exponential_family.ts";
import { mostLikelyParameter } from "./most_likely_parameter.ts";
import { noisyPosterior } from "./noisy_posterior.ts";
import { noisyStatisticsTheorem } from "./noisy_statistics.ts";
import { posteriorSamples } from "./posterior_samples.ts";
import { posteriorSampling } from "./posterior_sampling.ts";
import { temperedPosterior } from "./tempered_posterior.ts";

function prose(): string {
  const coin = short(2 * Math.log(0.9 / 0.1));
  return `A posterior distribution is itself a random answer: draw one parameter θ from it and publish that. Is this private by luck? Often it is. The posterior has the form of an exponential mechanism whose score is the log-likelihood, so if one person's log-likelihood can only vary within C, a single sample is 2C-private, whatever the prior (\`bayes/posterior_sampling\`). A coin that is known to lie between .1 and .9 gives ${coin} for each sample (\`bayes/posterior_samples\`).

If that is too much, the posterior can be tempered. Raised to the power ε/(2Δ) it is ε-private; a small ε makes it flat, a large one picks the most likely parameter (\`bayes/tempered_posterior\`, \`bayes/most_likely_parameter\`). For the usual families Δ has a formula (\`bayes/exponential_family\`).

The other way is to blur the data's summary. In an exponential family the posterior depends on the rows only through their number and a sum of statistics. With Laplace noise on these, everything that is computed afterwards is private, and as ε grows the noisy posterior becomes the exact one (\`bayes/noisy_statistics\`, \`bayes/noisy_posterior\`). For tosses of a coin the two sums move by 2 together (\`bayes/beta_sensitivity\`).

**What falls.** The slides state the first result with "log P(X, θ) ≤ C". That bounds a likelihood from above. Probabilities of discrete data are never above 1, so for such data C = 0 would always do and every posterior sample would be perfectly private. What must be bounded is the difference between two log-likelihoods, and for a coin that may have any bias there is no such bound: a toss of heads is impossible where θ = 0 (\`false_claims/bounded_above_likelihood\`). The common mistake beside it is to sample the usual Beta posterior and to call it private (\`common_mistakes/beta_bernoulli_posterior\`).`;
}

/** Posteriors as answers. */
export const bayesChapter: Chapter = {
  folder: "bayes",
  title: "Posteriors as answers",
  prose,
  theorems: [
    posteriorSampling,
    temperedPosterior,
    mostLikelyParameter,
    posteriorSamples,
    exponentialFamily,
    betaSensitivity,
    noisyStatisticsTheorem,
    noisyPosterior,
  ],
};
