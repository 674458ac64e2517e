import type { Source } from "../../../core/mechanism/source.ts";
import { requireFields, requireInteger, requireKind } from "../../../core/numeric/require.ts";
import { randomInteger } from "../../../core/random/random_integer.ts";
import { columnIndex, numberAtShare, type Table, textOf } from "../erm/files/column_encoder.ts";
import type { ColumnDescription, NumberColumn } from "../erm/files/column_description.ts";
import type { CodedRow } from "./adaptive_rounds.ts";

/** Turns rows of a table into codes, and codes into rows, by a description that is fixed before the data is seen. */
export interface TableCoder {
  /** Number of values of each column, for `adaptiveMarginals`. */
  readonly shape: readonly number[];
  /**
   * The codes of a table's rows. Numbers outside of their bounds count as the bound. Rows with a cell that is missing, not declared or no number are left
   * out, unless the description says what it stands for: an error would tell of a row. How many are left is private, also where the number of the table's
   * rows is public: it is no `rowCount`. A row that is replaced by one that is left out moves counts by less than one that is replaced by another.
   *
   * @throws {RangeError} when the table lacks a column.
   */
  encode(table: Table): CodedRow[];
  /** Rows of codes as a table: values of categories, and numbers anywhere in their bins, all places alike. */
  decode(rows: readonly CodedRow[], source: Source): Table;
}

/** The codes of one column. */
interface ColumnCoder {
  readonly name: string;
  readonly count: number;
  /** Undefined for a cell that stands for nothing. */
  readonly codeOf: (cell: unknown) => number | undefined;
  readonly valueOf: (code: number, source: Source) => string | number;
}

/**
 * Makes a {@linkcode TableCoder} of a column description, as `readColumnDescription` checks it. A column of numbers gets the bins that its `edges`
 * divide it into, or `bins` that are equally wide on its scale; the label is a category like others.
 *
 * @param options `bins`: how many, from 1 to 2¹⁰. Default 32.
 * @throws {RangeError} when `bins` is out of range.
 *
 * @example
 * ```ts
 * import { readColumnDescription } from "../erm/files/read_column_description.ts";
 * import { tableCoder } from "./table_coder.ts";
 * const coder = tableCoder(readColumnDescription({
 *   columns: [
 *     { name: "age", type: "number", min: 0, max: 99, whole: true, edges: [18, 65] },
 *     { name: "sex", type: "category", values: ["f", "m"] },
 *   ],
 * }));
 * coder.shape; // 3, 2
 * coder.encode({ names: ["sex", "age"], rows: [["m", "18"], ["", 40]] }); // [1, 1]: the second row lacks a value
 * ```
 */
export function tableCoder(
  description: ColumnDescription,
  options: { readonly bins?: number } = {},
): TableCoder {
  const { columns, label } = requireFields("tableCoder", description, {
    columns: "list",
    label: "record?",
  });
  const { bins = 32 } = requireFields("tableCoder", options, {});
  requireInteger("make codes", "bins", bins, { min: 1, max: 2 ** 10 });
  const coders = columns.map((column) =>
    column.type === "number" ? numberCoder(column, bins) : categoryCoder(column)
  );
  if (label !== undefined) coders.push(categoryCoder({ name: label.name, values: label.classes }));
  return {
    shape: coders.map(({ count }) => count),
    encode(table): CodedRow[] {
      requireKind("encode", "table", table, "record");
      const places = coders.map(({ name }) => columnIndex(table, name));
      return table.rows.flatMap((row) => {
        const codes = coders.map(({ codeOf }, i) => codeOf(row[places[i]!]));
        return codes.includes(undefined) ? [] : [codes as number[]];
      });
    },
    decode: (rows, source) => ({
      names: coders.map(({ name }) => name),
      rows: rows.map((row) => row.map((code, i) => coders[i]!.valueOf(code, source))),
    }),
  };
}

function categoryCoder(
  { name, values, missing, unseen }: {
    readonly name: string;
    readonly values: readonly string[];
    readonly missing?: string | undefined;
    readonly unseen?: string | undefined;
  },
): ColumnCoder {
  const places = new Map(values.map((value, i) => [value, i]));
  return {
    name,
    count: values.length,
    codeOf: (cell) => {
      const text = textOf(cell) ?? missing;
      return text === undefined ? undefined : places.get(text) ?? places.get(unseen ?? text);
    },
    valueOf: (code) => values[code]!,
  };
}

function numberCoder(column: NumberColumn, bins: number): ColumnCoder {
  const { name, missing, edges, whole = false } = column;
  const inner = edges ??
    Array.from({ length: bins - 1 }, (_, i) => numberAtShare((i + 1) / bins, column));
  // Whole numbers of a bin begin with the next above its edge.
  const round = (edge: number): number => whole ? Math.ceil(edge) : edge;
  const least = round(column.min), most = whole ? Math.floor(column.max) : column.max;
  const begins = [
    ...new Set([least, ...inner.map(round).filter((edge) => edge > least && edge <= most)]),
  ];
  return {
    name,
    count: begins.length,
    codeOf: (cell) => {
      const value = typeof cell === "number" ? cell : Number(textOf(cell) ?? missing);
      if (!Number.isFinite(value)) return undefined;
      // The first bin takes all below it, and the last all above.
      return Math.max(0, begins.findLastIndex((begin) => begin <= value));
    },
    valueOf: (code, source) => {
      const begin = begins[code]!, next = begins[code + 1];
      return whole
        ? begin + randomInteger(source, { below: (next ?? most + 1) - begin })
        : begin + source.uniform() * ((next ?? most) - begin);
    },
  };
}
