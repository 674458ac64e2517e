import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import {
  countScoreBins,
  MAX_BINS,
  placeBins,
  type ScoreBins,
  scoreBinsOf,
} from "../../../../lib/audit/scores/score_bins.ts";
import { normalRows, noShift } from "../labelled_rows.ts";

const OWN = { differences: false, pooled: false } as const;

const value = fc.oneof(
  fc.integer({ min: -4, max: 4 }),
  fc.double({ min: -4, max: 4, noNaN: true }),
  fc.constantFrom(NaN, Infinity, -Infinity, -0),
);

const cutsOfOne = fc.uniqueArray(fc.integer({ min: -4, max: 4 }), { maxLength: MAX_BINS - 1 })
  .map((thresholds) => {
    const padded = new Float64Array(MAX_BINS - 1).fill(Infinity);
    padded.set(thresholds.toSorted((a, b) => a - b));
    return padded;
  });

/** The number of thresholds below x; a bin of its own for NaN. */
function cellAmong(thresholds: Float64Array, x: number): number {
  return Number.isNaN(x) ? MAX_BINS : thresholds.filter((threshold) => threshold < x).length;
}

/** The values that are looked up: the columns, or successive differences, the first from 0. */
function valueAt(row: readonly number[], j: number, differences: boolean): number {
  return differences && j > 0 ? row[j]! - row[j - 1]! : row[j]!;
}

const pairs = fc.array(fc.tuple(value, value), { maxLength: 20 });

// Mutants: < for <=, a halving left out, NaN in the lowest bin, rows written without the offset.
Deno.test("placeBins() writes the number of thresholds below each value, in the place of its column", () => {
  fc.assert(
    fc.property(pairs, cutsOfOne, cutsOfOne, fc.boolean(), (table, first, second, differences) => {
      const thresholds = new Float64Array(2 * (MAX_BINS - 1));
      thresholds.set(first);
      thresholds.set(second, MAX_BINS - 1);
      const bins: ScoreBins = {
        thresholds,
        terms: 2,
        differences,
        pooled: false,
        sign: Int8Array.of(1, 1),
      };
      const n = table.length, room = n + 5, offset = 3;
      const placed = new Uint8Array(2 * room).fill(99), expected = placed.slice();
      placeBins(bins, Float64Array.from(table.flat()), 2, n, placed, room, offset);
      table.forEach((row, i) => {
        for (const [j, own] of [first, second].entries()) {
          expected[j * room + offset + i] = cellAmong(own, valueAt(row, j, differences));
        }
      });
      assertEquals(placed, expected);
    }),
    { seed: 31, numRuns: 500 },
  );
});

// Mutants: the label exchanged for no sign or for every one, columns of sign 0 counted (or not stepped
// over by the differences), the rows of the other half counted.
Deno.test("countScoreBins() counts every second row's values by bin and label, signs respected", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(value, value, value, fc.nat(1)), { maxLength: 20 }),
      cutsOfOne,
      fc.tuple(...Array.from({ length: 3 }, () => fc.integer({ min: -1, max: 1 }))),
      fc.boolean(),
      fc.nat(1),
      (table, thresholds, signs, differences, parity) => {
        const sign = Int8Array.from(signs);
        const bins: ScoreBins = { thresholds, terms: 3, differences, pooled: true, sign };
        const counts = new Float64Array(2 * (MAX_BINS + 1)).fill(1), expected = counts.slice();
        const rows = Float64Array.from(table.flatMap((row) => row.slice(0, 3)));
        const labels = Uint8Array.from(table, (row) => row[3]);
        countScoreBins(bins, rows, 3, labels, parity, counts);
        table.forEach((row, i) => {
          if (i % 2 !== parity) return;
          signs.forEach((factor, j) => {
            if (factor === 0) return;
            const label = factor === 1 ? row[3] : 1 - row[3];
            expected[2 * cellAmong(thresholds, valueAt(row, j, differences)) + label]!++;
          });
        });
        assertEquals(counts, expected);
      },
    ),
    { seed: 32, numRuns: 500 },
  );
});

