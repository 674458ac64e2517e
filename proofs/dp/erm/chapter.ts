import type { Chapter } from "../../engine/chapter.ts";
import { lossWhereTold } from "../../judge/false_claims/huber_quarter.ts";
import { failureOf } from "../../judge/false_claims/lemma_19_epsilon.ts";
import { lossOfOneRow } from "../../judge/false_claims/nips_2008_algorithm_2.ts";
import { short } from "../../engine/outcome.ts";
import { convexDirections } from "./convex_directions.ts";
import { corollary11, corollary12, corollary13 } from "./corollaries_11_to_13.ts";
import { corollary8 } from "./corollary_8.ts";
import { gaussianObjective } from "./gaussian_objective.ts";
import { hingeLimit } from "./hinge_limit.ts";
import { jacobianRatio } from "./jacobian_ratio.ts";
import { lemma10 } from "./lemma_10.ts";
import { lemma16 } from "./lemma_16.ts";
import { lemma17 } from "./lemma_17.ts";
import { lemma19 } from "./lemma_19.ts";
import { lemma23 } from "./lemma_23.ts";
import { lemma7 } from "./lemma_7.ts";
import { noiseAsRegulariser } from "./noise_as_regulariser.ts";
import { rowsWithoutPrivacy } from "./rows_without_privacy.ts";
import { sampleRequirements } from "./sample_requirements.ts";
import { slidesFact1 } from "./slides_fact_1.ts";
import { slidesLemmas } from "./slides_lemmas.ts";
import { strongConvexity } from "./strong_convexity.ts";
import { supportVectors } from "./support_vectors.ts";
import { theorem22 } from "./theorem_22.ts";
import { theorem24 } from "./theorem_24.ts";
import { theorem25 } from "./theorem_25.ts";
import { theorem26 } from "./theorem_26.ts";
import { theorem27 } from "./theorem_27.ts";
import { theorem6 } from "./theorem_6.ts";
import { theorem9 } from "./theorem_9.ts";
import { theorem9Certified } from "./theorem_9_certified.ts";
import { theorem15, theorem18 } from "./theorems_15_and_18.ts";
import { tightSlack } from "./tight_slack.ts";

function prose(): string {
  const epsilon = 0.1, loss = lossOfOneRow({ epsilon, convexity: 0.01 });
  const figures = {
    loss: short(loss),
    times: Math.floor(loss / epsilon),
    feature: `√2 = ${short(Math.SQRT2)}`,
    huber: short(lossWhereTold({ c: 1 / 4, epsilon, convexity: 5 })),
    lemma: short(1 - failureOf()),
  };
  return `A classifier is trained on private rows: weights are chosen that make a sum of losses small, plus a penalty Λ on their size. The result looks like an average. It is not private: a support vector machine is a combination of a few rows (\`erm/support_vectors\`), and two classifiers that differ at all tell two datasets apart (\`common_mistakes/minimiser_is_private\`).

Chaudhuri, Monteleoni and Sarwate gave two remedies. The first blurs the result. Because of the penalty the objective is strongly convex, and one row of n cannot move its minimum by more than 2/(nΛ) (\`erm/strong_convexity\`, \`erm/lemma_7\`, \`erm/corollary_8\`). So noise of that size on the weights is enough (\`erm/theorem_6\`). The second blurs the question: a random linear term b is added to the objective before it is minimised (\`erm/theorem_9\`). The noise then acts less where the data are clear, and fewer rows are needed (\`erm/convex_directions\`, \`erm/sample_requirements\`).

Why the second is private takes an argument. For one dataset, each output comes from exactly one b (\`erm/slides_fact_1\`). A neighbour needs another b for the same output, at most 2 away, and noise that falls as e^(−ε‖b‖/2) makes that cost ε. It is tempting to stop here.

**What falls.** The paper of 2008 did stop here: "private for every λ". But densities are not only carried by the map from b to the classifier, they are stretched by it, and how much depends on the rows: by the determinant of the second derivatives. For small λ this outweighs everything else. At ε = .1 and nλ = .01 the exact loss is ${figures.loss}, ${figures.times} times what is promised (\`false_claims/nips_2008_algorithm_2\`). The paper of 2011 pays for the stretching: two determinants differ by a factor of at most (1 + c/(nΛ))², where c bounds the curvature of the loss (\`erm/lemma_10\`, \`erm/jacobian_ratio\`), and the logarithm of that is taken from ε. For a loss whose curvature has no bound nothing can be paid, and the theorem for "any convex differentiable loss" falls as well (\`false_claims/nips_2008_theorem_3\`).

The corrected paper has slips of its own. Its algorithm for kernels draws random features and trains on them; with the printed factor √(2/D) they are up to √2 long, where the theorem asks for 1, so that ${figures.feature} times ε is lost (\`false_claims/kernel_feature_norm\`, mended in \`erm/theorem_22\`). The Huber loss of half-width ½ is given c = ¼ where it has c = 1, which loses ${figures.huber} at ε = .1 (\`false_claims/huber_quarter\`). And one lemma on accuracy has ε where ε′ is left over: it holds with probability ${figures.lemma} where .95 is claimed (\`false_claims/lemma_19_epsilon\`).

The rest of the chapter asks what privacy costs: how many rows more (\`erm/theorem_15\`, \`erm/theorem_18\`), how Λ can be chosen without spending everything (\`erm/theorem_26\`), and how tight the theorem is: half of what it sets aside for the determinant would do (\`erm/tight_slack\`).`;
}

/** Classifiers trained on private rows. */
export const ermChapter: Chapter = {
  folder: "erm",
  title: "Classifiers trained on private rows",
  prose,
  theorems: [
    supportVectors,
    strongConvexity,
    lemma7,
    corollary8,
    hingeLimit,
    corollary11,
    corollary12,
    corollary13,
    theorem6,
    lemma17,
    slidesFact1,
    lemma10,
    jacobianRatio,
    theorem9,
    theorem9Certified,
    tightSlack,
    gaussianObjective,
    noiseAsRegulariser,
    convexDirections,
    slidesLemmas,
    lemma16,
    lemma19,
    rowsWithoutPrivacy,
    theorem15,
    theorem18,
    sampleRequirements,
    theorem22,
    lemma23,
    theorem24,
    theorem25,
    theorem26,
    theorem27,
  ],
};
