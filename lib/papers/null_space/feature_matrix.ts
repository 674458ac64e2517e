import { requireFields, requireInteger, requireKind } from "../../core/numeric/require.ts";

/** Numbers in rows, row after row: `values[row * columns + column]`. A row is one feature vector. */
export interface FeatureMatrix {
  /** Number of rows. */
  readonly rows: number;
  /** Numbers in a row. */
  readonly columns: number;
  /** `rows * columns` doubles. */
  readonly values: Float64Array;
}

/**
 * Packs rows of equal length into one block.
 *
 * @param rows Finite numbers, each row of the same length.
 * @param options `columns`: the length of a row; needed where there may be no rows.
 * @throws {RangeError} when a row has another length or a value is not finite. The value is not printed.
 *
 * @example
 * ```ts
 * import { featureMatrix } from "./feature_matrix.ts";
 * featureMatrix([[3, 1], [4, 2]]).values; // Float64Array [3, 1, 4, 2]
 * ```
 */
export function featureMatrix(
  rows: readonly ArrayLike<number>[],
  options: { readonly columns?: number } = {},
): FeatureMatrix {
  requireKind("featureMatrix", "rows", rows, "list");
  const { columns = rows[0]?.length ?? 0 } = requireFields("featureMatrix", options, {});
  requireInteger("pack features", "columns", columns, { min: 1 });
  const values = new Float64Array(rows.length * columns);
  rows.forEach((row, index) => {
    if (row.length !== columns) {
      throw new RangeError(
        `Cannot pack features: row ${index + 1} must have ${columns} values: ` +
          `current value is ${row.length}`,
      );
    }
    for (let column = 0; column < columns; column++) {
      const value = row[column]!;
      if (!Number.isFinite(value)) {
        throw new RangeError(
          `Cannot pack features: value ${column + 1} of row ${index + 1} must be a finite number`,
        );
      }
      values[index * columns + column] = value;
    }
  });
  return { rows: rows.length, columns, values };
}

/** The rows of a block as arrays of their own. */
export function featureRows(options: FeatureMatrix): number[][] {
  const { rows, columns, values } = requireFields("featureRows", options, {});
  return Array.from(
    { length: rows },
    (_, row) => Array.from(values.subarray(row * columns, (row + 1) * columns)),
  );
}

/** The mean of every column, with NaN where there are no rows. */
export function columnMeans({ rows, columns, values }: FeatureMatrix): Float64Array {
  const means = new Float64Array(columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      means[column]! += values[row * columns + column]!;
    }
  }
  return means.map((sum) => sum / rows);
}
