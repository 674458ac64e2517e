import type { PredictionBatch } from "../../../../../lib/judge/audit/kernel/betting/prediction_batch.ts";

/** A draw that falls into one of two leaves: a certain one and another. */
export interface Draw {
  readonly leaf: 0 | 1;
  readonly label: 0 | 1;
}

/** Batches of a partition of a root and two leaves, whose log odds are given. */
export function batchOf(
  draws: readonly Draw[],
  logOdds: readonly [number, number],
): PredictionBatch {
  const counts = new Float64Array(6);
  for (const { leaf, label } of draws) counts[2 * (leaf + 1) + label]!++;
  return {
    counts,
    logOdds: Array.from({ length: 3 }, () => Float64Array.of(0, ...logOdds)),
    leaves: Int32Array.of(1, 2),
    before: Float64Array.of(0, 0, 5, 15, 45, 35),
    draws: draws.length,
  };
}

/** Laws of the leaf on the left and right that just keep (1, 0.2): 0.2 is certain, the rest equal. */
export const LAW = { left: [0, 1], right: [0.2, 0.8] } as const;
export const CLAIM = { epsilon: 1, delta: 0.2 };

/** A batch of whose draws nothing is known but the bin of outputs that follow the data. */
export function followedBatch(
  draws: readonly Draw[],
  asData: readonly number[],
  asSeen: readonly number[],
): PredictionBatch {
  const { counts, before } = batchOf(draws, [0, 0]);
  const halves = new Float64Array(3);
  return {
    ...batchOf([], [0, 0]),
    draws: draws.length,
    shifted: {
      counts,
      before,
      leaves: Int32Array.of(1, 2),
      halves,
      asData: Float64Array.of(0, ...asData),
      asSeen: Float64Array.of(0, ...asSeen),
    },
  };
}
