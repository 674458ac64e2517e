/** A dataset: rows in order. What a row is (a number, a record, a vector) is the mechanism's affair. */
export type Dataset<Row = unknown> = readonly Row[];

/** What rows look like: enough to generate, mutate and shrink datasets. The JSON of `--rows`. */
export type RowSpec =
  | { readonly type: "number"; readonly min: number; readonly max: number }
  | { readonly type: "integer"; readonly min: number; readonly max: number }
  | { readonly type: "boolean" }
  | { readonly type: "category"; readonly values: readonly (string | number | boolean | null)[] }
  | {
    readonly type: "vector";
    readonly length: number;
    readonly of: RowSpec;
    /** Upper bound on the Euclidean norm; longer vectors are scaled down to it. */
    readonly norm?: number;
  }
  | { readonly type: "record"; readonly fields: Readonly<Record<string, RowSpec>> };

/** Which datasets a search may try: rows of one specification, from `size.min` to `size.max` of them. */
export interface Domain {
  /** What every row looks like. */
  readonly rows: RowSpec;
  /** The fewest and the most rows. */
  readonly size: { readonly min: number; readonly max: number };
}
