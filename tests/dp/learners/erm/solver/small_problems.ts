import { logisticLoss } from "../../../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import type { Loss } from "../../../../../lib/dp/learners/erm/losses/loss.ts";
import { squaredNorm } from "../../../../../lib/dp/learners/erm/losses/regulariser.ts";
import { denseRows, type Rows, sparseRows } from "../../../../../lib/dp/learners/erm/rows/rows.ts";
import type { MemoryProblem } from "../exact_gradient.ts";

/** Half the distance from 1 to the next double: one rounding. */
export const ROUNDING = 2 ** -53;

/** A loss with this slope. */
const lossOf = (slope: (margin: number) => number, curvatureBound: number): Loss => ({
  ...logisticLoss,
  slope,
  curvatureBound,
});
/** A loss whose slope is the margin. */
export const straight = lossOf((margin) => margin, 1);
/** A loss whose slope is −1. */
const flat = lossOf(() => -1, 0);

/** Two rows of norms 5 and 13 in four columns, dense and sparse. */
export const LAYOUTS: readonly Rows[] = [
  denseRows([[3, 0, 4, 0], [0, 5, 0, -12]]),
  sparseRows({
    columnCount: 4,
    offsets: Int32Array.of(0, 2, 4),
    columns: Int32Array.of(0, 2, 1, 3),
    values: Float64Array.of(3, 4, 5, -12),
  }),
];

/** A problem with nothing in it but what is given. */
export function problemOf(parts: Partial<MemoryProblem>): MemoryProblem {
  const rows = parts.rows ?? denseRows([[0, 0, 0, 0]]);
  return {
    rows,
    signs: new Float64Array(rows.rowCount).fill(1),
    loss: flat,
    regulariser: squaredNorm,
    lambda: 1e-300,
    quadratic: 0,
    ...parts,
  };
}
