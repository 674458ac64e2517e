import { requireInteger } from "../../numeric/require.ts";
import { type DenseRows, denseRows, type Rows, sparseRows } from "./rows.ts";

/**
 * The rows as learners may trust them: every field is read once and checked, whoever wrote it. Rows that
 * `denseRows` and `sparseRows` made pass; so does a literal that says what is true of its arrays. A column
 * that occurs twice in a row would pass the norm bound, which clipping reads off the stored values.
 *
 * @throws {RangeError} naming row and column, never showing values.
 */
export function checkedRows<Kind extends Rows>(rows: Kind): Kind;
export function checkedRows(rows: Rows): Rows {
  const { kind, rowCount, columnCount, values } = rows;
  const action = "read rows";
  requireInteger(action, "rowCount", rowCount, { min: 0 });
  requireInteger(action, "columnCount", columnCount, { min: 0 });
  requireArray("values", values, Float64Array);
  if (kind === "dense") {
    requireInteger(action, "number of values", values.length, {
      min: rowCount * columnCount,
      max: rowCount * columnCount,
    });
    if (values.length > 0) return Object.freeze(denseRows(values, { columnCount }));
    const empty: DenseRows = { kind, rowCount, columnCount, values };
    return Object.freeze(empty);
  }
  if (kind !== "sparse") {
    throw new RangeError(
      `Cannot ${action}: kind must be "dense" or "sparse": current value is ${String(kind)}`,
    );
  }
  const { offsets, columns } = rows;
  requireArray("offsets", offsets, Int32Array);
  requireArray("columns", columns, Int32Array);
  requireInteger(action, "number of offsets", offsets.length, {
    min: rowCount + 1,
    max: rowCount + 1,
  });
  return Object.freeze(sparseRows({ columnCount, offsets, columns, values }));
}

/** Indices between whole numbers, or numbers that are texts, are found in other arrays only. */
function requireArray(
  name: string,
  value: unknown,
  type: typeof Float64Array | typeof Int32Array,
): void {
  if (!(value instanceof type)) {
    throw new RangeError(`Cannot read rows: ${name} must be of type ${type.name}: they are not`);
  }
}
