/** The largest log odds that a bin may have after the shift, and the steps of the bisection. */
const MOST_ODDS = 64, HALVINGS = 24;

/**
 * Returns the distance by which outputs on the right dataset are shifted against those on the left, at least 0, by maximum
 * likelihood in the model where the log odds of a bin are the distance times its slope; with its standard error. Where all
 * slopes are 0 the distance is 0 and the error infinite.
 */
export function estimateShift(
  { slopes, counts }: {
    slopes: Float64Array;
    /** Draws at `[2 * bin + label]`. */
    counts: Float64Array;
  },
): { distance: number; error: number } {
  const steepest = slopes.reduce((most, slope) => Math.max(most, Math.abs(slope)), 0);
  if (steepest === 0) return { distance: 0, error: Infinity };
  /** Returns the derivative of the log likelihood, which falls with the distance, and the Fisher information. */
  const at = (distance: number): { score: number; information: number } => {
    let score = 0, information = 0;
    slopes.forEach((slope, bin) => {
      const left = counts[2 * bin]!, right = counts[2 * bin + 1]!;
      const probability = 1 / (1 + Math.exp(-distance * slope));
      score += slope * (right - (left + right) * probability);
      information += slope ** 2 * (left + right) * probability * (1 - probability);
    });
    return { score, information };
  };
  let low = 0, high = MOST_ODDS / steepest;
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (at(middle).score > 0) low = middle;
    else high = middle;
  }
  return { distance: low, error: 1 / Math.sqrt(at(low).information) };
}
