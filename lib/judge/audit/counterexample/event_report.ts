import type { Condition } from "../model/encoding/condition.ts";

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
  /**
   * Of a refuted claim: whether these counts alone show, at the confidence of the report, that it is not kept. Where they do not,
   * the claim is refuted by many outputs together.
   */
  readonly exceedsClaim?: boolean;
  /** Set where the event was found when it first came, and counted on the draws of the audit after that. */
  readonly rare?: true;
  /** Set where outputs were recorded: the rule was found on a random half of each side's outputs, and counted on the other. */
  readonly halves?: true;
  /** An output that satisfies the rule, of the dataset on which it is more frequent. An error is the text of its message. */
  readonly example?: unknown;
  /** The value that the feature of a rule with one condition had in every draw on a dataset; a side where it varied is left out. */
  readonly constant?: {
    readonly left?: number | string;
    readonly right?: number | string;
  };
  /**
   * Of a rule with one threshold: draws beyond another one, half as likely on the dataset where the rule holds less often. `end` is
   * where the outputs of both datasets end, if they do so abruptly, as a law that was cut off.
   */
  readonly beyond?: {
    readonly threshold: number;
    readonly left: number;
    readonly right: number;
    readonly end?: number;
  };
}
