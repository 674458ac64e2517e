/** A dataset: rows in order. What a row is (a number, a record, a vector) is up to the mechanism. */
export type Dataset<Row = unknown> = readonly Row[];

/** Description of rows from which datasets are generated, mutated and shrunk. The JSON of `--rows`. */
export type RowSpec =
  & {
    /** If true, the row, the item of a vector or the field of a record may also be null. A missing field is present with the value null. */
    readonly missing?: boolean;
  }
  & (
    | {
      readonly type: "number";
      readonly min: number;
      readonly max: number;
      /** If true, NaN is allowed too. */
      readonly nan?: boolean;
      /** If true, Infinity and -Infinity are allowed too, whatever the bounds. */
      readonly infinite?: boolean;
    }
    | { readonly type: "integer"; readonly min: number; readonly max: number }
    | { readonly type: "boolean" }
    | { readonly type: "category"; readonly values: readonly (string | number | boolean | null)[] }
    | {
      readonly type: "text";
      /** Length in characters (Unicode code points), as in `"0..8"` or `"8"`: at most 1,000,000. */
      readonly length: string;
      /** Texts that are usual, of such a length. Others are tried as well. */
      readonly values?: readonly string[];
    }
    | {
      readonly type: "vector";
      readonly length: number;
      readonly of: RowSpec;
      /** Upper bound on the Euclidean norm; longer vectors are scaled down to it. It goes with items that are finite numbers. */
      readonly norm?: number;
    }
    | { readonly type: "record"; readonly fields: Readonly<Record<string, RowSpec>> }
  );

/** Which datasets a search may try: rows of one specification, from `size.min` to `size.max` of them. */
export interface Domain {
  /** Description of every row. */
  readonly rows: RowSpec;
  /** The fewest and the most rows. */
  readonly size: { readonly min: number; readonly max: number };
}
