import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { profileCuts } from "../../lib/audit/cuts.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";

/** How many of the values lie in each cell, and how often the most frequent of them. */
function cellsOf(values: Float64Array, cuts: Float64Array): { count: number; most: number }[] {
  const cells = Array.from({ length: cuts.length + 1 }, () => ({ count: 0, most: 0 }));
  let last = NaN, run = 0, cell = 0;
  for (const x of values.filter((x) => !Number.isNaN(x)).sort()) {
    while (cell < cuts.length && cuts[cell]! < x) cell++;
    run = x === last ? run + 1 : 1;
    cells[cell]!.count++;
    cells[cell]!.most = Math.max(cells[cell]!.most, run);
    last = x;
  }
  return cells;
}

// Mutants: NaN or an infinity lost or kept, values in the order in which they came.
Deno.test("profileCuts() of few different values are the values, in order", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(fc.integer({ min: -30, max: 30 }), fc.constantFrom(NaN, Infinity, -Infinity)),
      ),
      (values) => {
        const distinct = [...new Set(values)].filter((x) => !Number.isNaN(x));
        assertEquals(
          profileCuts(Float64Array.from(values)),
          Float64Array.from(distinct.sort((a, b) => a < b ? -1 : 1)),
        );
      },
    ),
    { seed: 61, numRuns: 300 },
  );
  assertEquals(profileCuts(new Float64Array(0)), new Float64Array(0));
  assertEquals(profileCuts(new Float64Array(1000).fill(NaN)), new Float64Array(0));
});

/** Many values: a continuous law, of which some are rounded to multiples of `step`, and some missing. */
function manyValues(
  n: number,
  { seed, atoms = 0, missing = 0 }: { seed: number; atoms?: number; missing?: number },
): Float64Array {
  const source = new SeededSource("cuts").split(seed);
  return Float64Array.from({ length: n }, () => {
    if (source.uniform() < missing) return NaN;
    const x = Math.log(source.uniform()) - Math.log(source.uniform());
    return source.uniform() < atoms ? Math.round(x) : x;
  });
}

// Mutants: equal cells of the line (one of which holds most of the values), a cut twice, NaN as a cut.
Deno.test("profileCuts() of many values leaves no large cell but of a single value", () => {
  for (
    const [n, atoms, missing] of [[500, 0, 0], [10_000, 0.5, 0.3], [10_000, 0, 0], [
      200_000,
      0.2,
      0,
    ]] as const
  ) {
    const values = manyValues(n, { seed: n, atoms, missing });
    const cuts = profileCuts(values);
    const own = new Set(values);
    cuts.forEach((cut, k) => assert(own.has(cut) && (k === 0 || cuts[k - 1]! < cut)));
    const present = values.filter((x) => !Number.isNaN(x)).length;
    for (const { count, most } of cellsOf(values, cuts)) {
      // 200,000 values are sampled: a few others may lie between a frequent one and the cut below.
      assert(count - most < 0.012 * present + 8, `${count} of ${present}, ${most} of them equal`);
    }
  }
});

// Mutant: quantiles alone, whose outermost cells are too coarse for rare events.
Deno.test("profileCuts() reaches far into both tails", () => {
  const values = manyValues(30_000, { seed: 1 });
  const cells = cellsOf(values, profileCuts(values));
  for (const { count } of [cells[0]!, cells.at(-1)!]) assert(count <= 24, `${count} at an end`);
  // Towards an end the cells grow ever smaller, none more than half of those beyond it.
  for (const side of [cells, cells.toReversed()]) {
    let beyond = side[0]!.count;
    for (const { count } of side.slice(1, 8)) {
      assert(count <= beyond, `${count} next to ${beyond}`);
      beyond += count;
    }
  }
});

// Mutant: a repeated value as a cut above only: it shares its cell with the values just below.
Deno.test("profileCuts() gives a value that repeats often a cell of its own", () => {
  const values = manyValues(20_000, { seed: 2 });
  for (let i = 0; i < values.length; i += 50) values[i] = 0.25;
  for (let i = 1; i < values.length; i += 50) values[i] = Infinity;
  for (let i = 2; i < values.length; i += 50) values[i] = -Infinity;
  const cuts = profileCuts(values);
  const cells = cellsOf(values, cuts);
  assertEquals(cells[cuts.indexOf(0.25)], { count: 400, most: 400 });
  assertEquals(cells[cuts.indexOf(-Infinity)], { count: 400, most: 400 });
  assertEquals(cells[cuts.indexOf(Infinity)], { count: 400, most: 400 });
});

// Mutant: a sample taken before missing values are left out, which may be of nothing else.
Deno.test("profileCuts() cuts the values that are there, wherever the missing ones are", () => {
  const source = new SeededSource("holes");
  const present = Float64Array.from({ length: 1 << 16 }, () => source.uniform());
  for (const odd of [0, 1]) {
    const values = new Float64Array(1 << 17).fill(NaN);
    present.forEach((x, i) => values[2 * i + odd] = x);
    const cuts = profileCuts(values);
    assertEquals(cuts, profileCuts(present));
    assert(cuts.length > 96 && cuts.every((cut) => cut > 0 && cut < 1));
  }
});
