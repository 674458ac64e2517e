import type { PredictionBatch } from "../betting/prediction_batch.ts";

/**
 * A test at the end of the budget, of a partition fixed before the draws that it counts. Where it ends is fixed when it
 * begins, by what is counted and never by the clock, and it is read once, then: a program that decides by its luck so
 * far how fast it goes on must not decide with how much luck the test ends.
 */
export interface FixedSampleBound {
  /** How many draws the next batch may have, those on their way among them; no limit when the test is over. */
  readonly mostDraws: number;
  /** Counts a batch of the candidate it was made for, unless the test is over. */
  add(batch: PredictionBatch): void;
  /** Whether it refutes the claim at its own α. */
  refutes(): boolean;
  /** Lower bound on the claim's parameter at confidence 1 − α, rounded down; 0 if nothing is shown. */
  lowerBound(): number;
  /** The ε that as many draws would have shown to exceed the claim with this power; null if unknown. */
  detectable(power: number): number | null;
}
