import { nextDown } from "../../../../core/numeric/round_outward.ts";
import type { Encoder } from "../encoding/encoder_data.ts";
import type { Feature } from "../encoding/features.ts";
import { fewValues } from "../encoding/feature_values.ts";
import { KnownValues } from "../encoding/known_values.ts";
import type { LabelledRows } from "../encoding/labelled_rows.ts";
import { MOST_ROWS, RowTable } from "../encoding/row_table.ts";
import { type CountedPartition, featureHistogramOf } from "./feature_histogram.ts";

/** The prior probability of a split between two rows: neighbours in the table have nothing in common. */
const ROW_SPLIT_PRIOR = 1 - 1e-9;

/**
 * Returns a leaf for each distinct row, and one for rows not seen so far; `undefined` where distinct rows are many. Single
 * numbers are searched as numbers, which is faster: each has a leaf, and so has each interval between two of them.
 */
export function leafPerRow(
  all: LabelledRows,
  { columns: [first], elements }: Encoder,
): CountedPartition | undefined {
  const table = RowTable.of(all);
  if (table === undefined) return undefined;
  const isNumber = all.width === 1 && elements === 1;
  const feature: Feature = isNumber
    ? { kind: "column", index: 0, name: first!.name }
    : { kind: "row", name: "row", table };
  const known = new KnownValues(all).of(feature), { values } = known;
  const thresholds = isNumber
    ? [...fewValues(values, MOST_ROWS)!].flatMap((value) => [nextDown(value), value])
    : fewValues(values, MOST_ROWS)!;
  const histogram = featureHistogramOf(feature, all, known, Float64Array.from(thresholds));
  histogram.partition.splitPrior.fill(ROW_SPLIT_PRIOR);
  return histogram;
}
