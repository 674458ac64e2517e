import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { KnownValues } from "../../../../lib/audit/encoding/known_values.ts";
import { learnedScores } from "../../../../lib/audit/scores/learned_scores.ts";
import { ScorePredictor } from "../../../../lib/audit/scores/score_predictor.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

const BITS = 10, DRAWS = 20_000;

/** Rows of bits that are 1 with probability (1 + lean)/2 on the right side and (1 − lean)/2 on the left one. */
function rowsOf(
  source: SeededSource,
  lean: number,
): { rows: Float64Array; labels: Uint8Array; width: number } {
  const labels = Uint8Array.from({ length: DRAWS }, () => source.uint32() & 1);
  const rows = Float64Array.from(
    { length: BITS * DRAWS },
    (_, at) => +(source.uniform() < 0.5 + (labels[Math.floor(at / BITS)]! - 0.5) * lean),
  );
  return { rows, labels, width: BITS };
}

function predictorOf(lean: number): ScorePredictor {
  const all = rowsOf(new SeededSource(1), lean), values = new KnownValues(all);
  const { known } = learnedScores(all, { elements: BITS, signs: undefined, values });
  const predictor = new ScorePredictor();
  predictor.learn(
    all.labels,
    [...known].flatMap(([feature, own]) =>
      feature.kind === "score" ? [[feature.score, own] as const] : []
    ),
  );
  return predictor;
}

Deno.test("ScorePredictor predicts the odds of all numbers of an output together", () => {
  const lean = 0.1, all = rowsOf(new SeededSource(2), lean);
  const row = (ones: number): Float64Array =>
    Float64Array.from({ length: BITS }, (_, i) => +(i < ones));
  const predictor = predictorOf(lean);
  const each = Math.log((1 + lean) / (1 - lean));
  for (const ones of [1, 3, 5, 7, 9]) {
    const batch = predictor.count({ left: new Float64Array(0), right: row(ones) }, all.width)!;
    const bin = batch.leaves.find((leaf) => batch.counts[2 * leaf + 1] === 1)!;
    // Each of ten bits has a standard error of 0.03, and the outer bins hold several sums.
    assertAlmostEquals(batch.odds[bin]!, (2 * ones - BITS) * each, 0.3);
  }
});

Deno.test("ScorePredictor counts a batch after what it predicted of it", () => {
  const predictor = predictorOf(0.1);
  const side = (batch: Float64Array, label: number): number =>
    batch.reduce((sum, count, at) => sum + (at % 2 === label ? count : 0), 0);
  const rows = { left: new Float64Array(3 * BITS), right: new Float64Array(5 * BITS).fill(1) };
  const first = predictor.count(rows, BITS)!, second = predictor.count(rows, BITS)!;
  assertEquals([side(first.counts, 0), side(first.counts, 1)], [3, 5]);
  assertEquals(side(second.before, 0) - side(first.before, 0), 3);
  assertEquals(first.odds, second.odds);
});

Deno.test("ScorePredictor predicts next to nothing where the sides are alike", () => {
  const batch = predictorOf(0).count(
    { left: new Float64Array(BITS), right: new Float64Array(BITS) },
    BITS,
  );
  assert(batch === undefined || batch.odds.every((odds) => Math.abs(odds) < 0.1));
});
