import type { Chapter } from "../../engine/chapter.ts";
import { farthestFromBest } from "../../judge/false_claims/cleaning_program.ts";
import { short } from "../../engine/outcome.ts";
import { PROOF_SEED } from "../../engine/prove.ts";
import { anyPredictor } from "./any_predictor.ts";
import { order } from "./order.ts";
import { privacyError } from "./privacy_error.ts";
import { theorem1 } from "./theorem_1.ts";
import { toyTable } from "./toy_table.ts";

function prose(): string {
  const program = short(farthestFromBest(PROOF_SEED).worst);
  return `A company wants to sell a predictor's output, say of creditworthiness, without giving away another property, say an illness, that could be predicted from the same features. Xu and others clean the features first: they take out whatever the wanted predictor does not use. If its first stage is linear, this is the null space of a matrix, and nothing is lost for it, be it a regression, a network or a distance (\`predictors/toy_table\`, \`predictors/any_predictor\`).

When the two predictors use the same directions, some usefulness has to be given up for some protection. Each direction has a price, what it costs the wanted output, and a gain, what it takes from the other; γ is price over gain. Buying in the order of γ is the best that can be had for every budget, as in a knapsack whose things may be cut (\`predictors/order\`). The algorithm then moves the wanted outputs by a squared error of ε, and the unwanted ones by as much as that can buy (\`predictors/theorem_1\`, \`predictors/privacy_error\`).

The letter ε stands here for an error and not for a promise. That is a warning about this chapter: what is protected is one output of one predictor, and not the person. Two rows that differ in what the wanted predictor uses are told apart with certainty after cleaning (\`common_mistakes/cleaning_is_private\`).

**What falls.** The abstract says that the error is exactly ε for every row. A row of zeros cannot be moved at all, and many rows cannot be moved that far: the error is ε or all that there is, whichever is less (\`false_claims/utility_exactly_epsilon\`). And the optimisation problem that the algorithm is said to solve is printed with α where α² is meant, and makes another sum small than the one that should be large; on generated cases the algorithm is up to ${program} times from the optimum of the printed problem, and exactly at that of the corrected one (\`false_claims/cleaning_program\`).`;
}

/** Cleaned features. */
export const predictorsChapter: Chapter = {
  folder: "predictors",
  title: "Cleaned features",
  prose,
  theorems: [
    toyTable,
    theorem1,
    privacyError,
    order,
    anyPredictor,
  ],
};