/** Rows in each bin of a column. */
function tally(values: Float64Array, thresholds: Float64Array): number[] {
  const counts = Array.from({ length: MAX_BINS + 1 }, () => 0);
  for (const x of values) counts[cellAmong(thresholds, x)]!++;
  return counts;
}

// Mutants: equal bins of the line for quantiles, one column's thresholds for all columns.
Deno.test("scoreBinsOf() has each column's thresholds at its own quantiles", () => {
  const { rows, labels, width } = normalRows({ n: 8192, shift: noShift(2), seed: 1 });
  const scaled = rows.map((x, at) => at % 2 === 0 ? Math.exp(4 * x) : 100 * x);
  const { thresholds } = scoreBinsOf({ rows: scaled, labels, width }, { elements: 2, ...OWN });
  for (const j of [0, 1]) {
    const own = thresholds.subarray(j * (MAX_BINS - 1), (j + 1) * (MAX_BINS - 1));
    const counts = tally(scaled.filter((_, at) => at % 2 === j), own).slice(0, MAX_BINS);
    // The quantiles are those of half the rows: a bin of 512 is off by 4 deviations of 32 at most.
    assert(counts.every((count) => Math.abs(count - 512) < 128), `${counts}`);
  }
});

// Mutant: thresholds chosen by the labels, which would undo the cross-fitting.
Deno.test("scoreBinsOf() does not depend on the labels, whatever the options", () => {
  const { rows, labels, width } = normalRows({ n: 1000, shift: [2, 0, -2], seed: 2 });
  for (const differences of [false, true]) {
    for (const pooled of [false, true]) {
      const options = { elements: 3, differences, pooled };
      const flipped = labels.map((label) => 1 - label);
      assertEquals(
        scoreBinsOf({ rows, labels, width }, options),
        scoreBinsOf({ rows, labels: flipped, width }, options),
      );
    }
  }
});

// Mutant: only the repeated value itself as a threshold, so that the rare one below shares its bin.
Deno.test("scoreBinsOf() gives a frequent value a bin of its own, its rare neighbours apart", () => {
  const values = Float64Array.from(
    { length: 3000 },
    (_, i) => i % 100 < 45 ? 0 : i % 100 < 48 ? 1 : 2,
  );
  const labels = new Uint8Array(values.length);
  const { thresholds } = scoreBinsOf({ rows: values, labels, width: 1 }, { elements: 1, ...OWN });
  assertEquals(tally(values, thresholds).filter((count) => count > 0), [1350, 90, 1560]);
});

// Mutant: as many bins for few rows as for many.
Deno.test("scoreBinsOf() has fewer bins for few rows, more where columns are pooled", () => {
  const finite = (n: number, pooled: boolean): number => {
    const { rows, labels, width } = normalRows({ n, shift: noShift(8), seed: 3 });
    const { thresholds } = scoreBinsOf({ rows, labels, width }, {
      elements: 8,
      differences: false,
      pooled,
    });
    return thresholds.filter((threshold) => threshold < Infinity).length / (pooled ? 1 : 8);
  };
  assert(finite(256, false) < finite(8192, false));
  assert(finite(256, false) < finite(256, true));
});

// Mutants: NaN sorted in among the quantiles; a column left out by its sign that sets the thresholds.
Deno.test("scoreBinsOf() leaves missing values and columns of sign 0 out of the thresholds", () => {
  const { rows, labels, width } = normalRows({ n: 2000, shift: noShift(2), seed: 4 });
  const holes = rows.map((x, at) => at % 6 === 0 ? NaN : at % 2 === 1 ? 1e6 + x : x);
  const { thresholds } = scoreBinsOf({ rows: holes, labels, width }, {
    elements: 2,
    differences: false,
    pooled: true,
    signs: Int8Array.of(1, 0),
  });
  assertEquals(thresholds.length, MAX_BINS - 1);
  assert(thresholds.every((threshold) => Math.abs(threshold) < 4), `${thresholds}`);
  const missing = new Float64Array(2000).fill(NaN);
  const none = scoreBinsOf({ rows: missing, labels, width: 1 }, { elements: 1, ...OWN });
  assertEquals(none.thresholds, new Float64Array(MAX_BINS - 1).fill(Infinity));
});
