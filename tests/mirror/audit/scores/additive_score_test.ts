import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import type { LabelledRows } from "../../../../lib/audit/encoding/labelled_rows.ts";
import {
  learnAdditiveScore,
  shrunkLogRatios,
} from "../../../../lib/audit/scores/additive_score.ts";
import type { ScoreOptions } from "../../../../lib/audit/scores/score_bins.ts";
import { shrinkWeights } from "../../../../lib/audit/scores/shrink_weights.ts";
import { association, normalRows, noShift } from "../labelled_rows.ts";

/** All four kinds of score, of so many columns. */
function kinds(elements: number): ScoreOptions[] {
  return [false, true].flatMap((differences) =>
    [false, true].map((pooled) => ({ elements, differences, pooled }))
  );
}

function named({ differences, pooled }: ScoreOptions): string {
  return `${pooled ? "pooled " : ""}${differences ? "differences" : "values"}`;
}

/** The rows of one parity: the score of the other half is independent of their labels. */
function half<T>(all: Iterable<T>, parity: number): T[] {
  return [...all].filter((_, i) => i % 2 === parity);
}

// Mutant: rows scored by weights that were learned from them.
Deno.test("learnAdditiveScore() scores a row without the labels of its half", () => {
  const all = normalRows({ n: 1001, shift: [0.5, 0, -0.5, 1], seed: 11 });
  for (const options of kinds(4)) {
    const { values } = learnAdditiveScore(all, options);
    for (const parity of [0, 1]) {
      const labels = all.labels.map((label, i) => i % 2 === parity ? 1 - label : label);
      const changed = learnAdditiveScore({ ...all, labels }, options).values;
      assertEquals(half(changed, parity), half(values, parity), named(options));
      assert(half(changed, 1 - parity).some((x, i) => x !== half(values, 1 - parity)[i]));
    }
  }
});

// Mutant: the naive scores themselves, which the same check finds associated with the label.
Deno.test("learnAdditiveScore()'s values are independent of random labels, where naive scores are not", () => {
  for (const options of kinds(20)) {
    const cross: number[] = [], naive: number[] = [], labels: number[] = [];
    for (let run = 0; run < (options.pooled ? 40 : 4); run++) {
      const all = normalRows({ n: 1000, shift: noShift(20), seed: 100 + run });
      const { score, values } = learnAdditiveScore(all, options);
      const own = new Float64Array(1000);
      score.fill(all.rows, all.width, 0, 1000, own);
      cross.push(...half(values, 0));
      naive.push(...half(own, 0));
      labels.push(...half(all.labels, 0));
    }
    // About standard normal, given the other half: beyond 4 with chance 6.4e-5, for each of 4 kinds.
    assert(Math.abs(association(cross, labels)) < 4, `${named(options)}`);
    assert(association(naive, labels) > 4, `${named(options)}: ${association(naive, labels)}`);
  }
});

// Mutants: labels exchanged, terms shrunk to 0, halves scored by 0.
Deno.test("learnAdditiveScore() separates small shifts, on its rows and on later ones", () => {
  for (const options of kinds(8)) {
    // Every number moves by 0.3, or every successive difference does.
    const shift = Array.from({ length: 8 }, (_, j) => options.differences ? 0.3 * (j + 1) : 0.3);
    const all = normalRows({ n: 4000, shift, seed: 12 });
    const { score, values } = learnAdditiveScore(all, options);
    const later = normalRows({ n: 4000, shift, seed: 13 });
    const scores = new Float64Array(4000);
    score.fill(later.rows, 8, 0, 4000, scores);
    assert(association([...values], [...all.labels]) > 10, named(options));
    assert(association([...scores], [...later.labels]) > 10, named(options));
  }
});

// Mutants: signs ignored, or applied to the score but not to the counts.
Deno.test("learnAdditiveScore() pools columns that move in opposite directions, by their signs", () => {
  const shift = [0.3, -0.3, 0.3, -0.3, 0.3, -0.3];
  const all = normalRows({ n: 3000, shift, seed: 14 });
  const options = { elements: 6, differences: false, pooled: true };
  const associationWith = (signs: number[] | undefined): number => {
    const { values } = learnAdditiveScore(all, {
      ...options,
      signs: signs === undefined ? undefined : Int8Array.from(signs),
    });
    return association([...values], [...all.labels]);
  };
  assert(associationWith([1, -1, 1, -1, 1, -1]) > 12);
  assert(Math.abs(associationWith(undefined)) < 5);
  // What is left out says nothing: two columns of six have √⅓ of the deviations.
  assert(associationWith([1, -1, 0, 0, 0, 0]) < associationWith([1, -1, 1, -1, 1, -1]));
});

