import type { Dataset } from "./dataset.ts";
import { sameRow } from "./relation.ts";

/** The longer and the shorter of two datasets. */
export function byLength(left: Dataset, right: Dataset): [long: Dataset, short: Dataset] {
  return left.length >= right.length ? [left, right] : [right, left];
}

/** The first row of the longer dataset that the shorter one does not have at that place. */
export function firstMissing(long: Dataset, short: Dataset): unknown {
  return long.find((row, i) => i >= short.length || !sameRow(row, short[i]));
}

/** Returns true if two datasets have the same rows, in order. */
export function inOrder(left: Dataset, right: Dataset): boolean {
  return left.length === right.length && left.every((row, i) => sameRow(row, right[i]));
}

/** The rows that one dataset has more. */
export function lengthsApart(left: Dataset, right: Dataset): number {
  return Math.abs(left.length - right.length);
}
