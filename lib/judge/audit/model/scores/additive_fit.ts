import { shrinkWeights } from "./shrink_weights.ts";

/** Passes over the columns: the second corrects each column for those after it. */
const SWEEPS = 2;

/**
 * Fits log odds of a label that add up over columns: logistic regression on the bins of the columns' values, column
 * after column, with weights that {@linkcode shrinkWeights} shrinks. Where columns depend on each other, as in
 * transcripts that stop early, what both say counts once.
 *
 * @param bins bin of column j in row i at `[j * rows + i]`
 * @param parity only rows of even (0) or odd (1) place are fitted; all if undefined
 * @param size bins of a column, in order, the last one for missing values
 * @returns the weight of bin c of column j at `[j * size + c]`; near 0 where there is only noise
 */
export function fitAdditive(
  { bins, labels, columns, size }: {
    bins: Uint8Array;
    labels: Uint8Array;
    columns: number;
    size: number;
  },
  parity?: 0 | 1,
): Float64Array {
  const n = labels.length;
  const first = parity ?? 0, step = parity === undefined ? 1 : 2;
  const weights = new Float64Array(columns * size);
  const scores = new Float64Array(n);
  const change = new Float64Array(size);
  const sums = new Float64Array(size), shrunk = new Float64Array(size);
  const gradient = new Float64Array(size), curvature = new Float64Array(size);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let j = 0; j < columns; j++) {
      gradient.fill(0);
      curvature.fill(0);
      const column = bins.subarray(j * n, (j + 1) * n);
      addDerivatives(column, { labels, scores, first, step, gradient, curvature });
      const own = weights.subarray(j * size, (j + 1) * size);
      // A Newton step from the weights so far, as estimates times their precisions.
      for (let c = 0; c < size; c++) sums[c] = gradient[c]! + curvature[c]! * own[c]!;
      shrinkWeights(sums, curvature, shrunk);
      for (let c = 0; c < size; c++) change[c] = shrunk[c]! - own[c]!;
      own.set(shrunk);
      for (let i = first; i < n; i += step) scores[i]! += change[column[i]!]!;
    }
  }
  return weights;
}

/** Sums of first and second derivatives of the log-likelihood by bin: the hot loop. */
function addDerivatives(
  bins: Uint8Array,
  { labels, scores, first, step, gradient, curvature }: {
    labels: Uint8Array;
    scores: Float64Array;
    first: number;
    step: number;
    gradient: Float64Array;
    curvature: Float64Array;
  },
): void {
  for (let i = first; i < bins.length; i += step) {
    const x = scores[i]!;
    // Near 0 its Taylor polynomial is the logistic function to within 1e-5.
    const p = x * x < 0.1 ? 0.5 + x * (0.25 - x * x / 48) : 1 / (1 + Math.exp(-x));
    const c = bins[i]!;
    gradient[c]! += labels[i]! - p;
    curvature[c]! += p * (1 - p);
  }
}
