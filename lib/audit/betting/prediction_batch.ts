/** What a learner predicted for a batch, and what came. */
export interface PredictionBatch {
  /** Draws of the batch at `[2 * node + label]`, leaves only. */
  readonly counts: Float64Array;
  /** Predicted log odds of "right" at each node, one vector per caution, fixed before the batch. */
  readonly logOdds: readonly Float64Array[];
  readonly leaves: Int32Array;
  /** Draws seen before the batch, at `[2 * node + label]`: what the prediction was learned from. */
  readonly before: Float64Array;
  readonly draws: number;
  /** How many of its outputs moved where the data move, if any can. */
  readonly shifted?: LocationShiftBatch | undefined;
}

/** Outputs of both sides, by how far up they are. */
export interface LocationShiftBatch {
  /** Draws at `[2 * cell + label]`. */
  readonly counts: Float64Array;
  /** Draws seen before, of which the odds were learned. */
  readonly before: Float64Array;
  readonly leaves: Int32Array;
  /** −1 for cells in the lower half, 1 for those in the upper one, 0 for what has no place. */
  readonly halves: Float64Array;
  /** Log odds of "right" in each cell if outputs move as far as the data. */
  readonly asData: Float64Array;
  /** Log odds of "right" in each cell if outputs move as far as they have been seen to. */
  readonly asSeen: Float64Array;
}

/** Cells and what they tell: draws at `[2 * cell + label]`, and the log odds of "right" in each. */
export interface PredictedOdds {
  readonly leaves: Int32Array;
  readonly counts: Float64Array;
  readonly odds: Float64Array;
}
