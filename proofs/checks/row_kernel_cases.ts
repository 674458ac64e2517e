import {
  addWeightedOuterProducts,
  addWeightedRows,
  computeMargins,
} from "../../lib/learners/erm/row_kernels.ts";
import { denseRows } from "../../lib/learners/erm/rows.ts";
import { requireEqual } from "../engine/requirement.ts";
import { sparseOf } from "./sparse_of.ts";

/** Outer products, sums and margins of 1 to 9 rows of which each has a factor of its own, or none. */
export function requireRowKernels(): void {
  for (let n = 1; n <= 9; n++) {
    for (let d = 1; d <= 5; d++) {
      // Powers of two that tell rows, columns and factors apart.
      const table = Array.from(
        { length: n },
        (_, i) => Array.from({ length: d }, (_, j) => 1 + ((i * d + j) * 7) % 11),
      );
      for (let pattern = 0; pattern < Math.min(2 ** n, 24); pattern++) {
        // Factors of their own, or 1.
        const own = (i: number): number => (pattern & (pattern - 1)) === 0 ? 1 : i + 1;
        const factors = Float64Array.from({ length: n }, (_, i) => pattern >> i & 1 ? own(i) : 0);
        for (const rows of [denseRows(table), sparseOf(table)]) {
          const matrix = new Float64Array(d * d).fill(3), sums = new Float64Array(d).fill(2);
          addWeightedOuterProducts(rows, { factors, into: matrix });
          addWeightedRows(rows, { factors, into: sums });
          const over = (of: (row: readonly number[]) => number): number =>
            table.reduce((sum, row, i) => sum + factors[i]! * of(row), 0);
          for (let j = 0; j < d; j++) {
            requireEqual(sums[j], 2 + over((row) => row[j]!), "a sum");
            for (let k = 0; k < d; k++) {
              requireEqual(
                matrix[j * d + k],
                k > j ? 3 : 3 + over((row) => row[j]! * row[k]!),
                `an outer product of ${n} rows, ${pattern}`,
              );
            }
          }
        }
      }
      const weights = Float64Array.from({ length: d }, (_, j) => 2 ** j),
        signs = Float64Array.from({ length: n }, (_, i) => i % 2 === 0 ? 1 : -1);
      for (const rows of [denseRows(table), sparseOf(table)]) {
        const margins = new Float64Array(n);
        computeMargins(rows, { weights, signs, into: margins });
        requireEqual(
          [...margins],
          table.map((row, i) => signs[i]! * row.reduce((sum, x, j) => sum + x * weights[j]!, 0)),
        );
      }
    }
  }
}
