import { assert, assertEquals } from "@std/assert";
import type { Feature } from "../../../../lib/audit/encoding/features.ts";
import { KnownValues } from "../../../../lib/audit/encoding/known_values.ts";
import {
  type CountedPartition,
  featureHistogramFor,
} from "../../../../lib/audit/partition/feature_histogram.ts";
import { CandidatePartitions } from "../../../../lib/audit/prediction/candidate_partitions.ts";
import { type ScoreBins, scoreBinsOf, scoreName } from "../../../../lib/audit/scores/score_bins.ts";
import { normalRows } from "../labelled_rows.ts";
import { columns, count, horizon, nothing } from "./candidates.ts";

// Mutants: one refit only, refits of equal size, the first again and again, a refit that begins before the one before
// it ends, the best pooled score alone.
Deno.test("CandidatePartitions of effort sparing refit a score from more and more rows", () => {
  const own = { differences: false, pooled: false }, pooled = { differences: false, pooled: true };
  const steps = { differences: true, pooled: true };
  for (const kinds of [[own], [pooled], [own, pooled], [pooled, own], [pooled, steps]]) {
    checkRefits(kinds);
  }
});

// Mutants: the first score kept, or the refitted one dropped; only candidates dropped, and not the current partition.
Deno.test("CandidatePartitions.review() drops a refitted score's predecessor once the refit has counts", () => {
  for (const isCurrent of [false, true]) {
    const width = 2, n = 60_000;
    const all = normalRows({ n, shift: [0.3, 0.3], seed: 86 });
    const name = scoreName({ differences: false, pooled: false });
    const first: Feature = {
      kind: "score",
      name,
      score: {
        data: null as never,
        fill(rows, stride, from, count, out): void {
          for (let i = 0; i < count; i++) out[i] = rows[(from + i) * stride]!;
        },
      },
    };
    // With two features there would be a pair histogram, whose bound is larger than either score's.
    const others = isCurrent ? columns(1) : [first];
    const scoreBins = scoreBinsOf(all, { elements: width, differences: false, pooled: false });
    const candidates = new CandidatePartitions({
      all,
      features: others,
      known: new KnownValues(all),
      bins: new Map([[others[0]!, scoreBins]]),
    }, "thorough");
    let current = isCurrent ? featureHistogramFor(first, all) : nothing(all);
    const scores = (): CountedPartition[] =>
      candidates.ranking(current, horizon).filter(({ partition: { features } }) =>
        features.length === 1 && features[0]!.name === name
      );
    // New rows each time: fine bins overfit rows that are counted again.
    let seed = 860;
    const reviewWhen = (isDone: () => boolean): void => {
      while (!isDone()) {
        count(candidates, normalRows({ n, shift: [0.3, 0.3], seed: seed++ }), current);
        if (candidates.isReviewDue) current = candidates.review(current, all.rows) ?? current;
      }
    };
    assertEquals(scores().length, 1);
    reviewWhen(() => scores().length === 2);
    reviewWhen(() => scores().length === 1);
    const [left] = scores();
    assert(left!.partition.features[0] !== first);
  }
});

/** Scores of columns or their differences, on their own or pooled. */
function checkRefits(kinds: readonly Pick<ScoreBins, "differences" | "pooled">[]): void {
  const width = 2, n = 60_000, stored = 20_000;
  const all = normalRows({ n, shift: [0.3, 0.3], seed: 85 });
  const first = {
    rows: all.rows.subarray(0, stored * width),
    labels: all.labels.subarray(0, stored),
    width,
  };
  const features = columns(kinds.length);
  const candidates = new CandidatePartitions({
    all: first,
    features,
    known: new KnownValues(first),
    bins: new Map(
      kinds.map((kind, k) => [features[k]!, scoreBinsOf(all, { elements: width, ...kind })]),
    ),
  }, "sparing");
  const current = nothing(first);
  let draws = stored;
  const add = (rows: number): void => {
    for (; rows > 0; rows -= n) {
      const some = Math.min(rows, n);
      candidates.count(all.rows.subarray(0, some * width), (draws % 2) as 0 | 1);
      draws += some;
      // Reviews for other reasons take place here.
      if (rows > n && candidates.isReviewDue) candidates.review(current, all.rows);
    }
  };
  // The first refit begins with the stored rows.
  for (const rows of [2 ** 15 - stored, 2 ** 18, 2 ** 20]) {
    add(rows - 1);
    if (candidates.isReviewDue) candidates.review(current, all.rows);
    assert(!candidates.isReviewDue, `${draws}`);
    add(1);
    assert(candidates.isReviewDue, `${draws}`);
    candidates.review(current, all.rows);
    assert(!candidates.isReviewDue);
    const found = candidates.ranking(current, horizon)
      .flatMap(({ partition }) => partition.features.map(({ name }) => name));
    for (const name of kinds.map(scoreName)) {
      assert(found.includes(name), `${found} without ${name}`);
    }
  }
  // No refit follows: only reviews are due, the next one at 1.7 times the draws or later.
  add(Math.floor(0.65 * draws));
  assert(!candidates.isReviewDue);
}
