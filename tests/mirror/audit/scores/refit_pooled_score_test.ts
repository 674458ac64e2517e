import { assert, assertEquals } from "@std/assert";
import { shrunkLogRatios } from "../../../../lib/audit/scores/additive_score.ts";
import { PooledScoreRefit } from "../../../../lib/audit/scores/refit_pooled_score.ts";
import { countScoreBins, MAX_BINS, scoreBinsOf } from "../../../../lib/audit/scores/score_bins.ts";
import { scoreOf } from "../../../../lib/audit/scores/evaluate_scores.ts";
import { normalRows } from "../labelled_rows.ts";

// Mutants: labels exchanged, rows of one place only, signs lost, an end that comes too early or never.
Deno.test("PooledScoreRefit.finish() is the score of the counts of all rows", () => {
  const all = normalRows({ n: 9001, shift: [0.4, -0.4, 0.4], seed: 51 });
  const signs = Int8Array.of(1, -1, 0);
  for (const differences of [false, true]) {
    const scoreBins = scoreBinsOf(all, { elements: 3, differences, pooled: true, signs });
    const refit = new PooledScoreRefit(scoreBins, 9001);
    // Batches of one side each.
    for (let from = 0; from < 9001; from += 500) {
      assert(!refit.isFull);
      const labels = [...all.labels.subarray(from, from + 500)];
      for (const label of [0, 1] as const) {
        const rows = labels.flatMap((own, i) =>
          own === label ? [...all.rows.subarray(3 * (from + i), 3 * (from + i + 1))] : []
        );
        refit.add(Float64Array.from(rows), 3, label);
      }
    }
    assert(refit.isFull);
    const { partition, counts } = refit.finish(all);
    const [feature] = partition.features;
    assert(feature?.kind === "score");
    assertEquals(feature.name, differences ? "pooledScore(differences)" : "pooledScore(output)");
    assert(counts.every((count) => count === 0));

    const expected = new Float64Array(2 * (MAX_BINS + 1));
    for (const parity of [0, 1]) {
      countScoreBins(scoreBins, all.rows, 3, all.labels, parity, expected);
    }
    const score = scoreOf({ ...scoreBins, weights: shrunkLogRatios(expected) });
    const [own, other] = [new Float64Array(9001), new Float64Array(9001)];
    feature.score.fill(all.rows, 3, 0, 9001, own);
    score.fill(all.rows, 3, 0, 9001, other);
    assertEquals(own, other);
  }
});
