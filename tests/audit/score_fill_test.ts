import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { MAX_CELLS } from "../../lib/audit/score_cells.ts";
import { type Layout, scoreOf } from "../../lib/audit/score_fill.ts";

const TERMS = 3;

/** A layout from the cuts of each group and a weight for every cell. */
function layoutOf(
  groups: readonly (readonly number[])[],
  { weights, differences = false, sign = [1, 1, 1] }: {
    weights: readonly number[];
    differences?: boolean;
    sign?: readonly number[];
  },
): Layout {
  const cuts = new Float64Array(groups.length * (MAX_CELLS - 1)).fill(Infinity);
  groups.forEach((group, g) => cuts.set(group.toSorted((a, b) => a - b), g * (MAX_CELLS - 1)));
  return {
    cuts,
    terms: TERMS,
    differences,
    pooled: groups.length === 1,
    sign: Int8Array.from(sign),
    weights: Float64Array.from(weights),
  };
}

/** The score by its definition; undefined if a value lies within `margin` above or below a cut. */
function plainScore(
  { cuts, weights, differences, pooled, sign }: Layout,
  row: readonly number[],
  margin = 0,
): number | undefined {
  let score = 0;
  for (let j = 0; j < TERMS; j++) {
    if (sign[j] === 0) continue;
    const g = pooled ? 0 : j;
    const own = cuts.subarray(g * (MAX_CELLS - 1), (g + 1) * (MAX_CELLS - 1))
      .filter((cut) => cut < Infinity);
    const x = differences && j > 0 ? row[j]! - row[j - 1]! : row[j]!;
    const near = margin * (own.at(-1)! - own[0]!);
    if (margin > 0 && own.some((cut) => Math.abs(x - cut) < near)) return undefined;
    const cell = Number.isNaN(x) ? MAX_CELLS : own.filter((cut) => cut < x).length;
    score += sign[j]! * weights[g * (MAX_CELLS + 1) + cell]!;
  }
  return score;
}

const special = fc.constantFrom(NaN, Infinity, -Infinity, -0);
const value = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -4, max: 4 }) },
  { weight: 3, arbitrary: fc.double({ min: -4, max: 4, noNaN: true }) },
  { weight: 1, arbitrary: special },
);
const table = fc.array(fc.tuple(value, value, value), { maxLength: 12 });

/** Layouts of one group or one a column, each with so many cuts at most. */
function layouts(maxCuts: number, minCuts = 0): fc.Arbitrary<Layout> {
  const cuts = fc.uniqueArray(fc.integer({ min: -4, max: 4 }), {
    minLength: minCuts,
    maxLength: maxCuts,
  });
  return fc.boolean().chain((pooled) => {
    const groups = pooled ? 1 : TERMS, size = groups * (MAX_CELLS + 1);
    return fc.record({
      groups: fc.array(cuts, { minLength: groups, maxLength: groups }),
      weights: fc.array(fc.integer({ min: -50, max: 50 }), { minLength: size, maxLength: size }),
      differences: fc.boolean(),
      sign: pooled
        ? fc.array(fc.integer({ min: -1, max: 1 }), { minLength: TERMS, maxLength: TERMS })
        : fc.constant([1, 1, 1]),
    });
  }).map(({ groups, ...rest }) => layoutOf(groups, rest));
}

function fill(layout: Layout, rows: readonly (readonly number[])[]): Float64Array {
  const out = new Float64Array(rows.length);
  scoreOf(layout).fill(Float64Array.from(rows.flat()), TERMS, 0, rows.length, out);
  return out;
}

// Mutants: < for <=, the second halving off by one, NaN in the first cell, a sign forgotten, a column of
// sign 0 that the next difference is not taken from.
Deno.test("AdditiveScore.fill() adds up the weights of the values' cells, for few cuts", () => {
  fc.assert(
    fc.property(layouts(3), table, (layout, rows) => {
      const scores = fill(layout, rows);
      rows.forEach((row, i) => assertEquals(scores[i]! + 0, plainScore(layout, row)! + 0));
    }),
    { seed: 41, numRuns: 1000 },
  );
});

// Mutants: one of the two outer cells missing, a grid of one group for all, the weight of the missing
// cell a place off, infinities that leave the table.
Deno.test("AdditiveScore.fill() finds by its grid what the cuts say, but for values next to a cut", () => {
  let compared = 0;
  fc.assert(
    fc.property(layouts(9, 4), table, (layout, rows) => {
      const scores = fill(layout, rows);
      rows.forEach((row, i) => {
        const expected = plainScore(layout, row, 1.01 / 128);
        assert(Number.isFinite(scores[i]!));
        if (expected === undefined) return;
        compared++;
        assertEquals(scores[i]! + 0, expected + 0);
      });
    }),
    { seed: 42, numRuns: 1000 },
  );
  assert(compared > 1000, `${compared} compared`);
});

// Mutants: `from` forgotten, a width taken for the number of terms, more written than asked for.
Deno.test("AdditiveScore.fill() looks at the rows asked for, whatever else they hold", () => {
  fc.assert(
    fc.property(
      fc.oneof(layouts(3), layouts(9, 4)),
      table,
      fc.nat(5),
      fc.nat(5),
      (layout, rows, from, n) => {
        const count = Math.max(0, Math.min(n, rows.length - from));
        const wide = rows.flatMap((row) => [...row, NaN, 7]);
        const out = new Float64Array(rows.length + 1).fill(-99), expected = out.slice();
        scoreOf(layout).fill(Float64Array.from(wide), TERMS + 2, from, count, out);
        expected.set(fill(layout, rows).slice(from, from + count));
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
      fc.oneof(layouts(3), layouts(9, 4)),
      fc.array(
        fc.tuple(...Array.from({ length: TERMS }, () => fc.integer({ min: -400, max: 400 }))),
      ),
      (layout, whole) => {
        // Multiples of 1/64 add up without rounding.
        const summands = whole.map((row) => row.map((x) => x / 64));
        const sums = summands.map(([a, b, c]) => [a!, a! + b!, a! + b! + c!]);
        assertEquals(
          fill({ ...layout, differences: true }, sums),
          fill({ ...layout, differences: false }, summands),
        );
      },
    ),
    { seed: 44, numRuns: 300 },
  );
});

// Mutant: the grid's cells equal on the whole line of doubles, or of a span that overflows to NaN.
Deno.test("AdditiveScore.fill() is finite and ordered at any scale of the cuts", () => {
  const weights = Array.from({ length: MAX_CELLS + 1 }, (_, cell) => cell);
  for (const scale of [1e-300, 1e-9, 1, 1e9, 1e300]) {
    const layout = layoutOf([[1, 2, 3, 4, 5].map((cut) => cut * scale)], {
      weights,
      sign: [1, 0, 0],
    });
    const places = [-1e4, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 1e4];
    const scores = fill(layout, places.map((x) => [x * scale, 0, 0]));
    assertEquals([...scores], [0, 0, 1, 2, 3, 4, 5, 5], `${scale}`);
  }
  assertAlmostEquals(fill(layoutOf([[1, 2, 3, 4, 5]], { weights }), [[NaN, NaN, NaN]])[0]!, 48);
});
