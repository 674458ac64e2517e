import { featureMatrix, featureRows } from "../../../lib/papers/null_space/feature_matrix.ts";
import { linearFirstStage } from "../../../lib/papers/null_space/linear_first_stage.ts";
import { nullSpaceCleaner } from "../../../lib/papers/null_space/null_space.ts";
import { theorem } from "../../engine/theorem.ts";

/** The paper's table: what is wanted of (x₁, x₂). */
export const toyTable = theorem<{ readonly wanted: readonly number[] }>({
  id: "predictors/toy_table",
  statement:
    "With y_d = x₁ − x₂ and y_c = x₁ + 2x₂, cleaning makes (3,1), (4,2), (5,1) into (1,−1), " +
    "(1,−1), (2,−2): y_d stays, and two values of y_c share one cleaned row.",
  citation: "Xu, Shah, Cao, Maung, Schweitzer 2017, the main idea",
  source: "AAAI abstract, the table",
  remember: () =>
    `(3, 1) and (4, 2) become one row, though their y_c are ${3 + 2 * 1} and ${4 + 2 * 2}.`,
  kind: "exhaustive",
  checked: "three rows, as printed",
  subject: { wanted: [1, -1] },
  check: ({ wanted }) => {
    const features = [[3, 1], [4, 2], [5, 1]];
    const cleaned = featureRows(
      nullSpaceCleaner(linearFirstStage(featureMatrix([[...wanted]])))
        .clean(featureMatrix(features), { epsilon: 0 }),
    );
    const table = [[1, -1], [1, -1], [2, -2]];
    const wrong = table.findIndex((row, i) =>
      row.some((value, j) => Math.abs(value - cleaned[i]![j]!) > 1e-12) ||
      Math.abs(features[i]![0]! - features[i]![1]! - (row[0]! - row[1]!)) > 1e-12
    );
    const hidden = [3 + 2 * 1, 4 + 2 * 2];
    const holds = wrong < 0 && hidden[0] !== hidden[1];
    return {
      holds,
      margin: NaN,
      detail: "three rows",
      ...(holds ? {} : { witness: `row ${wrong + 1} becomes ${cleaned[wrong]}` }),
    };
  },
  mutants: { "y_d = x₁ + x₂": { wanted: [1, 1] } },
});
