import { assert, assertEquals } from "@std/assert";
import { fitAdditive } from "../../../../lib/audit/scores/additive_fit.ts";
import {
  MAX_BINS,
  placeBins,
  type ScoreBins,
  scoreBinsOf,
} from "../../../../lib/audit/scores/score_bins.ts";
import { scoreOf } from "../../../../lib/audit/scores/evaluate_scores.ts";
import { AdditiveScoreRefit } from "../../../../lib/audit/scores/refit_additive_score.ts";
import { normalRows, noShift } from "../labelled_rows.ts";

/** Numbers to a row, and rows of a refit. */
const WIDTH = 3;
const ROOM = 1 << 20;
/** Rows of a side to draw batches from. */
const SIDE = 60_000;

const left = normalRows({ n: SIDE, shift: noShift(WIDTH), seed: 31 }).rows;
const right = normalRows({ n: SIDE, shift: noShift(WIDTH), seed: 32 }).rows
  .map((x, at) => at % WIDTH === 1 ? x : x + 0.1);

function scoreBinsFor(differences: boolean): ScoreBins {
  const all = normalRows({ n: 4000, shift: [0.1, 0, 0.1], seed: 33 });
  return scoreBinsOf(all, { elements: WIDTH, differences, pooled: false });
}

/** Fills a refit with batches of changing size, an empty one first; returns the batches. */
function fill(refit: AdditiveScoreRefit): { label: 0 | 1; from: number; to: number }[] {
  const batches = [];
  for (let k = 0; !refit.isFull; k++) {
    const label = (k % 2) as 0 | 1;
    const from = 1700 * k % 10_000, to = from + 4111 * k % 50_000;
    refit.add((label === 0 ? left : right).subarray(from * WIDTH, to * WIDTH), WIDTH, label);
    batches.push({ label, from, to });
    assert(k < 1e4);
  }
  return batches;
}

// Mutants: a batch written over the one before it, labels a batch late, columns that overlap, rows
// beyond the room written into the next column.
Deno.test("AdditiveScoreRefit.finish() is the score of one fit to all rows", () => {
  for (const differences of [false, true]) {
    const scoreBins = scoreBinsFor(differences);
    const refit = new AdditiveScoreRefit(scoreBins, ROOM);
    const batches = fill(refit);
    // Nothing more is learned once it is full.
    refit.add(left.subarray(0, 50 * WIDTH), WIDTH, 1);

    const bins = new Uint8Array(ROOM * WIDTH), labels = new Uint8Array(ROOM);
    let offset = 0;
    for (const { label, from, to } of batches) {
      const rows = (label === 0 ? left : right).subarray(from * WIDTH, to * WIDTH);
      const n = Math.min(to - from, ROOM - offset);
      placeBins(scoreBins, rows, WIDTH, n, bins, ROOM, offset);
      labels.fill(label, offset, offset += n);
    }
    assertEquals(offset, ROOM);
    const weights = fitAdditive({ bins, labels, columns: WIDTH, size: MAX_BINS + 1 });
    const { partition, counts } = refit.finish({ rows: left, width: WIDTH });
    const [feature] = partition.features;
    assert(feature?.kind === "score");
    assertEquals(feature.name, differences ? "score(differences)" : "score(output)");
    for (const rows of [left, right]) {
      const scores = new Float64Array(SIDE), expected = scores.slice();
      feature.score.fill(rows, WIDTH, 0, SIDE, scores);
      scoreOf({ ...scoreBins, weights }).fill(rows, WIDTH, 0, SIDE, expected);
      assertEquals(scores, expected);
      assert(scores.some((score) => score !== 0));
    }
    // The rows of its thresholds are not counted: they may be among those that it was fitted to.
    assertEquals(counts, new Float64Array(counts.length));
    assert(partition.left.length > 100);
  }
});

// Mutant: full after the first batch, or one row early.
Deno.test("AdditiveScoreRefit.isFull is true only when there is no room for a row", () => {
  const refit = new AdditiveScoreRefit(scoreBinsFor(false), ROOM);
  let count = 0;
  for (; count + 50_000 < ROOM; count += 50_000) {
    assert(!refit.isFull);
    refit.add(left.subarray(0, 50_000 * WIDTH), WIDTH, 0);
  }
  refit.add(left.subarray(0, (ROOM - count - 1) * WIDTH), WIDTH, 0);
  assert(!refit.isFull);
  refit.add(new Float64Array(0), WIDTH, 1);
  assert(!refit.isFull);
  refit.add(left.subarray(0, WIDTH), WIDTH, 1);
  assert(refit.isFull);
});