// Mutant: the first column's difference left out, or taken from the row before.
Deno.test("learnAdditiveScore() of differences learns from prefix sums what it does from the summands", () => {
  const { rows, labels, width } = normalRows({ n: 1500, shift: [0.5, 1, 0, -0.5], seed: 15 });
  // Multiples of 2⁻²⁰ add up without rounding.
  const summands = rows.map((x) => Math.round(x * 2 ** 20) / 2 ** 20);
  const sums = summands.map((_, at) =>
    summands.subarray(at - at % width, at + 1).reduce((a, b) => a + b, 0)
  );
  for (const pooled of [false, true]) {
    const signs = Int8Array.of(1, -1, 0, 1);
    const learn = (own: Float64Array, differences: boolean) =>
      learnAdditiveScore({ rows: own, labels, width }, { elements: 4, differences, pooled, signs });
    assertEquals(learn(sums, true).values, learn(summands, false).values);
    assertEquals(learn(sums, true).bins.thresholds, learn(summands, false).bins.thresholds);
  }
});

/** Noise in which right rows miss their second number three times as often. */
function withHoles(): LabelledRows {
  const all = normalRows({ n: 4000, shift: noShift(2), seed: 16 });
  all.labels.forEach((label, i) => {
    if (i % 100 < (label === 1 ? 60 : 20)) all.rows[2 * i + 1] = NaN;
    if (i % 100 === 99) all.rows[2 * i] = label === 1 ? Infinity : -Infinity;
  });
  return all;
}

// Mutants: NaN in the lowest bin or of no weight; infinities that make a score NaN.
Deno.test("learnAdditiveScore() learns from missing values and infinities, and stays finite", () => {
  const all = withHoles();
  for (const pooled of [false, true]) {
    const { score, values } = learnAdditiveScore(all, { elements: 2, differences: false, pooled });
    assert(values.every(Number.isFinite));
    assert(association([...values], [...all.labels]) > 15, `${pooled}`);
    const rows = [0, NaN, NaN, NaN, Infinity, -Infinity, -Infinity, Infinity, 0, 0];
    const out = new Float64Array(5);
    score.fill(Float64Array.from(rows), 2, 0, 5, out);
    assert(out.every(Number.isFinite));
    assert(out[0]! > out[4]!, "a missing number speaks for the right side");
  }
  for (const pooled of [false, true]) {
    const { values } = learnAdditiveScore(all, { elements: 2, differences: true, pooled });
    assert(values.every(Number.isFinite));
  }
});

// Mutants: the odd half of one row, quantiles of no values.
Deno.test("learnAdditiveScore() takes no rows, one row, and rows of nothing but missing values", () => {
  for (const options of kinds(2)) {
    for (const n of [0, 1, 2, 3]) {
      const rows = new Float64Array(2 * n).fill(NaN);
      const labels = Uint8Array.from({ length: n }, (_, i) => i % 2);
      const { values } = learnAdditiveScore({ rows, labels, width: 2 }, options);
      assertEquals(values.length, n);
      assert(values.every(Number.isFinite));
    }
  }
});

// Mutants: labels exchanged, the variance of one side's count, an uneven number of draws not corrected.
Deno.test("shrunkLogRatios() shrinks the log ratios of counts by their precisions", () => {
  const counts = Float64Array.of(30, 60, 500, 410, 10, 12, 0, 0, 7, 20);
  const [left, right] = [547.5, 502.5];
  const sums = new Float64Array(5), precisions = new Float64Array(5);
  // The bin that is empty says nothing.
  for (const bin of [0, 1, 2, 4]) {
    const a = counts[2 * bin]! + 0.5, b = counts[2 * bin + 1]! + 0.5;
    precisions[bin] = a * b / (a + b);
    sums[bin] = precisions[bin]! * (Math.log(b / right) - Math.log(a / left));
  }
  const expected = new Float64Array(5);
  shrinkWeights(sums, precisions, expected);
  shrunkLogRatios(counts).forEach((ratio, bin) => assertAlmostEquals(ratio, expected[bin]!, 1e-12));
  assert(expected[0]! > 0.3 && expected[1]! < 0, `${expected}`);
});
