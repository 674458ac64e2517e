import type { ColumnDescription, NumberColumn } from "../erm/files/column_description.ts";
import { numberAtShare, shareOfColumn } from "../erm/files/column_encoder.ts";
import { type RowBlocks, visitBlocks } from "../erm/files/row_blocks.ts";
import type { Rows } from "../erm/rows/rows.ts";

/** The columns of a table. */
export type Columns = ColumnDescription["columns"];

/** The places of rows in one column: a byte each where there are at most 256. */
export type Places = Uint8Array | Int32Array;

/** Bins of a column: the edges between those of a number, or the number of categories. */
export type Bins = { readonly edges: readonly number[] } | { readonly categories: number };

/** Returns the number of bins. */
export function binCount(bins: Bins): number {
  return "edges" in bins ? bins.edges.length + 1 : bins.categories;
}

/** The finest bins: so many of equal width for a number, one a category. */
export function finestBins(columns: Columns, cells: number): Bins[] {
  return columns.map((column) =>
    column.type === "number"
      ? {
        edges: Array.from(
          { length: cells - 1 },
          (_, i) => numberAtShare((i + 1) / cells, column),
        ),
      }
      : { categories: column.values.length }
  );
}

/**
 * The place of every row in each column, read from features as `encodeTable` makes them: for a number the bin of its share, for a category the
 * first of its features that is largest. So every row is in one bin of each column, whatever it holds.
 */
export function placesOf(
  rows: Rows | RowBlocks,
  { columns, bins }: { readonly columns: Columns; readonly bins: readonly Bins[] },
): Places[] {
  const places = bins.map((each) =>
    binCount(each) <= 256 ? new Uint8Array(rows.rowCount) : new Int32Array(rows.rowCount)
  );
  const readers = columns.map((column, j) => {
    const each = bins[j]!;
    return column.type === "number" && "edges" in each ? binOf(column, each.edges) : undefined;
  });
  const firstFeature: number[] = [];
  let width = 0;
  for (const column of columns) {
    firstFeature.push(width);
    width += column.type === "number" ? 1 : column.values.length;
  }
  const features = new Float64Array(width);
  visitBlocks(rows, (block, first) => {
    for (let i = 0; i < block.rowCount; i++) {
      readRow(block, i, features);
      for (let j = 0; j < columns.length; j++) {
        const from = firstFeature[j]!, reader = readers[j];
        places[j]![first + i] = reader === undefined
          ? largest(features, { from, to: firstFeature[j + 1] ?? width })
          : reader(features[from]!);
      }
    }
  });
  return places;
}

function readRow(rows: Rows, row: number, features: Float64Array): void {
  if (rows.kind === "dense") {
    features.set(rows.values.subarray(row * rows.columnCount, (row + 1) * rows.columnCount));
    return;
  }
  features.fill(0);
  for (let k = rows.offsets[row]!; k < rows.offsets[row + 1]!; k++) {
    features[rows.columns[k]!] = rows.values[k]!;
  }
}

function largest(
  features: Float64Array,
  { from, to }: { readonly from: number; readonly to: number },
): number {
  let at = from;
  for (let k = from + 1; k < to; k++) if (features[k]! > features[at]!) at = k;
  return at - from;
}

/** From a share of the column to how many edges are at most that far. */
function binOf(column: NumberColumn, edges: readonly number[]): (share: number) => number {
  const shares = Float64Array.from(edges, (edge) => shareOfColumn(edge, column));
  return (share) => {
    let from = 0, to = shares.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (shares[middle]! <= share) from = middle + 1;
      else to = middle;
    }
    return from;
  };
}

/**
 * Joins bins of a number, in their order, until each holds at least `least` rows by the noisy counts; what is left joins the last.
 *
 * @returns the edges that stay, and for each of the bins that were given, the one that it is in now.
 */
export function joinBins(
  { edges, counts, least }: {
    readonly edges: readonly number[];
    readonly counts: ArrayLike<number>;
    readonly least: number;
  },
): { readonly edges: number[]; readonly joined: Uint8Array | Int32Array } {
  const ends: number[] = [];
  let sum = 0;
  for (let b = 0; b < counts.length; b++) {
    sum += counts[b]!;
    if (sum < least) continue;
    ends.push(b);
    sum = 0;
  }
  // The last bin ends where the column does.
  ends.pop();
  const joined = new Int32Array(counts.length);
  for (let b = 0, at = 0; b < counts.length; b++) {
    joined[b] = at;
    if (b === ends[at]) at++;
  }
  return { edges: ends.map((end) => edges[end]!), joined };
}
