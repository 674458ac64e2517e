import { denseRows } from "../../lib/learners/erm/rows.ts";
import { sumRoundingBound, WeightedRowSum } from "../../lib/learners/erm/sum_weighted_rows.ts";
import { requireThat } from "../engine/requirement.ts";
import { sparseOf } from "./sparse_of.ts";

/** Rows that are added plainly. */
const BLOCK = 128;

/**
 * Sums of blocks lose no more than is stated where each addition to a sum of 2⁵³ loses all that is added, or half a unit of it:
 * one row in each block counts.
 */
export function requireLongSums(): void {
  const table = Array.from({ length: BLOCK }, () => [1]);
  for (const [each, blocks] of [[1, 300], [1.5, 700]] as const) {
    const rowCount = BLOCK * blocks;
    // Twice the sum is whole.
    const twice = 2n ** 54n + BigInt(2 * each * (blocks - 1));
    const most = sumRoundingBound({ rowCount }) * Number(twice) / 2;
    for (const rows of [denseRows(table), sparseOf(table)]) {
      for (const sign of [1, -1]) {
        for (const place of [0, 127]) {
          const into = new Float64Array(1), factors = new Float64Array(BLOCK);
          const sum = new WeightedRowSum({ ...rows, rowCount }, { into });
          for (let block = 0; block < blocks; block++) {
            factors[place] = sign * (block === 0 ? 2 ** 53 : each);
            sum.add(rows, factors);
          }
          sum.end();
          const off = Math.abs(Number(BigInt(2 * sign * into[0]!) - twice)) / 2;
          requireThat(off <= most, () => `a sum of ${rowCount} rows is off by ${off}, not ${most}`);
        }
      }
    }
  }
}
