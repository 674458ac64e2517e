import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { binIndex, countBins, fillBins } from "../../../../lib/audit/encoding/bin_index.ts";

/** Cuts that lie close together, far apart, at the ends of the doubles, or on a grid of values. */
const someCuts = fc.oneof(
  fc.array(fc.double({ noNaN: true }), { maxLength: 30 }),
  fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 30 }),
  fc.array(fc.integer({ min: 0, max: 40 }).map((k) => 1e16 + 2 * k), { maxLength: 30 }),
  fc.array(fc.integer({ min: 0, max: 40 }).map((k) => k * Number.MIN_VALUE), { maxLength: 30 }),
  fc.array(fc.integer({ min: 0, max: 5000 }).map((k) => 0.1 + k / 3000), { maxLength: 100 }),
).map((cuts) => Float64Array.from(new Set(cuts)).sort());

const cutsAndValues = fc.tuple(
  someCuts,
  fc.array(fc.oneof(fc.double(), fc.constantFrom(NaN, Infinity, -Infinity, 0, -0)), {
    maxLength: 30,
  }),
  fc.array(fc.nat(99), { maxLength: 20 }),
).map(([cuts, values, places]) => {
  // Ties and the doubles next to a tie.
  const ties = cuts.length === 0 ? [] : places.map((k) => cuts[k % cuts.length]!);
  const near = ties.flatMap((x) => [x, x * (1 + Number.EPSILON), x * (1 - Number.EPSILON)]);
  return [cuts, Float64Array.from([...values, ...near])] as const;
});

Deno.test("fillBins() counts the cuts below each value, whatever the scale", () => {
  fc.assert(
    fc.property(cutsAndValues, ([cuts, values]) => {
      const cells = new Int32Array(values.length);
      fillBins(binIndex(cuts), values, values.length, cells);
      values.forEach((x, i) => {
        const below = Number.isNaN(x) ? cuts.length + 1 : cuts.filter((cut) => cut < x).length;
        assertEquals(cells[i], below, `${x} among ${cuts}`);
      });
    }),
    { seed: 9, numRuns: 2000 },
  );
});

Deno.test("countBins() tallies what fillBins() says, and adds to what was there", () => {
  fc.assert(
    fc.property(cutsAndValues, ([cuts, values]) => {
      const guide = binIndex(cuts);
      const cells = new Int32Array(values.length);
      fillBins(guide, values, values.length, cells);
      const hits = new Float64Array(cuts.length + 2).fill(3);
      countBins(guide, values, values.length, hits);
      const expected = new Float64Array(cuts.length + 2).fill(3);
      for (const cell of cells) expected[cell]!++;
      assertEquals(hits, expected);
    }),
    { seed: 10, numRuns: 300 },
  );
});

/** The number of cuts below x by halving. */
function searched(cuts: Float64Array, x: number): number {
  let low = 0, high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cuts[middle]! < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Mutant: cuts counted among the finite ones alone.
Deno.test("fillBins() says what a search says where some cuts are infinite", () => {
  const ends = fc.constantFrom([-Infinity], [Infinity], [-Infinity, Infinity]);
  fc.assert(
    fc.property(cutsAndValues, ends, ([finite, values], infinite) => {
      const cuts = Float64Array.from(new Set([...finite, ...infinite])).sort();
      // An interval partition has one more threshold at infinity, even after an infinite cut.
      for (const own of [cuts, Float64Array.of(...cuts, Infinity)]) {
        const all = Float64Array.from([
          ...values,
          ...infinite,
          -Number.MAX_VALUE,
          Number.MAX_VALUE,
        ]);
        const cells = new Int32Array(all.length);
        fillBins(binIndex(own), all, all.length, cells);
        all.forEach((x, i) => {
          const expected = Number.isNaN(x) ? own.length + 1 : searched(own, x);
          assertEquals(cells[i], expected, `${x} among ${own}`);
        });
      }
    }),
    { seed: 11, numRuns: 500 },
  );
});
