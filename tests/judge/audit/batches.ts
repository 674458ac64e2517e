import type {
  LocationShiftBatch,
  PredictionBatch,
} from "../../../lib/judge/audit/kernel/betting/prediction_batch.ts";
import { STANDARD_ERRORS } from "../../../lib/judge/audit/kernel/betting/shares.ts";

/** Draws with these labels that all fall into one leaf with these predicted log odds. */
export function oneLeaf(
  labels: readonly (0 | 1)[],
  { logOdds }: { logOdds: number },
): PredictionBatch {
  const counts = new Float64Array(2);
  for (const label of labels) counts[label]!++;
  return {
    counts,
    logOdds: STANDARD_ERRORS.map(() => Float64Array.of(logOdds)),
    leaves: Int32Array.of(0),
    before: Float64Array.of(100, 100),
    draws: labels.length,
  };
}

/**
 * Draws of which nothing is known but that they are in one bin of outputs that follow the data, with what is expected
 * of it: odds that are not given are 0, and so is the half.
 */
export function followed(
  labels: readonly (0 | 1)[],
  { asData = 0, asSeen = 0, half = 0 }: { asData?: number; asSeen?: number; half?: number },
): PredictionBatch {
  const { counts, leaves, before } = oneLeaf(labels, { logOdds: 0 });
  const shifted: LocationShiftBatch = {
    counts,
    leaves,
    before,
    halves: Float64Array.of(half),
    asData: Float64Array.of(asData),
    asSeen: Float64Array.of(asSeen),
  };
  return { ...oneLeaf([], { logOdds: 0 }), shifted, draws: labels.length };
}

/** The exact expectation of a function of independent labels: a sum over all their sequences. */
export function expectationOverLabels(
  of: (labels: readonly (0 | 1)[]) => number,
  { draws, rightProbability }: { draws: number; rightProbability: number },
): number {
  let sum = 0;
  for (let word = 0; word < 2 ** draws; word++) {
    const labels = Array.from({ length: draws }, (_, k) => ((word >> k) & 1) as 0 | 1);
    const right = labels.reduce<number>((n, label) => n + label, 0);
    sum += rightProbability ** right * (1 - rightProbability) ** (draws - right) * of(labels);
  }
  return sum;
}
