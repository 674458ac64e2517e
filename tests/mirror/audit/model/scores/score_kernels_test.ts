import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  fillCountAbove,
  fillCountEqual,
  fillExtreme,
  fillPresent,
  fillSum,
} from "../../../../../lib/audit/model/encoding/row_statistics.ts";
import { scoreOf } from "../../../../../lib/audit/model/scores/evaluate_scores.ts";
import {
  countScoreBins,
  placeBins,
  type ScoreBins,
} from "../../../../../lib/audit/model/scores/score_bins.ts";
import { withoutKernels } from "../../../../../lib/numeric/kernels/kernels.ts";

const number = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 4, arbitrary: fc.double({ min: -4, max: 4, noNaN: true }) },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.constantFrom(NaN, Infinity, -Infinity, -0) },
);

/** Rows of some width from a few numbers, the rows that are looked at, and the columns. */
const table = fc.record({
  width: fc.oneof(fc.integer({ min: 1, max: 25 }), fc.constantFrom(300, 7000, 20_000)),
  numbers: fc.array(number, { minLength: 3, maxLength: 60 }),
  n: fc.integer({ min: 1, max: 4500 }),
  from: fc.nat(5),
  fewer: fc.nat(3),
}).map(({ width, numbers, n, from, fewer }) => {
  const own = Math.max(3, Math.min(n, Math.ceil(60_000 / width)));
  const rows = Float64Array.from(
    { length: (own + from) * width },
    // A step that is no divisor of the width, so that rows differ.
    (_, i) => numbers[(i + Math.floor(i / width)) % numbers.length]!,
  );
  return { width, n: own, from, rows, elements: Math.max(1, width - fewer) };
});

Deno.test("statistics of rows by the kernels are those of the loops to the last bit", () => {
  fc.assert(
    fc.property(table, number, ({ width, n, from, rows, elements }, value) => {
      const run = (): Float64Array[] => {
        const filled = (fill: (out: Float64Array) => void): Float64Array => {
          const out = new Float64Array(n + 2).fill(7);
          fill(out);
          return out;
        };
        return [
          filled((out) => fillSum(rows, width, elements, from, n, out)),
          filled((out) => fillPresent(rows, width, elements, from, n, out)),
          filled((out) => fillCountAbove(rows, width, elements, from, n, out, value)),
          filled((out) => fillCountEqual(rows, width, elements, from, n, out, value)),
          ...([1, -1] as const).flatMap((sign) =>
            [true, false].map((isPlace) =>
              filled((out) => fillExtreme(rows, width, elements, from, n, out, sign, isPlace))
            )
          ),
        ];
      };
      assertEquals(run(), withoutKernels(run));
    }),
    { seed: 26, numRuns: 60 },
  );
});

const bins = fc.record({
  all: fc.array(fc.array(fc.double({ min: -4, max: 4, noNaN: true }), { maxLength: 15 }), {
    minLength: 1,
    maxLength: 4,
  }),
  weights: fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 5, maxLength: 40 }),
  differences: fc.boolean(),
  pooled: fc.boolean(),
  signs: fc.array(fc.constantFrom(-1, 0, 1), { minLength: 1, maxLength: 5 }),
});

Deno.test("scores and their bins by the kernels are those of the loops to the last bit", () => {
  fc.assert(
    fc.property(table, bins, ({ width, n, from, rows, elements }, own) => {
      const { all, weights, differences, pooled, signs } = own;
      const groups = pooled ? 1 : elements;
      const thresholds = new Float64Array(15 * groups).fill(Infinity);
      for (let g = 0; g < groups; g++) {
        thresholds.set(Float64Array.from(new Set(all[g % all.length])).sort(), 15 * g);
      }
      const scoreBins: ScoreBins = {
        thresholds,
        terms: elements,
        differences,
        pooled,
        sign: Int8Array.from({ length: elements }, (_, j) => pooled ? signs[j % signs.length]! : 1),
      };
      const weighted = {
        ...scoreBins,
        weights: Float64Array.from(
          { length: 17 * groups },
          (_, i) => weights[i % weights.length]!,
        ),
      };
      const count = rows.length / width;
      const labels = Uint8Array.from({ length: count }, (_, i) => (i * i + i % 7) & 1);
      const run = (): unknown[] => {
        const out = new Float64Array(n + 2).fill(7);
        scoreOf(weighted).fill(rows, width, from, n, out);
        const places = new Uint8Array((count + 3) * elements).fill(99);
        if (!pooled) placeBins(scoreBins, rows, width, count, places, count + 3, 2);
        const counts = [0, 1].map((parity) => {
          const hits = new Float64Array(34).fill(5);
          if (pooled) countScoreBins(scoreBins, rows, width, labels, parity, hits);
          return hits;
        });
        return [out, places, counts];
      };
      assertEquals(run(), withoutKernels(run));
    }),
    { seed: 26, numRuns: 60 },
  );
});
