import type { PredictionBatch } from "./prediction_batch.ts";

/** Evidence against a claim, and against stronger and weaker claims of its kind, gathered batch by batch. */
export interface Evidence {
  /** Settles the bets on a batch. Its predictions must have been fixed before it was drawn. */
  add(batch: PredictionBatch): void;
  /** Lets a share of each bettor's stake begin now: see {@linkcode Wealth}. */
  restart(): void;
  /** A lower bound on the claim's parameter (ε, ρ or μ) at the evidence's confidence; 0 if nothing is shown. */
  readonly lowerBound: number;
  /**
   * Logarithm of the e-value against the claim: the wealth now. The largest wealth so far is not an e-value, for its
   * expectation under the claim may be above 1.
   */
  readonly logEValue: number;
  /** Rare cells of each family that were bet on so far. */
  readonly rareCells: readonly number[];
  /** Whether the claim is refuted at the evidence's α. It stays refuted. */
  readonly refuted: boolean;
}
