import { seenKey } from "../../exact/enumeration/output_key.ts";

/** The chance that a comparison of laws that are equal finds a difference. */
export const FALSE_ALARM = 1e-6;

/**
 * Returns true if draws that are said to have these chances may have them: the largest difference of the two cumulative sums, in
 * the order of the cells, is within the bound of Dvoretzky, Kiefer and Wolfowitz with Massart's constant (1990), which
 * holds at every number of draws. Draws outside of all cells, and the chance that is left, make one more cell.
 */
export function mayHaveChances(
  draws: readonly string[],
  chances: ReadonlyMap<string, number>,
): boolean {
  const counts = countsOf(draws);
  let difference = 0, most = 0;
  for (const [key, chance] of chances) {
    const count = counts.get(key) ?? 0;
    if (count > 0 && !(chance > 0)) return false;
    difference += count / draws.length - chance;
    most = Math.max(most, Math.abs(difference));
  }
  return most <= Math.sqrt(Math.log(2 / FALSE_ALARM) / (2 * draws.length));
}

/**
 * Returns true if two samples of equal size may have one law: the largest difference of their cumulative shares is within the bound
 * 2·exp(−n·d²), which holds for samples of at least 458 (Wei, Dudley 2012) and, with e in place of 2, of any size.
 */
export function mayHaveOneLaw(left: readonly unknown[], right: readonly unknown[]): boolean {
  const samples = [countsOf(left.map(placeOf)), countsOf(right.map(placeOf))] as const;
  const places = [...new Set([...samples[0].keys(), ...samples[1].keys()])].sort(inOrder);
  let difference = 0, most = 0;
  for (const place of places) {
    difference += (samples[0].get(place) ?? 0) / left.length -
      (samples[1].get(place) ?? 0) / right.length;
    most = Math.max(most, Math.abs(difference));
  }
  return most <= Math.sqrt(Math.log(Math.E / FALSE_ALARM) / Math.min(left.length, right.length));
}

/** Numbers as they are, all other outputs as texts, and −0. */
function placeOf(output: unknown): number | string {
  return typeof output === "number" && !Object.is(output, -0) ? output : seenKey(output);
}

/** Numbers by their values, before texts. */
function inOrder(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number") {
    return Number.isNaN(a) || Number.isNaN(b)
      ? Number(Number.isNaN(a)) - Number(Number.isNaN(b))
      : a - b;
  }
  return typeof a === typeof b ? (a < b ? -1 : 1) : typeof a === "number" ? -1 : 1;
}

function countsOf<Key>(keys: readonly Key[]): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
