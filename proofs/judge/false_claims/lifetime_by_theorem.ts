import { advancedComposition } from "../../../lib/dp/accounting/composition/advanced_composition.ts";
import { lifetimeExample } from "../../dp/composition/checks/lifetime_example.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** The lifetime budget as an application of the theorem it is quoted from. */
export const lifetimeByTheorem = falseClaim<{ readonly parts: number }>({
  id: "false_claims/lifetime_by_theorem",
  statement: "By advanced composition, 10,000 mechanisms of ε₀ = 1/801 each are (1, e^−32)-" +
    "differentially private.",
  citation: "Dwork, Roth 2014, example after Theorem 3.20",
  source:
    "Haußmann’s slides, lifetime. That the claim is true all the same is composition/lifetime_budget",
  remember: () =>
    `By the theorem 1/801 costs ${
      lifetimeExample().theoremEpsilon.toFixed(4)
    }, above the 1 that is claimed.`,
  kind: "sampled",
  subject: { parts: 801 },
  check: ({ parts }) => {
    const { epsilon } = advancedComposition({ epsilon: 1 / parts }, {
      count: 10_000,
      slack: Math.exp(-32),
    });
    const { theoremParts, corollaryParts, tanhParts } = lifetimeExample();
    return atMost(1, {
      value: epsilon,
      detail:
        `the theorem gives ${short(epsilon)}; it allows 1/${theoremParts.toFixed(1)}, with the ` +
        `sharper drift 1/${tanhParts.toFixed(1)}, its corollary 1/${corollaryParts.toFixed(0)}`,
      witness: `the theorem gives ${epsilon.toFixed(4)} at 1/${parts}`,
    });
  },
  corrected: { name: "ε₀ = 1/813", subject: { parts: 813 } },
  mutants: { "ε₀ = 1/812": { parts: 812 } },
});
