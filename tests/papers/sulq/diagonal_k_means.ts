import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { type Pair, pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import { kMeansMechanism } from "./k_means_mechanism.ts";

/**
 * k-means in 20 columns, and a row of ones against one of zeros beside 59 rows of halves: the row crosses the
 * box and stays with its centre. `weak` has the noise for 2 + d/2 in place of d.
 */
export function diagonalKMeans(): {
  readonly mechanism: Mechanism<readonly number[], number[]>;
  readonly weak: Mechanism<readonly number[], number[]>;
  readonly pair: Pair<readonly number[]>;
} {
  const columns = 20, row = (value: number): number[] => new Array<number>(columns).fill(value);
  const of = (rho: number): Mechanism<readonly number[], number[]> =>
    kMeansMechanism({
      clusters: 1,
      rounds: 1,
      rho,
      bounds: { lower: row(0), upper: row(1) },
      relation: replaceOne,
      start: [row(0.5)],
    });
  const mechanism = of(0.5), halves = Array.from({ length: 59 }, () => row(0.5));
  return {
    mechanism,
    weak: { ...of(0.5 * columns / (2 + columns / 2)), claim: mechanism.claim },
    pair: pairOf(replaceOne, { left: [row(1), ...halves], right: [row(0), ...halves] }),
  };
}
