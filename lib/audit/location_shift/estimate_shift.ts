/** Log odds beyond these are not looked for. */
const MOST_ODDS = 64;
const HALVINGS = 24;

/**
 * How far outputs moved from left to right, at least 0, by maximum likelihood: the log odds of a cell are the
 * distance times its slope. With the standard error; 0 and infinite where no slope says anything.
 */
export function estimateShift(
  { slopes, counts }: {
    slopes: Float64Array;
    /** Draws at `[2 * cell + label]`. */
    counts: Float64Array;
  },
): { distance: number; error: number } {
  const steepest = slopes.reduce((most, slope) => Math.max(most, Math.abs(slope)), 0);
  if (steepest === 0) return { distance: 0, error: Infinity };
  /** The derivative of the log likelihood, which falls, and the information. */
  const at = (distance: number): { score: number; information: number } => {
    let score = 0, information = 0;
    slopes.forEach((slope, cell) => {
      const left = counts[2 * cell]!, right = counts[2 * cell + 1]!;
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
