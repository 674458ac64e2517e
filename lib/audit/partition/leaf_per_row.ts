import { nextDown } from "../../numeric/round_outward.ts";
import type { Encoder } from "../encoding/encoder.ts";
import type { Feature } from "../encoding/features.ts";
import type { LabelledRows } from "../encoding/labelled_rows.ts";
import { MOST_ROWS, RowTable } from "../encoding/row_table.ts";
import { fewValues } from "../encoding/thresholds.ts";
import { type CountedPartition, featureHistogramOf, valuesOf } from "./feature_histogram.ts";

/** The prior probability of a split between two rows: next to each other in the table they need not be alike. */
const TOLD_APART = 1 - 1e-9;

/**
 * Where rows are few different ones, a bin for each, and bins for what may come late; nothing where they are many.
 * Single numbers are their own table, as numbers are found faster than rows: they have a bin each, and
 * so has what lies between two of them.
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
  const values = valuesOf(feature, all);
  const thresholds = isNumber
    ? [...fewValues(values, MOST_ROWS)!].flatMap((value) => [nextDown(value), value])
    : fewValues(values, MOST_ROWS)!;
  const bins = featureHistogramOf(feature, all, values, Float64Array.from(thresholds));
  bins.partition.splitPrior.fill(TOLD_APART);
  return bins;
}
