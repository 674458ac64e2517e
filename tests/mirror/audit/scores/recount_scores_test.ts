import { assertEquals } from "@std/assert";
import type { Feature } from "../../../../lib/audit/encoding/features.ts";
import { sideOf } from "../../../../lib/audit/encoding/labelled_rows.ts";
import { compileCountLeaves } from "../../../../lib/audit/partition/count_leaves.ts";
import {
  type CountedPartition,
  intervalPartition,
} from "../../../../lib/audit/partition/feature_histogram.ts";
import { recountScores } from "../../../../lib/audit/scores/recount_scores.ts";

const all = {
  rows: Float64Array.of(1, 10, 2, 20, 3, 30, 4, 40),
  labels: Uint8Array.of(0, 1, 1, 0),
  width: 2,
};

const score: Feature = {
  kind: "score",
  name: "score(output)",
  score: {
    data: null as never,
    fill(rows, width, from, n, out): void {
      for (let i = 0; i < n; i++) {
        out[i] = rows[(from + i) * width]! + rows[(from + i) * width + 1]!;
      }
    },
  },
};
const column: Feature = { kind: "column", index: 0, name: "output[0]" };

/** Two bins, wrongly counted. */
function counted(feature: Feature, threshold: number): CountedPartition {
  const partition = intervalPartition(feature, Float64Array.of(threshold));
  const counts = new Float64Array(2 * partition.left.length).fill(7);
  return { partition, countLeaves: compileCountLeaves(partition, 2), counts };
}

Deno.test("sideOf() has the rows of one side", () => {
  assertEquals([...sideOf(all, 0)], [1, 10, 4, 40]);
  assertEquals([...sideOf(all, 1)], [2, 20, 3, 30]);
});

// Mutants: counts added to what was there; every partition; none; one side only; labels exchanged.
Deno.test("recountScores() counts by the score itself, and other features' counts stay", () => {
  const scored = counted(score, 25), other = counted(column, 2);
  recountScores([other, scored], all);
  // Scores are 11 and 44 on the left, 22 and 33 on the right; leaves are the bins, then infinity and NaN.
  assertEquals(scored.counts.reduce((sum, count) => sum + count, 0), 4);
  const right = new Float64Array(scored.counts.length);
  scored.countLeaves(Float64Array.of(1, 10), 0, right);
  scored.countLeaves(Float64Array.of(4, 40), 0, right);
  scored.countLeaves(Float64Array.of(2, 20), 1, right);
  scored.countLeaves(Float64Array.of(3, 30), 1, right);
  assertEquals(scored.counts, right);
  assertEquals([...other.counts].every((count) => count === 7), true);
});
