import { requireFields, requireKind } from "../../numeric/require.ts";
import type { PartOptions } from "./column_encoder.ts";
import type { FeatureDescription } from "./column_description.ts";
import { type SparseRows, sparseRows } from "./rows.ts";

/** Rows of numbered features, and the label of each. */
export interface LabelledFeatures {
  /** The features. */
  readonly rows: SparseRows;
  /** The labels as they stand in the file. */
  readonly labels: readonly string[];
}

/**
 * Rows from lines in the format of LIBSVM (Chang, Lin 2011): a label, then `index:value` with indices from 1 upward,
 * and a comment behind `#`. Values are taken as they are: a learner's norm bound holds rows to what it declares.
 *
 * @throws {RangeError} naming the row (the first is 1) where an index is out of order or above the number of
 * features, a value is no finite number, or a label is missing; values are never shown.
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
  given: PartOptions = {},
): LabelledFeatures {
  requireKind("readFeatureLines", "lines", lines, "list");
  const { features } = requireFields("readFeatureLines", options, { label: "record?" });
  const { first = 0 } = requireFields("readFeatureLines", given, {});
  const offsets = new Int32Array(lines.length + 1), labels: string[] = [];
  const columns: number[] = [], values: number[] = [];
  lines.forEach((line, i) => {
    const [label, ...entries] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (label === undefined || label === "" || label.includes(":")) {
      throw refusal(first + i, "must begin with a label");
    }
    labels.push(label);
    let last = 0;
    for (const entry of entries) {
      const colon = entry.indexOf(":");
      const index = numberIn(entry.slice(0, colon)), value = numberIn(entry.slice(colon + 1));
      if (colon < 0 || !Number.isInteger(index) || !Number.isFinite(value)) {
        throw refusal(first + i, "must have a whole index and a finite value in every entry");
      }
      if (index <= last || index > features) {
        throw refusal(first + i, `must have indices that rise from 1 to ${features} at most`);
      }
      last = index;
      if (value === 0) continue;
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

function refusal(row: number, rule: string): RangeError {
  return new RangeError(`Cannot read lines of features: row ${row + 1} ${rule}`);
}
