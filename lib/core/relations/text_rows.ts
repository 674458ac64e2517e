import type { RowSpec } from "./dataset.ts";

/** Texts as rows. */
export type TextRows = Extract<RowSpec, { type: "text" }>;

/** The most characters of a text. */
const LONGEST = 1_000_000;

/** The fewest and the most characters of a text; `undefined` when `length` is not A..B or A with 0 ≤ A ≤ B ≤ 1,000,000. */
export function textLengths(length: unknown): { min: number; max: number } | undefined {
  const match = typeof length === "string" ? /^(\d+)(?:\.\.(\d+))?$/.exec(length) : null;
  if (match === null) return undefined;
  const min = Number(match[1]), max = Number(match[2] ?? match[1]);
  return min <= max && max <= LONGEST ? { min, max } : undefined;
}

/** The rule of {@linkcode textLengths} for messages. */
export const TEXT_LENGTH_RULE = 'be "A..B" or "A" with 0 ≤ A ≤ B ≤ 1000000 characters';

/** The rule for the usual texts. */
export const TEXT_VALUES_RULE = "be a list of texts of that length";

/** The rule for the norm of vectors. */
export const NORM_RULE = "be left out where items may be NaN, infinite or missing";

/** Returns true if a value is a string of the given length, in code points. */
export function isTextOf(length: string, value: unknown): value is string {
  const { min, max } = textLengths(length)!;
  if (typeof value !== "string") return false;
  // Most texts are far from both ends, so that they need not be taken apart.
  if (value.length < min || value.length > 2 * max) return false;
  const count = [...value].length;
  return count >= min && count <= max;
}

/** Returns true if vectors of such items always have a norm: no item may be NaN, infinite or missing. */
export function mayHaveNorm(of: RowSpec): boolean {
  return of.missing !== true &&
    !(of.type === "number" && (of.nan === true || of.infinite === true));
}
