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
).map((thresholds) => Float64Array.from(new Set(thresholds)).sort());

const cutsAndValues = fc.tuple(
  someCuts,
  fc.array(fc.oneof(fc.double(), fc.constantFrom(NaN, Infinity, -Infinity, 0, -0)), {
    maxLength: 30,
  }),
  fc.array(fc.nat(99), { maxLength: 20 }),
).map(([thresholds, values, places]) => {
  // Ties and the doubles next to a tie.
  const ties = thresholds.length === 0 ? [] : places.map((k) => thresholds[k % thresholds.length]!);
  const near = ties.flatMap((x) => [x, x * (1 + Number.EPSILON), x * (1 - Number.EPSILON)]);
  return [thresholds, Float64Array.from([...values, ...near])] as const;
});

Deno.test("fillBins() counts the thresholds below each value, whatever the scale", () => {
  fc.assert(
    fc.property(cutsAndValues, ([thresholds, values]) => {
      const bins = new Int32Array(values.length);
      fillBins(binIndex(thresholds), values, values.length, bins);
      values.forEach((x, i) => {
        const below = Number.isNaN(x)
          ? thresholds.length + 1
          : thresholds.filter((cut) => cut < x).length;
        assertEquals(bins[i], below, `${x} among ${thresholds}`);
      });
    }),
    { seed: 9, numRuns: 2000 },
  );
});

Deno.test("countBins() adds the counts of fillBins()'s bins to the earlier counts", () => {
  fc.assert(
    fc.property(cutsAndValues, ([thresholds, values]) => {
      const index = binIndex(thresholds);
      const bins = new Int32Array(values.length);
      fillBins(index, values, values.length, bins);
      const hits = new Float64Array(thresholds.length + 2).fill(3);
      countBins(index, values, values.length, hits);
      const expected = new Float64Array(thresholds.length + 2).fill(3);
      for (const bin of bins) expected[bin]!++;
      assertEquals(hits, expected);
    }),
    { seed: 10, numRuns: 300 },
  );
});

/** The number of thresholds below x by halving. */
function searched(thresholds: Float64Array, x: number): number {
  let low = 0, high = thresholds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (thresholds[middle]! < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Mutant: thresholds counted among the finite ones alone.
Deno.test("fillBins() equals a search where some thresholds are infinite", () => {
  const ends = fc.constantFrom([-Infinity], [Infinity], [-Infinity, Infinity]);
  fc.assert(
    fc.property(cutsAndValues, ends, ([finite, values], infinite) => {
      const thresholds = Float64Array.from(new Set([...finite, ...infinite])).sort();
      // An interval partition has one more threshold at infinity, even after an infinite cut.
      for (const own of [thresholds, Float64Array.of(...thresholds, Infinity)]) {
        const all = Float64Array.from([
          ...values,
          ...infinite,
          -Number.MAX_VALUE,
          Number.MAX_VALUE,
        ]);
        const bins = new Int32Array(all.length);
        fillBins(binIndex(own), all, all.length, bins);
        all.forEach((x, i) => {
          const expected = Number.isNaN(x) ? own.length + 1 : searched(own, x);
          assertEquals(bins[i], expected, `${x} among ${own}`);
        });
      }
    }),
    { seed: 11, numRuns: 500 },
  );
});
