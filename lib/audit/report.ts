import type { EventReport } from "./counterexample/event_report.ts";

/** How an audit ended; the JSON written by `--json` is this record. */
export interface AuditReport {
  /** Never "private": runs cannot prove privacy. */
  readonly verdict: "refuted" | "not-refuted" | "failed";
  /** The subject's name. */
  readonly subject: string;
  /** The claim's numbers, its kind and the name of its relation. */
  readonly claim: Record<string, string | number>;
  /**
   * With the stated confidence, the program is not ε-DP for any ε up to this (δ as claimed). Where a claim is about ρ
   * or μ, the bound is on that.
   */
  readonly epsilonLowerBound: number;
  /** Of the lower bound: 1 − alpha. */
  readonly confidence: number;
  /** Chance of refuting a true claim, at most. */
  readonly alpha: number;
  /** Evidence against the claim: its expectation is at most 1 if the claim is true. */
  readonly eValue: number;
  /** Outputs drawn for the verdict, both sides together. */
  readonly draws: number;
  /** How long that took. */
  readonly seconds: number;
  /** The pair that refuted the claim or came closest; `null` if none was tried. */
  readonly pair: { readonly left: unknown; readonly right: unknown } | null;
  /** The rule that tells the sides of that pair apart; `null` if none was found. */
  readonly event: EventReport | null;
  /** Seed of labels and search. */
  readonly seed: number;
  /** The command, or the lines of code, that run this audit again. */
  readonly replay: string;
  /**
   * An event of this probability on a dataset of the pair that was drawn on last was seen at least once with
   * probability 1 − alpha; 1 without draws. (That pair is the one of the report before it was made small.)
   */
  readonly smallestEventProbability: number;
  /** A violation above this ε, on the pair and event of this run, would have been seen with 90% power. */
  readonly detectableEpsilon: number | null;
  /** Pairs of datasets tried. */
  readonly pairsTried: number;
  /** Whether the bits of doubles were looked at. */
  readonly bits: boolean;
  /** Of dpcheck and of what it runs on. */
  readonly versions: Record<string, string>;
  /** The claim refuted once more on the pair of this report, by draws made after it was chosen. */
  readonly confirmation?: { readonly draws: number; readonly eValue: number };
  /**
   * The claim was refuted, and fresh draws on the same pair do not refute it: so many of them, and the e-value that they
   * came to. The verdict is then "not-refuted".
   */
  readonly unconfirmed?: { readonly draws: number; readonly eValue: number };
  /** Set where somebody vouched that outputs are independent, so that they could be asked for in blocks of one dataset. */
  readonly declaredIndependent?: true;
  /** Set when the verdict is "failed": what the subject did. An error in place of every output is a failure, unless errors refute the claim. */
  readonly failure?: string;
}
