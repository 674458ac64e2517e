import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  binIndex,
  countBins,
  fillBins,
} from "../../../../../lib/audit/model/encoding/bin_index.ts";
import { countBinsByKernel } from "../../../../../lib/audit/model/encoding/bin_kernel.ts";
import { withoutKernels } from "../../../../../lib/numeric/kernels/kernels.ts";

/** Thresholds that lie close together, far apart, at the ends of the doubles, or on a grid of values. */
const someThresholds = fc.oneof(
  fc.array(fc.double({ noNaN: true }), { maxLength: 40 }),
  fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 40 }),
  fc.array(fc.integer({ min: 0, max: 40 }).map((k) => 1e16 + 2 * k), { maxLength: 30 }),
  fc.array(fc.integer({ min: 0, max: 40 }).map((k) => k * Number.MIN_VALUE), { maxLength: 30 }),
  fc.array(fc.integer({ min: 0, max: 5000 }).map((k) => 0.1 + k / 3000), { maxLength: 300 }),
).map((thresholds) => Float64Array.from(new Set(thresholds)).sort());

/** Some values, ties and the doubles next to a tie among them, over and over up to a length. */
const cases = fc.tuple(
  someThresholds,
  fc.array(fc.oneof(fc.double(), fc.constantFrom(NaN, Infinity, -Infinity, 0, -0)), {
    minLength: 1,
    maxLength: 40,
  }),
  fc.integer({ min: 256, max: 4500 }),
).map(([thresholds, some, length]) => {
  const near = [...thresholds].flatMap((x) => [
    x,
    x * (1 + Number.EPSILON),
    x * (1 - Number.EPSILON),
  ]);
  const all = [...some, ...near];
  return [thresholds, Float64Array.from({ length }, (_, i) => all[i % all.length]!)] as const;
});

Deno.test("bins of the kernel are those of the loop, and so are their counts", () => {
  fc.assert(
    fc.property(cases, fc.nat(9), ([thresholds, values], fewer) => {
      const index = binIndex(thresholds), n = values.length - fewer;
      const run = (): unknown[] => {
        const bins = new Int32Array(values.length).fill(-1);
        const bytes = new Uint8Array(values.length);
        const hits = new Float64Array(thresholds.length + 2).fill(3);
        fillBins(index, values, n, bins);
        fillBins(index, values, n, bytes);
        countBins(index, values, n, hits);
        return [bins, bytes, hits];
      };
      assertEquals(run(), withoutKernels(run));
    }),
    { seed: 26, numRuns: 300 },
  );
});

Deno.test("countBinsByKernel() leaves thresholds that are too many or too close to the loop", () => {
  const values = new Float64Array(300), hits = new Float64Array(3000);
  const spread = (count: number): Float64Array => Float64Array.from({ length: count }, (_, i) => i);
  assert(countBinsByKernel(spread(1023), values, 300, hits));
  assertEquals([hits[0], hits[1]], [300, 0]);
  assert(!countBinsByKernel(spread(1024), values, 300, hits));
  const close = Float64Array.of(0, ...[1, 2, 3, 4, 5, 6, 7, 8].map((k) => 1 + k * 1e-9), 9);
  assert(countBinsByKernel(close, values, 300, hits));
  assert(
    !countBinsByKernel(Float64Array.of(...close, 1 + 9e-9).sort(), values, 300, hits),
  );
  assert(withoutKernels(() => !countBinsByKernel(spread(5), values, 300, hits)));
});
