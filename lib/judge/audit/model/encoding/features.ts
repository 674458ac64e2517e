import type { AdditiveScore } from "./additive_score.ts";
import type { Column } from "./encoder_data.ts";
import { lowestBitExponent } from "./lowest_bit_exponent.ts";
import {
  fillCountAbove,
  fillCountEqual,
  fillExtreme,
  fillFirstEqual,
  fillParity,
  fillPresent,
  fillRepeats,
  fillSum,
} from "./row_statistics.ts";
import { pooledLevels } from "./pooled_levels.ts";
import { SCORE_NAME } from "./screened_rows.ts";
import type { RowTable } from "./row_table.ts";
import { repeatedValues } from "./repeated_values.ts";
import { ValueCounts } from "./value_counts.ts";

/**
 * A number computed from one encoded output. `index` is its column, `elements` the number of leading columns that it is
 * computed from, `value` the constant that it compares with.
 */
export type Feature =
  | {
    readonly kind: "column";
    readonly index: number;
    readonly name: string;
    /** From how many columns it was chosen by labels; 0 where it was not, and is a score that is cross-fitted. */
    readonly among?: number;
  }
  | { readonly kind: "category"; readonly index: number; readonly name: string }
  | { readonly kind: "difference"; readonly index: number; readonly name: string }
  | {
    readonly kind: "sum" | "minimum" | "maximum" | "argmax" | "argmin" | "present" | "repeats";
    readonly elements: number;
    readonly name: string;
  }
  | {
    readonly kind: "countAbove" | "firstEqual" | "countEqual";
    readonly elements: number;
    readonly value: number;
    readonly name: string;
  }
  | {
    readonly kind: "distance" | "lowestBit" | "roundTrip";
    readonly index: number;
    readonly value: number;
    readonly name: string;
  }
  | {
    readonly kind: "parity";
    readonly conditions: readonly Above[];
    /** From how many sets of conditions it was chosen by labels. */
    readonly among: number;
    readonly name: string;
  }
  | { readonly kind: "score"; readonly score: AdditiveScore; readonly name: string }
  | { readonly kind: "row"; readonly table: RowTable; readonly name: string };

/** The condition that a number of an output lies above a threshold; missing ones do not. */
export interface Above {
  readonly index: number;
  readonly threshold: number;
}

/** Returns true if splits compare the feature by equality with a value, not by order. */
export function isCategorical(feature: Feature): boolean {
  return feature.kind === "category";
}

// Limits: each feature of each column takes a pass over all outputs.

/** The most columns with features of their own; statistics of a row are over all its columns. */
const MAX_OWN_COLUMNS = 64;

/** The most columns with features of their bits, and the most centres that are subtracted. */
const MAX_BIT_COLUMNS = 16, MAX_CENTRES = 4;

/** The most columns that are searched for values that repeat among many different ones. */
const MAX_ATOM_COLUMNS = 4;

/**
 * A column has many different values if it has more than this many, first among its first values (the second number), then
 * among all.
 */
const MANY_VALUES = 96, FIRST_VALUES = 500;

/** The most numbers of an output among which repeats are counted: each is compared with those before it. */
const MAX_COMPARED = 64;

/** Outputs, spread over all, in which a difference in repeats is looked for. */
const OUTPUTS_COMPARED = 1024;

/**
 * Returns the features of outputs with these columns, given some encoded `rows` to find which values repeat. With `centres`
 * (numbers that occur in the two datasets) there are features of the bits of doubles: their granularity, their
 * granularity after a centre is subtracted, and whether adding it again restores the number.
 */
export function featuresOf(
  { columns, elements, screenedFrom }: {
    columns: readonly Column[];
    elements: number;
    /** Number of columns that these were chosen from. */
    screenedFrom?: number | undefined;
  },
  { rows, centres }: { rows: Float64Array; centres?: readonly number[] | undefined },
): Feature[] {
  const features: Feature[] = [];
  columns.slice(0, MAX_OWN_COLUMNS).forEach(({ name, categorical }, index) => {
    if (categorical) features.push({ kind: "category", index, name });
    else if (screenedFrom === undefined) features.push({ kind: "column", index, name });
    else {
      const among = name === SCORE_NAME ? 0 : screenedFrom;
      features.push({ kind: "column", index, name, among });
    }
  });
  for (let index = 0; index < Math.min(elements, MAX_ATOM_COLUMNS); index++) {
    if (hasAtoms(rows, { width: columns.length, index })) {
      features.push({ kind: "category", index, name: columns[index]!.name });
    }
  }
  if (elements > 1) {
    const { levels, frequent } = pooledLevels(rows, { width: columns.length, elements });
    // Differences of a few repeated values have little information that the values have not.
    for (
      let index = 1;
      index < (levels.length === 0 ? 0 : Math.min(elements, MAX_OWN_COLUMNS));
      index++
    ) {
      const name = `${columns[index]!.name} - ${columns[index - 1]!.name}`;
      features.push({ kind: "difference", index, name });
    }
    // What is computed from all numbers of a screened output is among its columns.
    if (screenedFrom !== undefined) return features;
    for (const [kind, name] of STATISTICS) features.push({ kind, elements, name });
    if (levels.length > 0 && repeatsVary(rows, { width: columns.length, elements })) {
      features.push({ kind: "repeats", elements, name: "repeats(output)" });
    }
    for (const value of frequent) {
      features.push({ kind: "firstEqual", elements, value, name: `first(output = ${value})` });
      features.push({ kind: "countEqual", elements, value, name: `count(output = ${value})` });
    }
    for (const value of levels) {
      const name = `count(output > ${Number(value.toPrecision(4))})`;
      features.push({ kind: "countAbove", elements, value, name });
    }
  }
  if (centres !== undefined) {
    for (let index = 0; index < Math.min(elements, MAX_BIT_COLUMNS); index++) {
      const { name } = columns[index]!;
      for (const value of [0, ...centres.filter((centre) => centre !== 0).slice(0, MAX_CENTRES)]) {
        const shifted = value === 0 ? name : `${name} - ${value}`;
        features.push({ kind: "lowestBit", index, value, name: `lowestBit(${shifted})` });
        if (value !== 0) {
          features.push({ kind: "roundTrip", index, value, name: `undoes(${shifted})` });
        }
      }
    }
  }
  return features;
}

