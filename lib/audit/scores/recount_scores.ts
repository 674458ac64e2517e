import { type LabelledRows, sideOf } from "../encoding/labelled_rows.ts";
import type { CountedPartition } from "../partition/feature_histogram.ts";

/**
 * Counts the rows that partitions were grown on anew, where these ask for a learned score. They were counted by
 * its cross-fitted values, which are fair, but may be such as the score itself never takes: where values are few,
 * a bin of those would look clear for ever, for nothing falls into it any more.
 */
export function recountScores(grown: readonly CountedPartition[], all: LabelledRows): void {
  const scored = grown.filter(({ partition }) =>
    partition.features.some(({ kind }) => kind === "score")
  );
  if (scored.length === 0) return;
  for (const { counts } of scored) counts.fill(0);
  for (const label of [0, 1] as const) {
    const rows = sideOf(all, label);
    for (const { countLeaves: assign, counts } of scored) assign(rows, label, counts);
  }
}
