import type { Chapter } from "../../engine/chapter.ts";
import { short } from "../../engine/outcome.ts";
import { amplification } from "./amplification.ts";
import { averageDistance } from "./average_distance.ts";
import { averageHidesWorst, toldOfAges } from "./average_hides_worst.ts";
import { confidenceIsAdditive } from "./confidence_is_additive.ts";
import { meanOfNoisyEntries } from "./mean_of_noisy_entries.ts";
import { noBreach } from "./no_breach.ts";
import { oddsOfProperties } from "./odds_of_properties.ts";
import { polynomialReconstruction } from "./polynomial_reconstruction.ts";
import { reconstructionLimit } from "./reconstruction_limit.ts";
import { beliefAtZero, operatorsOf, slideFigures } from "./slide_figures.ts";
import { sulqAdaptive } from "./sulq_adaptive.ts";
import { sulqCondition } from "./sulq_condition.ts";
import { sulqSublinear } from "./sulq_sublinear.ts";
import { transitionProbabilities } from "./transition_probabilities.ts";

function prose(): string {
  const { mutualInformation, worstDistance } = toldOfAges({ reach: 20 }),
    { R1, R3 } = operatorsOf();
  const [breach, mixed] = [R1, R3].map((operator) =>
    (100 * beliefAtZero((x) => x === 0, operator)!.posterior).toFixed(1)
  );
  const [mutual, worst] = [mutualInformation, worstDistance].map(short);
  return `Before there was differential privacy, data were blurred one by one: each person adds noise to an age, or keeps an answer with some probability, and sends only that. The mean survives, because noise of mean 0 averages out (\`input_perturbation/mean_of_noisy_entries\`). Does the person?

The first measures of privacy were averages: how much does the noisy value tell about the true one? An average hides the worst. Ages from 0 to 90 with noise of ±20 tell ${mutual} nats on average, out of ln 91 = ${worst}; yet somebody for whom 110 is published is 90 years old for certain (\`input_perturbation/average_hides_worst\`). Evfimievski, Gehrke and Srikant asked instead how far belief in any property can be moved by any output. In their example one answer of 0 moves belief in a value from 1% to ${breach}% for one operator, and to ${mixed}% for another (\`input_perturbation/slide_figures\`). What counts is amplification γ: how many times likelier an output is from one value than from another. If γ is small, no property is breached, whatever was believed before (\`input_perturbation/no_breach\`, \`input_perturbation/amplification\`). With γ = e^ε this is differential privacy, found from the other side.

Why not keep the data exact and blur only the answers? Because answers add up. If every count of a subset is answered within E, then all but 4E rows can be read off (\`input_perturbation/reconstruction_limit\`), and a linear program finds them from far fewer counts (\`input_perturbation/polynomial_reconstruction\`). So either noise is of the size of √n, or questions are few. SuLQ takes the second way: for T questions it adds noise that grows with T, and bounds how far belief may move (\`input_perturbation/sulq_condition\`), also when each question is chosen in the light of the answers (\`input_perturbation/sulq_adaptive\`). As long as T is well below n, that noise is smaller than the error of a random sample (\`input_perturbation/sulq_sublinear\`).

**What falls.** The slides say that a decision tree learnt through SuLQ must stop where few rows are left, "for there privacy can no longer be guaranteed". Privacy does not depend on how many rows there are: the same noise protects one row or ten thousand. What is lost in a small node is accuracy, for there the noise decides which way the tree grows (\`false_claims/small_nodes\`).`;
}

/** Data that are blurred first. */
export const inputPerturbationChapter: Chapter = {
  folder: "input_perturbation",
  title: "Data that are blurred first",
  prose,
  theorems: [
    meanOfNoisyEntries,
    averageDistance,
    averageHidesWorst,
    transitionProbabilities,
    slideFigures,
    oddsOfProperties,
    noBreach,
    amplification,
    reconstructionLimit,
    polynomialReconstruction,
    confidenceIsAdditive,
    sulqCondition,
    sulqAdaptive,
    sulqSublinear,
  ],
};
