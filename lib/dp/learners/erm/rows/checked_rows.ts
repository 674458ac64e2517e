import { requireInteger } from "../../../../core/numeric/require.ts";
import { mapBlocks, type RowBlocks } from "../files/row_blocks.ts";
import { type DenseRows, denseRows, type Rows, sparseRows } from "./rows.ts";

/**
 * The rows as learners may trust them: every field is read once and checked, whoever wrote it. Rows that
 * `denseRows` and `sparseRows` made pass; so does a literal that says what is true of its arrays. A column
 * that occurs twice in a row would pass the norm bound, which clipping reads off the stored values. Blocks are
 * checked at every visit, for what they hold may change between two.
 *
 * @throws {RangeError} naming row and column, never showing values.
 */
export function checkedRows<Kind extends Rows | RowBlocks>(rows: Kind): Kind;
export function checkedRows(rows: Rows | RowBlocks): Rows | RowBlocks {
  const { kind, rowCount, columnCount } = rows;
  const action = "read rows";
  requireInteger(action, "rowCount", rowCount, { min: 0 });
  requireInteger(action, "columnCount", columnCount, { min: 0 });
  if (kind === "blocks") return checkedBlocks(rows);
  const { values } = rows;
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
      `Cannot ${action}: kind must be "dense", "sparse" or "blocks": current value is ${
        String(kind)
      }`,
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

/** The blocks, each checked when it is visited: with all rows in their order, none too many and none too few. */
function checkedBlocks(blocks: RowBlocks): RowBlocks {
  const { rowCount, columnCount, valueCount, rowsAtOnce } = blocks;
  const action = "read rows";
  requireInteger(action, "valueCount", valueCount, { min: 0 });
  requireInteger(action, "rowsAtOnce", rowsAtOnce, { min: 0, max: rowCount });
  return mapBlocks(blocks, {
    columnCount,
    valueCount,
    begin: () => (block, first) => {
      requireInteger(action, "columns of a block", block.columnCount, {
        min: columnCount,
        max: columnCount,
      });
      requireInteger(action, "rows of a block", block.rowCount, { min: 0, max: rowsAtOnce });
      try {
        return checkedRows(block);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw new RangeError(`${error.message}, counted from row ${first + 1}`);
      }
    },
  });
}
