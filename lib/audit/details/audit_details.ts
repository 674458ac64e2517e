import type { OutputSummary } from "./output_summary.ts";

/** The bound and the evidence of the bets after so many draws. */
export interface HistoryPoint {
  /** Draws so far, both sides together. */
  readonly draws: number;
  /** The lower bound of the bets on the parameter of the claim: ε, ρ or μ. */
  readonly epsilonLowerBound: number;
  /** Natural logarithm of the e-value of the bets, weighted by their share of α. */
  readonly logEValue: number;
}

/** A pair that was tried, as the search ranked it. */
export interface RankedPair {
  /** One dataset. */
  readonly left: unknown;
  /** Its neighbour. */
  readonly right: unknown;
  /** Draws on it in the search. */
  readonly draws: number;
  /** The ε, in nats, that the search expected to refute on it: an estimate, by which pairs were ranked. */
  readonly refutable: number;
}

/** The violation that a number of draws on the pair and event of a run would have shown. */
export interface PowerPoint {
  /** Draws, both sides together. */
  readonly draws: number;
  /** A violation above this (ε, ρ or μ) would have been refuted with probability 0.9; infinite where none would be. */
  readonly detectable: number;
}

/** Data of a page with plots, besides the figures of an audit: kept in bounded memory, with the option `details`. */
export interface AuditDetails {
  /** Evidence over draws, at numbers of draws that grow by a tenth. */
  readonly history: readonly HistoryPoint[];
  /** Fresh outputs on the pair of the report, counted; `null` where none were drawn. */
  readonly outputs: OutputSummary | null;
  /** Pairs of the search that were left at its end, the best first; none where the pair was given. */
  readonly pairs: readonly RankedPair[];
  /** The violations that more and fewer draws would have shown. */
  readonly power: readonly PowerPoint[];
}
