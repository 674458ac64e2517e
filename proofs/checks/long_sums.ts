import {
  sumRoundingBound,
  type sumWeightedRows,
} from "../../lib/learners/erm/sum_weighted_rows.ts";
import { denseRows } from "../../lib/learners/erm/rows.ts";
import { requireThat } from "../engine/requirement.ts";
import { sparseOf } from "./sparse_of.ts";

/** Rows that are added plainly, and how many times that. */
const BLOCK = 128, BLOCKS = 300;

/**
 * Sums of blocks lose no more than is stated where each addition to a sum of 2⁵³ loses all that is added: one row in each
 * block counts, and is 1.
 */
export function requireLongSums(sum: typeof sumWeightedRows): void {
  for (const large of [2 ** 53, -(2 ** 53)]) {
    for (const place of [0, 127]) {
      const factors = new Float64Array(BLOCK * BLOCKS);
      for (let block = 0; block < BLOCKS; block++) {
        factors[block * BLOCK + place] = Math.sign(large);
      }
      factors[0] = large;
      const exact = BigInt(large) + BigInt((BLOCKS - (place === 0 ? 1 : 0)) * Math.sign(large));
      const table = Array.from(factors, () => [1]);
      for (const rows of [denseRows(table), sparseOf(table)]) {
        const into = new Float64Array(1);
        sum(rows, { factors, into });
        const off = Math.abs(Number(BigInt(into[0]!) - exact));
        requireThat(
          off <= sumRoundingBound(rows) * Number(exact < 0n ? -exact : exact),
          () => `a sum of ${rows.rowCount} rows is off by ${off}`,
        );
      }
    }
  }
}
