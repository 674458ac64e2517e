import { type Rational, rational } from "../../core/numeric/rational.ts";

/** Rank of a candidate among the rows. */
export interface Rank {
  /** Rows strictly below it. */
  readonly below: number;
  /** Rows below it or equal to it. */
  readonly atMost: number;
}

/**
 * Returns by how many rows a candidate misses being the quantile of a level:
 * max(0, below − level·rows, level·rows − atMost), exactly for the double that the level is. It is 0 for
 * every quantile in the usual sense, and there always is one, however many rows are equal.
 *
 * Replacing a row moves `below` by at most 1 and `atMost` by at most 1, and so the greatest of the three
 * terms by at most 1. Adding one moves `below − level·rows` by −level or 1 − level, and
 * `level·rows − atMost` by level or level − 1: the greatest by at most max(level, 1 − level).
 *
 * @param options the rank, the level in [0, 1] as a fraction, and the number of rows.
 *
 * @example
 * ```ts
 * import { rankDistance } from "./rank_distance.ts";
 * import { rational } from "../../core/numeric/rational.ts";
 * // The candidate 7 among 1, 7, 7 and 7, of which it is the median.
 * rankDistance({ below: 1, atMost: 4 }, { level: rational(1, 2), rows: 4 }); // 0
 * ```
 */
export function rankDistance(
  { below, atMost }: Rank,
  { level: { numerator, denominator }, rows }: {
    readonly level: Rational;
    readonly rows: number;
  },
): Rational {
  const wanted = BigInt(rows) * numerator;
  const tooMany = BigInt(below) * denominator - wanted;
  const tooFew = wanted - BigInt(atMost) * denominator;
  const distance = tooMany > 0n ? tooMany : tooFew > 0n ? tooFew : 0n;
  return rational(distance, denominator);
}
