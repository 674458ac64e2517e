import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  binIndex,
  countBins,
  fillBins,
} from "../../../../../lib/judge/audit/model/encoding/bin_index.ts";

/** Thresholds that lie close together, far apart, at the ends of the doubles, or on a grid of values. */
const someThresholds = fc.oneof(
  fc.array(fc.double({ noNaN: true }), { maxLength: 40 }),
  fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 40 }),
  fc.array(fc.integer({ min: 0, max: 40 }).map((k) => 1e16 + 2 * k), { maxLength: 30 }),
  fc.array(fc.integer({ min: 0, max: 40 }).map((k) => k * Number.MIN_VALUE), { maxLength: 30 }),
  fc.array(fc.integer({ min: 0, max: 5000 }).map((k) => 0.1 + k / 3000), { maxLength: 300 }),
).map((thresholds) => Float64Array.from(new Set(thresholds)).sort());

/** Some values, the thresholds and the doubles next to them among them. */
const cases = fc.tuple(
  someThresholds,
  fc.array(fc.oneof(fc.double(), fc.constantFrom(NaN, Infinity, -Infinity, 0, -0)), {
    maxLength: 40,
  }),
).map(([thresholds, some]) => {
  const near = [...thresholds].flatMap((x) => [
    x,
    x * (1 + Number.EPSILON),
    x * (1 - Number.EPSILON),
  ]);
  return [thresholds, Float64Array.from([...some, ...near])] as const;
});

Deno.test("the bin of a value is the number of thresholds below it, and one more than all for NaN", () => {
  fc.assert(
    fc.property(cases, fc.nat(3), ([thresholds, values], fewer) => {
      const n = Math.max(0, values.length - fewer), index = binIndex(thresholds);
      const expected = Array.from(
        values.subarray(0, n),
        (x) => Number.isNaN(x) ? thresholds.length + 1 : thresholds.filter((t) => t < x).length,
      );
      const bins = new Int32Array(values.length).fill(-1);
      fillBins(index, values, n, bins);
      assertEquals([...bins], [...expected, ...new Array(values.length - n).fill(-1)]);
      const hits = new Float64Array(thresholds.length + 2).fill(3);
      countBins(index, values, n, hits);
      assertEquals(
        [...hits],
        Array.from(hits, (_, bin) => 3 + expected.filter((own) => own === bin).length),
      );
    }),
    { seed: 26, numRuns: 300 },
  );
});
