import type { Shifted } from "../location_shift/location_shift_predictor.ts";

/** What a learner predicted for a batch, and what came. */
export interface Batch {
  /** Draws of the batch at `[2 * node + label]`, leaves only. */
  readonly counts: Float64Array;
  /** Predicted log odds of "right" at each node, one vector per caution, fixed before the batch. */
  readonly logOdds: readonly Float64Array[];
  readonly leaves: Int32Array;
  /** Draws seen before the batch, at `[2 * node + label]`: what the prediction was learned from. */
  readonly before: Float64Array;
  readonly draws: number;
  /** How many of its outputs moved where the data move, if any can. */
  readonly shifted?: Shifted | undefined;
}
