import type { LabelledRow } from "../erm/mechanism.ts";

/** Steps of the grid in the norm that gradients are clipped to. */
export const STEPS_PER_BOUND: number = 2 ** 28;

/** Far more than the norm of 4,096 doubles is rounded. */
const MARGIN = 1e-12;

/** Largest sum, in grid steps: a sum that stops tells neighbours apart no better than one that goes on. */
const MOST_STEPS = 2 ** 52;

/**
 * The gradient of ln(1 + e^(−y·w·x)) at one row, clipped to Euclidean norm `clip`, in whole steps of clip/2²⁸. Coordinates are rounded
 * towards 0, so the norm is at most 2²⁸ steps, rounding included. Zero where the row has no label of −1 or 1 or the
 * gradient is not a number.
 */
export function clippedGradient(
  row: LabelledRow,
  { weights, clip }: { readonly weights: readonly number[]; readonly clip: number },
): Float64Array {
  const gradient = new Float64Array(weights.length);
  let label: number, product = 0, largest = 0;
  try {
    ({ label } = row);
    const { features } = row;
    for (let j = 0; j < gradient.length; j++) {
      gradient[j] = features[j]!;
      product += gradient[j]! * weights[j]!;
      largest = Math.max(largest, Math.abs(gradient[j]!));
    }
  } catch {
    return gradient.fill(0);
  }
  const isKnown = (label === 1 || label === -1) && Number.isFinite(largest) && largest > 0 &&
    !Number.isNaN(product);
  if (!isKnown) return gradient.fill(0);
  // Divided by the largest coordinate, so that squares neither overflow nor vanish.
  let squares = 0;
  for (const each of gradient) squares += (each / largest) ** 2;
  const norm = Math.sqrt(squares);
  const slope = 1 / (1 + Math.exp(label * product));
  const length = Math.min(1, slope * largest / clip * norm) * (1 - MARGIN) * STEPS_PER_BOUND;
  for (let j = 0; j < gradient.length; j++) {
    gradient[j] = Math.trunc(-label * (gradient[j]! / largest / norm) * length);
  }
  return gradient;
}

/** Adds a gradient to a sum of gradients, in whole steps. */
export function addGradient(sum: Float64Array, gradient: Float64Array): void {
  for (let j = 0; j < sum.length; j++) {
    sum[j] = Math.max(-MOST_STEPS, Math.min(MOST_STEPS, sum[j]! + gradient[j]!));
  }
}
