import type { PredictionBatch } from "../betting/prediction_batch.ts";

/**
 * A test at the end of the budget, with a partition fixed before the draws that it counts. Its end is fixed when it begins,
 * as a number of what it counts and never as a time, and it is read once, at that end: a program can make its speed depend on
 * the counts so far, and so must not be able to choose the counts at which the test ends.
 */
export interface FixedSampleBound {
  /** The most draws of the next batch, those already begun among them; infinite when the test is over. */
  readonly mostDraws: number;
  /** Counts a batch of the test's candidate, unless the test is over. */
  add(batch: PredictionBatch): void;
  /** Returns true if it refutes the claim at its own α. */
  refutes(): boolean;
  /** Returns the lower bound on the claim's parameter at confidence 1 − α, rounded down; 0 if nothing is shown. */
  lowerBound(): number;
}

/** A test that counts no more draws. */
export type ReadBound = Pick<FixedSampleBound, "lowerBound" | "refutes">;
