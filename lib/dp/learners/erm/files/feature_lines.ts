import { requireFields, requireKind } from "../../../../core/numeric/require.ts";
import type { FeatureDescription } from "./column_description.ts";
import { type SparseRows, sparseRows } from "../rows/rows.ts";

/** Rows of numbered features, and the label of each. */
export interface LabelledFeatures {
  /** The features. */
  readonly rows: SparseRows;
  /** The labels as they stand in the file; empty where a line has none. */
  readonly labels: readonly string[];
}

/**
 * Reads rows from lines in the format of LIBSVM (Chang, Lin 2011): a label, then `index:value` with indices from 1 upward,
 * and a comment behind `#`. Values are taken as they are: a learner's norm bound holds rows to what it declares.
 *
 * Every line is a row, whatever it holds: an error would tell of it. Entries with an index that does not rise, is above the number of features or is no whole number are
 * left out, and so are values that are no finite numbers.
 *
 * @example
 * ```ts
 * import { readFeatureLines } from "./feature_lines.ts";
 * const { rows, labels } = readFeatureLines(["+1 1:0.5 7:2", "-1"], { features: 10 });
 * [rows.values.length, labels]; // [2, ["+1", "-1"]]
 * ```
 */
export function readFeatureLines(
  lines: readonly string[],
  options: FeatureDescription,
): LabelledFeatures {
  requireKind("readFeatureLines", "lines", lines, "list");
  const { features } = requireFields("readFeatureLines", options, { label: "record?" });
  const offsets = new Int32Array(lines.length + 1), labels: string[] = [];
  const columns: number[] = [], values: number[] = [];
  lines.forEach((line, i) => {
    const [first = "", ...others] = line.replace(/#[^]*/, "").trim().split(/\s+/);
    const isLabel = !first.includes(":");
    labels.push(isLabel ? first : "");
    let last = 0;
    for (const entry of isLabel ? others : [first, ...others]) {
      const colon = entry.indexOf(":");
      const index = numberIn(entry.slice(0, Math.max(0, colon)));
      if (!Number.isInteger(index) || index <= last || index > features) continue;
      last = index;
      const value = numberIn(entry.slice(colon + 1));
      if (value === 0 || !Number.isFinite(value)) continue;
      columns.push(index - 1);
      values.push(value);
    }
    offsets[i + 1] = columns.length;
  });
  const rows = sparseRows({
    columnCount: features,
    offsets,
    columns: Int32Array.from(columns),
    values: Float64Array.from(values),
  });
  return { rows, labels };
}

/** `Number` takes an empty text for 0. */
function numberIn(text: string): number {
  return text === "" ? NaN : Number(text);
}
