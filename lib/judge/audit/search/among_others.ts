import type { Dataset } from "../../../core/relations/dataset.ts";
import type { RowMove } from "./row_moves.ts";

/** The rows that others than the replaced one have. */
interface Levels {
  readonly low: unknown;
  readonly high: unknown;
  /** Between the two. */
  readonly centre: unknown;
}

/** Returns the middle one of `n` rows replaced: the others half low and half high, where a median jumps, or all low. */
export function inTheMiddle(
  { from, to }: RowMove,
  { low, high }: Omit<Levels, "centre">,
  n: number,
): [Dataset, Dataset][] {
  const before = repeated(low, n >> 1);
  return [high, low].map((row) => {
    const after = repeated(row, n - 1 - (n >> 1));
    return [[...before, from, ...after], [...before, to, ...after]];
  });
}

/**
 * Returns one of `n` rows replaced between low and high ones, where other quantiles jump: beside a row at the centre, a quarter from
 * either end, and next to it.
 */
export function atQuantiles(
  { from, to }: RowMove,
  { low, high, centre }: Levels,
  n: number,
): [Dataset, Dataset][] {
  const half = n >> 1;
  const among = (before: number, after: readonly unknown[]): [Dataset, Dataset] => [
    [...repeated(low, before), from, ...after],
    [...repeated(low, before), to, ...after],
  ];
  const places = [...new Set([n >> 2, n - 1 - (n >> 2), 1, n - 2])].filter((at) => at !== half);
  return [
    among(half - 1, [centre, ...repeated(high, n - 1 - half)]),
    ...places.map((place) => among(place, repeated(high, n - 1 - place))),
  ];
}

/** Returns a dataset of `n` equal rows; of none if `n` is negative. */
export function repeated(row: unknown, n: number): unknown[] {
  return Array.from({ length: n }, () => row);
}
