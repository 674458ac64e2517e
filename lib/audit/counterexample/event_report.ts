/** The rule that tells the two sides apart, in words, with how often each side satisfied it. */
export interface EventReport {
  /** As in `output[0] <= 3.5 and output[1] = true`. */
  readonly description: string;
  /** The rule as data: conditions joined by "and". */
  readonly conditions: readonly Condition[];
  /** Draws on the left dataset, and those that satisfied the rule. */
  readonly left: { readonly draws: number; readonly hits: number };
  /** Draws on the right dataset, and those that satisfied the rule. */
  readonly right: { readonly draws: number; readonly hits: number };
  /**
   * The lower bound on ε that these counts alone show, in nats, in the direction in which they differ: rounded down, at the
   * confidence of the report, less the δ of an (ε, δ) claim. It holds for programs with memory, unless outputs were recorded
   * or declared independent. Absent where the counts show none, and where it would lie above a claim that is not refuted.
   */
  readonly epsilonLowerBound?: number;
  /** Set where outputs were recorded: the rule was found on a random half of each side's outputs, and counted on the other. */
  readonly halves?: true;
  /** An output that satisfies the rule, of the dataset on which it is more frequent. An error is the text of its message. */
  readonly example?: unknown;
  /** The value that the feature of a rule with one condition had in every draw on a dataset; a side where it varied is left out. */
  readonly constant?: {
    readonly left?: number | string;
    readonly right?: number | string;
  };
  /** Of a rule with one threshold: draws beyond another one, half as likely on the dataset where the rule holds less often. */
  readonly beyond?: {
    readonly threshold: number;
    readonly left: number;
    readonly right: number;
  };
}

/** One condition on a named feature of an output. NaN satisfies only `is NaN`. */
export interface Condition {
  /** A part of the output or a number computed from it, as in `output[0]` or `length`. */
  readonly feature: string;
  /** How the feature compares with the value. */
  readonly operator: "<=" | ">" | "=" | "!=" | "is";
  /** What it is compared with. */
  readonly value: number | string;
}
