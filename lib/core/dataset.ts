/** A dataset: rows in order. What a row is (a number, a record, a vector) is up to the mechanism. */
export type Dataset<Row = unknown> = readonly Row[];

/** What rows look like: enough to generate, mutate and shrink datasets. The JSON of `--rows`. */
export type RowSpec =
  & {
    /** Whether the row, the item of a vector or the field of a record may also be null. A field that is missing is there, and null. */
    readonly missing?: boolean;
  }
  & (
    | {
      readonly type: "number";
      readonly min: number;
      readonly max: number;
      /** Whether it may be NaN as well. */
      readonly nan?: boolean;
      /** Whether it may be Infinity and -Infinity as well, whatever the bounds. */
      readonly infinite?: boolean;
    }
    | { readonly type: "integer"; readonly min: number; readonly max: number }
    | { readonly type: "boolean" }
    | { readonly type: "category"; readonly values: readonly (string | number | boolean | null)[] }
    | {
      readonly type: "text";
      /** How many characters (Unicode code points) it has, as in `"0..8"` or `"8"`: at most 1,000,000. */
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
  /** What every row looks like. */
  readonly rows: RowSpec;
  /** The fewest and the most rows. */
  readonly size: { readonly min: number; readonly max: number };
}
