import { featureMatrix, featureRows } from "../../../lib/papers/null_space/feature_matrix.ts";
import { linearFirstStage } from "../../../lib/papers/null_space/linear_first_stage.ts";
import { nullSpaceCleaner } from "../../../lib/papers/null_space/null_space.ts";
import { short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** What may be released: its loss between two rows, of which the first output is 3 apart. */
type Release = (left: readonly number[], right: readonly number[]) => number;

const cleaned: Release = (left, right) => {
  const cleaner = nullSpaceCleaner(linearFirstStage(featureMatrix([[1, -1]])));
  const [a, b] = featureRows(
    cleaner.clean(featureMatrix([[...left], [...right]]), { epsilon: 0.01 }),
  );
  return a!.every((value, j) => value === b![j]) ? 0 : Infinity;
};

/** Laplace noise on each feature, for rows at most `range` apart in L1, at ε = 1. */
function laplaceFor(range: number): Release {
  return (left, right) =>
    left.reduce((sum, value, j) => sum + Math.abs(value - right[j]!), 0) / range;
}

/** Cleaning protects against a predictor, not against knowledge of the rows. */
export const cleaningIsPrivate = falseClaim<Release>({
  id: "common_mistakes/cleaning_is_private",
  statement: "Cleaned features are released with differential privacy for some finite ε.",
  citation:
    "Xu, Shah, Cao, Maung, Schweitzer 2017 compare Algorithm 1 with the Laplace mechanism; they " +
    "do not claim this, readers may",
  source: "AAAI abstract, comparison with a differential privacy mechanism",
  remember: () => "(3, 1) and (0, 1) are told apart with certainty: ε is ∞.",
  assumptions: ["features in [0, 5]², one row replaced"],
  kind: "sampled",
  subject: cleaned,
  check: (release) => {
    const loss = Math.max(
      release([3, 1], [0, 1]),
      release([0, 0], [5, 5]),
      release([5, 0], [0, 5]),
    );
    return {
      holds: loss <= 1 + 1e-9,
      margin: loss,
      detail: `largest loss ${short(loss)}`,
      ...(loss <= 1 + 1e-9 ? {} : { witness: "(3, 1) and (0, 1) are told apart with certainty" }),
    };
  },
  corrected: { name: "Laplace noise of scale 10 on both", subject: laplaceFor(10) },
  mutants: { "Laplace noise of scale 5, one feature's range": laplaceFor(5) },
});
