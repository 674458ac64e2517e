import { linearFirstStage } from "../../../lib/papers/null_space/linear_first_stage.ts";
import { nullSpaceCleaner } from "../../../lib/papers/null_space/null_space.ts";
import {
  cleaningCases,
  movedOutputs,
  shippedCleaner,
} from "../../papers/predictors/checks/cleaning_cases.ts";
import { short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** e_utility, given ε and Σδ_i over all directions. */
type Stated = (of: { readonly epsilon: number; readonly total: number }) => number;

/** Theorem 1 as printed: for every row. */
export const utilityExactlyEpsilon = falseClaim<Stated>({
  id: "false_claims/utility_exactly_epsilon",
  statement: "Cleaning by Algorithm 1 has e_utility = ε for every feature vector.",
  citation:
    "Xu, Shah, Cao, Maung, Schweitzer 2017, Theorem 1, whose step 5 supposes that there is such a t",
  source:
    "AAAI abstract, Theorem 1: where all directions together cost less than ε, as of a row of zeros, no index t meets step 5",
  remember: () =>
    "A row of zeros cannot be moved at all: its e_utility is 0, whatever ε is asked for.",
  assumptions: ["30 generated pairs of predictors, five rows each, ε = .01, 1 and 100"],
  kind: "sampled",
  subject: ({ epsilon }) => epsilon,
  check: (stated, { seed }) => {
    let worst = 0, witness = "", rows = 0;
    for (const given of cleaningCases(seed, { count: 30 })) {
      const { desired, confidential, features } = given;
      const totals = nullSpaceCleaner(linearFirstStage(desired), {
        confidential: linearFirstStage(confidential),
      }).removable(features);
      for (const epsilon of [0.01, 1, 100]) {
        const cleaned = shippedCleaner(given, { epsilon });
        movedOutputs(desired, { features, cleaned }).forEach((error, i) => {
          rows++;
          const total = totals[i]!, off = Math.abs(error - stated({ epsilon, total })) / epsilon;
          if (off > worst || Number.isNaN(off)) {
            worst = off;
            witness = `ε = ${epsilon}, all directions cost ${short(total)}: e_utility is ${
              short(error)
            }`;
          }
        });
      }
    }
    return {
      holds: worst <= 1e-9,
      margin: worst / 1e-9,
      detail: `${rows} rows and ε; the worst is off by ${short(worst)} of ε`,
      ...(worst <= 1e-9 ? {} : { witness }),
    };
  },
  corrected: {
    name: "min(ε, Σδ_i)",
    subject: ({ epsilon, total }) => Math.min(epsilon, total),
  },
  mutants: { "Σδ_i": ({ total }) => total },
});
