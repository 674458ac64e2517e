import type { Distance } from "../recording.ts";

/** Returns the distance of the values of a declared mechanism on two datasets, in the distance that it declares. */
export function distanceOf(
  a: readonly number[],
  b: readonly number[],
  distance: Distance,
): number {
  if (a.length !== b.length) return Infinity;
  // Categories are texts.
  if (distance === "hamming") return a.filter((x, i) => !Object.is(x, b[i])).length;
  const moves = a.map((x, i) => Object.is(x, b[i]) ? 0 : b[i]! - x), changes = moves.map(Math.abs);
  if (changes.some((change) => !Number.isFinite(change))) return Infinity;
  switch (distance) {
    case "l1":
      return changes.reduce((sum, change) => sum + change, 0);
    case "l2":
      return Math.hypot(...changes);
    case "linf":
      return Math.max(0, ...changes);
    case "range":
      return moves.length === 0 ? 0 : Math.max(...moves) - Math.min(...moves);
  }
}
