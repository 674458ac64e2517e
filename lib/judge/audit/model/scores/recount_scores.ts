import { type LabelledRows, sideOf } from "../encoding/labelled_rows.ts";
import type { CountedPartition } from "../partition/feature_histogram.ts";

/**
 * Counts rows again, by the learned scores themselves, in the partitions grown on them that use a score. They were
 * counted by cross-fitted values, which are unbiased, but which the score itself may never take: where values are few,
 * a leaf of such values gets no later draws, and would keep its large log odds forever.
 */
export function recountScores(grown: readonly CountedPartition[], all: LabelledRows): void {
  const scored = grown.filter(({ partition }) =>
    partition.features.some(({ kind }) => kind === "score")
  );
  if (scored.length === 0) return;
  for (const { counts } of scored) counts.fill(0);
  for (const label of [0, 1] as const) {
    const rows = sideOf(all, label);
    for (const { countLeaves, counts } of scored) countLeaves(rows, label, counts);
  }
}
