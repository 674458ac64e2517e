/** One condition on a named feature of an output. NaN satisfies only `is NaN`. */
export interface Condition {
  /** A part of the output or a number computed from it, as in `output[0]` or `length`. */
  readonly feature: string;
  /** How the feature compares with the value. */
  readonly operator: "<=" | ">" | "=" | "!=" | "is";
  /** What it is compared with. */
  readonly value: number | string;
}
