import type { Chapter } from "../../engine/chapter.ts";
import { advancedComposition as advancedParameters } from "../../../lib/dp/accounting/composition/advanced_composition.ts";
import { short } from "../../engine/outcome.ts";
import { lifetimeExample } from "./checks/lifetime_example.ts";
import { adaptiveComposition } from "./adaptive_composition.ts";
import { advancedComposition } from "./advanced_composition.ts";
import { basicComposition } from "./basic_composition.ts";
import { concentratedAccuracy } from "./concentrated_accuracy.ts";
import { groupIsNotComposition } from "./group_is_not_composition.ts";
import { groupPrivacy } from "./group_privacy.ts";
import { lifetimeBudget } from "./lifetime_budget.ts";
import { lossDistribution } from "./loss_distribution.ts";
import { optimalComposition } from "./optimal_composition.ts";
import { postProcessing } from "./post_processing.ts";
import { pureIsConcentrated } from "./pure_is_concentrated.ts";
import { subsampling } from "./subsampling.ts";

function prose(): string {
  const part = { epsilon: 0.1, delta: 0 }, count = 100, life = lifetimeExample();
  const figures = {
    tenth: short(10 * part.epsilon),
    advanced: short(advancedParameters(part, { count, slack: 1e-5 }).epsilon),
    sum: short(count * part.epsilon),
    lifetime: life.theoremEpsilon.toFixed(4),
    // What is allowed is rounded to the safe side.
    theoremParts: (Math.ceil(10 * life.theoremParts) / 10).toFixed(1),
    corollaryParts: short(life.corollaryParts),
    tail: short(life.tail),
    slack: short(Math.exp(-32)),
    tailParts: life.tailParts,
  };
  return `One release is rarely the last. What does a person lose who is in a hundred databases, or whose row is asked about a hundred times?

Three rules need no calculation. Whatever is done to an output afterwards costs nothing (\`composition/post_processing\`). Losses add: ten releases of ε = .1 cost ${figures.tenth} together, also when each question depends on the answers before it (\`composition/basic_composition\`, \`composition/adaptive_composition\`). And a family of four is protected by 4ε, not by ε (\`composition/group_privacy\`).

The sum is a worst case. A loss is nearly as often negative as positive, so many small ones partly cancel, and their spread grows only as √k. If a small chance δ of losing more is allowed, k releases cost a multiple of √k times one, plus the small lean of losses to one side. That is advanced composition: 100 releases of ε = .1 cost ${figures.advanced} instead of ${figures.sum}, with δ = 10⁻⁵ (\`composition/advanced_composition\`). The best possible rule is known too, and can be computed (\`composition/optimal_composition\`). None of it helps a family: a group that acts together has no luck to average over (\`composition/group_is_not_composition\`).

Counting in ρ gives nearly the best rule with the simplest sum: ρ bounds the moments of a loss by those of a normal law of mean ρ and variance 2ρ, and the ρ of several releases add up (zero-concentrated differential privacy, \`composition/pure_is_concentrated\`, \`composition/concentrated_accuracy\`). Drawing a random part of the rows first makes every promise stronger, about by the share that is drawn (\`composition/subsampling\`).

**What falls.** Dwork and Roth’s book asks how much each of 10,000 databases may spend so that a whole life costs at most ε = 1 except with probability e⁻³², and answers: 1/801, by advanced composition. By that theorem it is not so. At 1/801 the theorem gives ${figures.lifetime}; it allows 1/${figures.theoremParts}, and the corollary that is usually quoted only 1/${figures.corollaryParts} (\`false_claims/lifetime_by_theorem\`). The claim is true all the same: counted exactly, the chance of losing more than 1 is ${figures.tail} where e⁻³² = ${figures.slack} is allowed, and even 1/${figures.tailParts} would do (\`composition/lifetime_budget\`). It is true, but not for the reason that is given.`;
}

/** What several releases cost. */
export const compositionChapter: Chapter = {
  folder: "composition",
  title: "What several releases cost",
  prose,
  theorems: [
    postProcessing,
    groupPrivacy,
    basicComposition,
    adaptiveComposition,
    groupIsNotComposition,
    advancedComposition,
    optimalComposition,
    lifetimeBudget,
    lossDistribution,
    pureIsConcentrated,
    concentratedAccuracy,
    subsampling,
  ],
};
