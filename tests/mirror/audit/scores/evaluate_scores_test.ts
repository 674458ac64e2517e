import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { MAX_BINS } from "../../../../lib/audit/scores/score_bins.ts";
import { scoreOf, type WeightedScoreBins } from "../../../../lib/audit/scores/evaluate_scores.ts";

const TERMS = 3;

/** Score bins from the thresholds of each group and a weight for every bin. */
function scoreBinsWith(
  groups: readonly (readonly number[])[],
  { weights, differences = false, sign = [1, 1, 1] }: {
    weights: readonly number[];
    differences?: boolean;
    sign?: readonly number[];
  },
): WeightedScoreBins {
  const thresholds = new Float64Array(groups.length * (MAX_BINS - 1)).fill(Infinity);
  groups.forEach((group, g) => thresholds.set(group.toSorted((a, b) => a - b), g * (MAX_BINS - 1)));
  return {
    thresholds,
    terms: TERMS,
    differences,
    pooled: groups.length === 1,
    sign: Int8Array.from(sign),
    weights: Float64Array.from(weights),
  };
}

/** The score by its definition. */
function plainScore(
  { thresholds, weights, differences, pooled, sign }: WeightedScoreBins,
  row: readonly number[],
): number {
  let score = 0;
  for (let j = 0; j < TERMS; j++) {
    if (sign[j] === 0) continue;
    const g = pooled ? 0 : j;
    const own = thresholds.subarray(g * (MAX_BINS - 1), (g + 1) * (MAX_BINS - 1));
    const x = differences && j > 0 ? row[j]! - row[j - 1]! : row[j]!;
    const bin = Number.isNaN(x) ? MAX_BINS : own.filter((threshold) => threshold < x).length;
    score += sign[j]! * weights[g * (MAX_BINS + 1) + bin]!;
  }
  return score;
}

const value = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -4, max: 4 }) },
  { weight: 3, arbitrary: fc.double({ min: -4, max: 4, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(NaN, Infinity, -Infinity, -0, 1e300, -1e300) },
);
const table = fc.array(fc.tuple(value, value, value), { maxLength: 12 });

/** Layouts of one group or one a column, each with so many thresholds at most. */
function someScoreBins(most: number, fewest = 0): fc.Arbitrary<WeightedScoreBins> {
  const threshold = fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: -8, max: 8 }).map((k) => k / 2) },
    { weight: 1, arbitrary: fc.constantFrom(-Infinity, -1e300, 1e300) },
  );
  const thresholds = fc.uniqueArray(threshold, { minLength: fewest, maxLength: most });
  return fc.boolean().chain((pooled) => {
    const groups = pooled ? 1 : TERMS, size = groups * (MAX_BINS + 1);
    return fc.record({
      groups: fc.array(thresholds, { minLength: groups, maxLength: groups }),
      weights: fc.array(fc.integer({ min: -50, max: 50 }), { minLength: size, maxLength: size }),
      differences: fc.boolean(),
      sign: pooled
        ? fc.array(fc.integer({ min: -1, max: 1 }), { minLength: TERMS, maxLength: TERMS })
        : fc.constant([1, 1, 1]),
    });
  }).map(({ groups, ...rest }) => scoreBinsWith(groups, rest));
}

function fill(scoreBins: WeightedScoreBins, rows: readonly (readonly number[])[]): Float64Array {
  const out = new Float64Array(rows.length);
  scoreOf(scoreBins).fill(Float64Array.from(rows.flat()), TERMS, 0, rows.length, out);
  return out;
}

// Mutants: < for <=, a step of the search left out, NaN in the first bin or in the last one, a sign ignored, a column
// of sign 0 that the next difference is not taken from; of a table over equal bins of the line: the weight at the
// middle of its bin for values at a threshold, a line that begins at a threshold of −∞, one table for all groups.
Deno.test("AdditiveScore.fill() adds up the weights of the values' bins, for few thresholds and for many", () => {
  for (const scoreBins of [someScoreBins(3), someScoreBins(MAX_BINS - 1, 4)]) {
    fc.assert(
      fc.property(scoreBins, table, (own, rows) => {
        const scores = fill(own, rows);
        // + 0 for −0.
        rows.forEach((row, i) => assertEquals(scores[i]! + 0, plainScore(own, row) + 0));
      }),
      { seed: 41, numRuns: 1000 },
    );
  }
});

// Mutants: `from` ignored, a width taken for the number of terms, more written than asked for.
Deno.test("AdditiveScore.fill() scores the rows asked for, whatever their other columns hold", () => {
  fc.assert(
    fc.property(
      fc.oneof(someScoreBins(3), someScoreBins(MAX_BINS - 1, 4)),
      table,
      fc.nat(5),
      fc.nat(5),
      (scoreBins, rows, from, n) => {
        const count = Math.max(0, Math.min(n, rows.length - from));
        const wide = rows.flatMap((row) => [...row, NaN, 7]);
        const out = new Float64Array(rows.length + 1).fill(-99), expected = out.slice();
        scoreOf(scoreBins).fill(Float64Array.from(wide), TERMS + 2, from, count, out);
        expected.set(fill(scoreBins, rows).slice(from, from + count));
        assertEquals(out, expected);
      },
    ),
    { seed: 43, numRuns: 500 },
  );
});

// Mutant: the score of differences taken for the differences of scores; a first column left out.
Deno.test("AdditiveScore.fill() of differences scores prefix sums as the terms score the summands", () => {
  fc.assert(
    fc.property(
      fc.oneof(someScoreBins(3), someScoreBins(MAX_BINS - 1, 4)),
      fc.array(
        fc.tuple(...Array.from({ length: TERMS }, () => fc.integer({ min: -400, max: 400 }))),
      ),
      (scoreBins, whole) => {
        // Multiples of 1/64 add up without rounding.
        const summands = whole.map((row) => row.map((x) => x / 64));
        const sums = summands.map(([a, b, c]) => [a!, a! + b!, a! + b! + c!]);
        assertEquals(
          fill({ ...scoreBins, differences: true }, sums),
          fill({ ...scoreBins, differences: false }, summands),
        );
      },
    ),
    { seed: 44, numRuns: 300 },
  );
});

// Mutants: a line of which a table has no bins, for its span is 0 or infinite in doubles.
Deno.test("AdditiveScore.fill() finds its bins at any scale of the thresholds", () => {
  const weights = Array.from({ length: MAX_BINS + 1 }, (_, bin) => bin);
  for (const scale of [Number.MIN_VALUE, 1e-300, 1e-9, 1, 1e9, 1e300, Number.MAX_VALUE / 5]) {
    const thresholds = [-5, -3, -1, 1, 3, 5].map((threshold) => threshold * scale);
    const scoreBins = scoreBinsWith([thresholds], { weights, sign: [1, 0, 0] });
    const places = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5].map((place) => [place * scale, 0, 0]);
    assertEquals([...fill(scoreBins, places)], [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5], `${scale}`);
  }
});