/** Returns true if a column of many different values has some that repeat: each of them may separate the sides. */
function hasAtoms(
  rows: Float64Array,
  { width, index }: { width: number; index: number },
): boolean {
  const outputs = Math.floor(rows.length / width);
  // A column of few values has a threshold at each of them anyway.
  const first = new Set<number>();
  for (let i = 0; i < Math.min(outputs, FIRST_VALUES); i++) first.add(rows[i * width + index]!);
  if (first.size <= MANY_VALUES) return false;
  const column = new Float64Array(outputs);
  for (let i = 0; i < outputs; i++) column[i] = rows[i * width + index]!;
  return hasMany(column) && repeatedValues(column, 3).counts.some((count) => count > 2);
}

/** Returns true if there are more different numbers than have thresholds. Each number that is missing counts as one of its own. */
function hasMany(column: Float64Array): boolean {
  const found = new ValueCounts(MANY_VALUES + 2);
  let missing = 0;
  for (const value of column) {
    if (value !== value) missing++;
    else found.add(value);
    if (found.size + missing > MANY_VALUES + 1) return true;
  }
  return false;
}

/** Returns true if outputs differ in how many of their numbers repeat an earlier one. Of two numbers the difference tells. */
function repeatsVary(
  rows: Float64Array,
  { width, elements }: { width: number; elements: number },
): boolean {
  if (elements < 3 || elements > MAX_COMPARED) return false;
  const outputs = rows.length / width, step = Math.ceil(outputs / OUTPUTS_COMPARED);
  const [first, other] = [new Float64Array(1), new Float64Array(1)];
  fillRepeats(rows, width, elements, 0, 1, first);
  for (let at = step; at < outputs; at += step) {
    fillRepeats(rows, width, elements, at, 1, other);
    if (other[0] !== first[0]) return true;
  }
  return false;
}

/** Statistics of a row, with their names in reports. */
const STATISTICS = [
  ["sum", "sum(output)"],
  ["minimum", "min(output)"],
  ["maximum", "max(output)"],
  ["argmax", "argmax(output)"],
  ["argmin", "argmin(output)"],
  ["present", "count(output)"],
] as const;

/** Writes the feature of rows `from` to `to` into `out` from place 0 on: the hot loops. */
export function fillFeature(
  feature: Feature,
  { rows, width, from, to, out }: {
    rows: Float64Array;
    width: number;
    from: number;
    to: number;
    out: Float64Array;
  },
): void {
  const n = to - from;
  switch (feature.kind) {
    case "column":
    case "category": {
      let at = from * width + feature.index;
      for (let i = 0; i < n; i++, at += width) out[i] = rows[at]!;
      return;
    }
    case "difference": {
      let at = from * width + feature.index;
      for (let i = 0; i < n; i++, at += width) out[i] = rows[at]! - rows[at - 1]!;
      return;
    }
    case "sum":
      return fillSum(rows, width, feature.elements, from, n, out);
    case "minimum":
      return fillExtreme(rows, width, feature.elements, from, n, out, -1, false);
    case "maximum":
      return fillExtreme(rows, width, feature.elements, from, n, out, 1, false);
    case "argmin":
      return fillExtreme(rows, width, feature.elements, from, n, out, -1, true);
    case "argmax":
      return fillExtreme(rows, width, feature.elements, from, n, out, 1, true);
    case "present":
      return fillPresent(rows, width, feature.elements, from, n, out);
    case "repeats":
      return fillRepeats(rows, width, feature.elements, from, n, out);
    case "countAbove":
      return fillCountAbove(rows, width, feature.elements, from, n, out, feature.value);
    case "countEqual":
      return fillCountEqual(rows, width, feature.elements, from, n, out, feature.value);
    case "firstEqual":
      return fillFirstEqual(rows, width, feature.elements, from, n, out, feature.value);
    case "distance": {
      const { index, value } = feature;
      for (let i = 0; i < n; i++) out[i] = Math.abs(rows[(from + i) * width + index]! - value);
      return;
    }
    case "lowestBit": {
      const { index, value } = feature;
      for (let i = 0; i < n; i++) {
        out[i] = lowestBitExponent(rows[(from + i) * width + index]! - value);
      }
      return;
    }
    case "roundTrip": {
      const { index, value } = feature;
      for (let i = 0; i < n; i++) {
        const x = rows[(from + i) * width + index]!;
        out[i] = x - value + value === x ? 1 : 0;
      }
      return;
    }
    case "parity":
      return fillParity(rows, width, feature.conditions, from, n, out);
    case "score":
      return feature.score.fill(rows, width, from, n, out);
    case "row":
      return feature.table.fill(rows, from, n, out);
  }
}
