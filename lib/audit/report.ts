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
}

/** One condition on a named feature of an output. NaN satisfies only `isNaN`. */
export interface Condition {
  readonly feature: string;
  readonly operator: "<=" | ">" | "=" | "!=";
  readonly value: number | string;
}

/** How an audit ended; the JSON written by `--json` is this record. */
export interface AuditReport {
  /** Never "private": runs cannot prove privacy. */
  readonly verdict: "refuted" | "not-refuted" | "failed";
  readonly subject: string;
  readonly claim: Record<string, string | number>;
  /** With the stated confidence, the program is not ε-DP for any ε below this (δ as claimed). */
  readonly epsilonLowerBound: number;
  readonly confidence: number;
  readonly alpha: number;
  /** Evidence against the claim: its expectation is at most 1 if the claim is true. */
  readonly eValue: number;
  readonly draws: number;
  readonly seconds: number;
  readonly pair: { readonly left: unknown; readonly right: unknown } | null;
  readonly event: EventReport | null;
  readonly seed: number;
  /** The command, or the lines of code, that run this audit again. */
  readonly replay: string;
  /** Events rarer than this could not have been seen by this run. */
  readonly smallestEventProbability: number;
  /** A violation above this ε, on the pair and event of this run, would have been seen with 90% power. */
  readonly detectableEpsilon: number | null;
  /** Pairs of datasets tried. */
  readonly pairsTried: number;
  /** Whether the bits of doubles were looked at. */
  readonly bits: boolean;
  readonly versions: Record<string, string>;
  /** The claim refuted once more on the pair of this report, by draws made after it was chosen. */
  readonly confirmation?: { readonly draws: number; readonly eValue: number };
  /** Set when the verdict is "failed": what the subject did. */
  readonly failure?: string;
}
