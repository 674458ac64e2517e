import type { PredictionBatch } from "./prediction_batch.ts";

/** Evidence against a claim and against stronger and weaker ones of its kind, gathered batch by batch. */
export interface Evidence {
  /** Settles the bets of a batch that was predicted before it was drawn. */
  add(batch: PredictionBatch): void;
  /** Lets a share of the money start afresh. */
  restart(): void;
  /** The claim's parameter (ε, ρ or μ) is above this, with the confidence of the evidence; 0 if nothing is shown. */
  readonly lowerBound: number;
  /**
   * Logarithm of the e-value against the claim: the wealth as it is now. (Its largest value so far would
   * be none: its expectation is above 1, though a true claim still sees it reach 1/α with chance α.)
   */
  readonly logEValue: number;
  /** Whether the claim is refuted at the evidence's α. */
  readonly refuted: boolean;
}
