/** Predicted probabilities of the cells of a partition on the two datasets; each side adds up to 1. */
export interface LeafLaw {
  /** Probability of each cell on the left dataset. */
  readonly left: Float64Array;
  /** Probability of each cell on the right dataset. */
  readonly right: Float64Array;
}

/** A number for each cell and label. */
export type LeafValues = LeafLaw;

/** Returns the law with the two datasets exchanged. */
export function mirrored({ left, right }: LeafLaw): LeafLaw {
  return { left: right, right: left };
}
