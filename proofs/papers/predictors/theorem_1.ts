import { featureMatrix, featureRows } from "../../../lib/papers/null_space/feature_matrix.ts";
import { linearFirstStage } from "../../../lib/papers/null_space/linear_first_stage.ts";
import { nullSpaceCleaner } from "../../../lib/papers/null_space/null_space.ts";
import { theorem } from "../../engine/theorem.ts";
import {
  type Clean,
  cleaningCases,
  movedOutputs,
  shippedCleaner,
} from "./checks/cleaning_cases.ts";

/** The cleaner, then half of the way back. */
function halfWay(clean: Clean): Clean {
  return (given, options) => {
    const cleaned = featureRows(clean(given, options));
    return featureMatrix(
      featureRows(given.features).map((row, i) =>
        row.map((value, j) => (value + cleaned[i]![j]!) / 2)
      ),
    );
  };
}

/** The utility error of cleaning is what was asked for. */
export const theorem1 = theorem<Clean>({
  id: "predictors/theorem_1",
  statement:
    "Algorithm 1 moves the desired outputs of every row by a squared error of exactly ε (or of " +
    "all there is, if that is less).",
  citation: "Xu, Shah, Cao, Maung, Schweitzer 2017, Theorem 1",
  source: "AAAI abstract, Theorem 1",
  remember: () => `ε = .01 lets each desired output move by ${Math.sqrt(0.01)} in all.`,
  assumptions: [
    "the paper says exactly ε of every row: a row that cannot move the outputs that far is an exception, which is added here",
  ],
  kind: "sampled",
  checked:
    "200 pairs of generated predictors of 1 to 3 outputs on 2 to 6 features, five rows each, ε = 0, .01, 1 and 10⁶",
  subject: shippedCleaner,
  check: (clean, { seed }) => {
    let worst = 0, rows = 0;
    for (const given of cleaningCases(seed, { count: 200 })) {
      const { desired, confidential, features } = given;
      const most = nullSpaceCleaner(linearFirstStage(desired), {
        confidential: linearFirstStage(confidential),
      }).removable(features);
      for (const epsilon of [0, 0.01, 1, 1e6]) {
        const cleaned = clean(given, { epsilon });
        movedOutputs(desired, { features, cleaned }).forEach((error, i) => {
          const expected = Math.min(epsilon, most[i]!);
          worst = Math.max(worst, Math.abs(error - expected) / Math.max(1, expected));
          rows++;
        });
      }
    }
    return {
      holds: worst < 1e-9,
      margin: worst / 1e-9,
      detail: `${rows} rows, four ε`,
      ...(worst < 1e-9 ? {} : { witness: `e_utility is off by ${worst}` }),
    };
  },
  mutants: {
    "half of the way": halfWay(shippedCleaner),
    "ε for √ε in the partial step": (given, { epsilon }) =>
      shippedCleaner(given, { epsilon: epsilon * epsilon }),
  },
});
