import type { SideCounts } from "../subject.ts";

/**
 * A batch of draws, and what was predicted of it. The predictions were fixed before the batch was drawn: that alone makes
 * the bets on it sound. `counts[2 * leaf + label]` is the number of draws in a leaf, label 0 for the left dataset.
 */
export interface PredictionBatch {
  /** Draws of the batch; 0 at nodes that are not leaves. */
  readonly counts: Float64Array;
  /** Predicted log odds of "right" at each node: one vector for each of the standard errors subtracted. */
  readonly logOdds: readonly Float64Array[];
  /** The leaves of the partition. */
  readonly leaves: Int32Array;
  /** Draws before the batch, from which the prediction was learned. */
  readonly before: Float64Array;
  /** Number of draws. */
  readonly draws: number;
  /** The same draws by how far they lie in the direction in which the data move, where there is one. */
  readonly shifted?: LocationShiftBatch | undefined;
  /** The same draws by their learned score, where there is one. */
  readonly scored?: PredictedBatch | undefined;
  /** Further draws, whose outputs did not come. */
  readonly lost?: SideCounts | undefined;
  /** Those of the same draws that fell into rare cells, where these are looked for. */
  readonly rare?: RareBatch | undefined;
}

/** A cell of outputs that hardly ever come, defined by the batches before. Each output is in one cell at most. */
export interface RareCell {
  /** 0 where cells are few: kinds, lengths, ranges, and what was never seen; 1 where each value that repeats may have one. */
  readonly family: 0 | 1;
  /** Draws in it before it was known. */
  readonly seen: { readonly left: number; readonly right: number };
}

/** The draws of a batch in rare cells. */
export interface RareBatch {
  /** The same number for all batches of one predictor. */
  readonly of: number;
  /** The cells that were known before the batch. Later batches have the same ones in the same places, and more. */
  readonly known: readonly RareCell[];
  /** Draws of the batch in these, by their place. */
  readonly hits: readonly {
    readonly cell: number;
    readonly left: number;
    readonly right: number;
  }[];
  /** All draws of the batch. */
  readonly draws: number;
}

/** A batch in bins, with the log odds of "right" that were predicted of each bin. */
export interface PredictedBatch extends PredictedOdds {
  /** Draws before the batch, from which the prediction was learned. */
  readonly before: Float64Array;
}

/** A batch in bins along the direction in which the data move, with what was predicted of each bin. */
export interface LocationShiftBatch {
  /** Draws of the batch at `[2 * bin + label]`. */
  readonly counts: Float64Array;
  /** Draws before the batch, from which the prediction was learned. */
  readonly before: Float64Array;
  /** All bins. */
  readonly leaves: Int32Array;
  /** −1 for bins in the lower half, 1 for those in the upper half, 0 for outputs without a place. */
  readonly halves: Float64Array;
  /** Predicted log odds of "right" if outputs move as far as the data. */
  readonly asData: Float64Array;
  /** Predicted log odds of "right" if outputs move as far as earlier ones did. */
  readonly asSeen: Float64Array;
}

/** Draws at `[2 * leaf + label]`, and the predicted log odds of "right" at each leaf. */
export interface PredictedOdds {
  readonly leaves: Int32Array;
  readonly counts: Float64Array;
  readonly odds: Float64Array;
}

/** The counts and the predicted log odds in the leaves of a partition. */
export interface PredictedLeaves {
  readonly leaves: Int32Array;
  /** Draws at `[2 * node + label]`, leaves only. */
  readonly counts: Float64Array;
  /** Predicted log odds of "right" at each node: one vector for each of the standard errors subtracted. */
  readonly logOdds: readonly Float64Array[];
}
