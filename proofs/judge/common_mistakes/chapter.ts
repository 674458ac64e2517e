import type { Chapter } from "../../engine/chapter.ts";
import { short } from "../../engine/outcome.ts";
import { betaBernoulliPosterior } from "./beta_bernoulli_posterior.ts";
import { classicalGaussian, shareOfDelta } from "./classical_gaussian.ts";
import { cleaningIsPrivate } from "./cleaning_is_private.ts";
import { columnMaximum } from "./column_maximum.ts";
import { exponentialWithoutHalf } from "./exponential_without_half.ts";
import { floatingPointLaplace } from "./floating_point_laplace.ts";
import { histogramScale } from "./histogram_scale.ts";
import { largeGroups } from "./large_groups.ts";
import { minimiserIsPrivate } from "./minimiser_is_private.ts";
import { noisyMaxHalfNoise } from "./noisy_max_half_noise.ts";
import { noisyMaxValue } from "./noisy_max_value.ts";
import { largestLoss, truncatedByResampling } from "./truncated_by_resampling.ts";
import { tuningByTestError } from "./tuning_by_test_error.ts";
import { unfinishedSolver } from "./unfinished_solver.ts";
import { unscaledIntercept } from "./unscaled_intercept.ts";

function prose(): string {
  const truncated = short(largestLoss(1)),
    gaussian = short(shareOfDelta({ epsilon: 20, delta: 1e-5 }));
  return `Few of these were published as claims, and everybody who builds such systems meets them. Each is a sentence that sounds right.

**"It is only an aggregate."** Sums over large groups are answered exactly; two groups that differ in one person give that person away by subtraction (\`common_mistakes/large_groups\`). A trained model is an aggregate, too, and not private (\`common_mistakes/minimiser_is_private\`).

**"The noise is the right one."** It is scaled the wrong way round (\`common_mistakes/histogram_scale\`); it is drawn again until the result is not negative, which at ε = 1 costs ${truncated} (\`common_mistakes/truncated_by_resampling\`); it is added in floating point, where some results can only come from some data: about a quarter of them, once one looks at the last bits (\`common_mistakes/floating_point_laplace\`); the formula for Gaussian noise is used for an ε that it was not proved for, and at ε = 20 the true δ is ${gaussian} times the one that is claimed (\`common_mistakes/classical_gaussian\`).

**"The factor ½ is a detail."** Without it, choices lose twice what they promise as soon as one score may rise while others fall (\`common_mistakes/exponential_without_half\`, \`common_mistakes/noisy_max_half_noise\`). And the winner's noisy value is not free: it loses ε/2 for every candidate (\`common_mistakes/noisy_max_value\`).

**"That part does not count."** Columns divided by their largest value, before training (\`common_mistakes/column_maximum\`); a 1 appended for the intercept, which makes rows √2 long (\`common_mistakes/unscaled_intercept\`); a solver that stops early (\`common_mistakes/unfinished_solver\`); a penalty chosen by the errors on held-out rows (\`common_mistakes/tuning_by_test_error\`). All of these look at the data, and all of them are part of what is published.`;
}

/** What is often done wrong. */
export const commonMistakesChapter: Chapter = {
  folder: "common_mistakes",
  title: "What is often done wrong",
  prose,
  theorems: [
    largeGroups,
    minimiserIsPrivate,
    histogramScale,
    truncatedByResampling,
    floatingPointLaplace,
    classicalGaussian,
    exponentialWithoutHalf,
    noisyMaxHalfNoise,
    noisyMaxValue,
    betaBernoulliPosterior,
    columnMaximum,
    unscaledIntercept,
    unfinishedSolver,
    tuningByTestError,
    cleaningIsPrivate,
  ],
};
