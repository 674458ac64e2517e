import type { Batch } from "./batch.ts";

/**
 * A test at the end of the budget, of a partition fixed before the draws that it counts. Its sample
 * size is fixed beforehand, so it may be looked at only once, at the end.
 */
export interface FinalTest {
  /** Counts a batch of the arm it was made for. */
  add(batch: Batch): void;
  /** Whether it refutes the claim at its own α. */
  refutes(): boolean;
  /** Lower bound on the claim's parameter at confidence 1 − α, rounded down; 0 if nothing is shown. */
  lowerBound(): number;
  /** The ε that as many draws would have shown to exceed the claim with this power; null if unknown. */
  detectable(power: number): number | null;
}
