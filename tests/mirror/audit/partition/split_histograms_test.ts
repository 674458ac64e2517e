import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { SplitHistograms } from "../../../../lib/audit/partition/split_histograms.ts";

/** Bins of some features, labels, an order of the rows, and a place where a leaf is divided. */
const cases = fc.integer({ min: 1, max: 60 }).chain((n) =>
  fc.record({
    features: fc.array(
      fc.integer({ min: 1, max: 256 }).chain((count) =>
        fc.record({
          count: fc.constant(count),
          bins: fc.array(fc.nat(count - 1), { minLength: n, maxLength: n }),
        })
      ),
      { maxLength: 5 },
    ),
    labels: fc.array(fc.nat(1), { minLength: n, maxLength: n }),
    order: fc.shuffledSubarray(Array.from({ length: n }, (_, i) => i), { minLength: n }),
    places: fc.tuple(fc.nat(n), fc.nat(n), fc.nat(n)).map((p) => p.toSorted((a, b) => a - b)),
    isKept: fc.boolean(),
  })
);

Deno.test("histograms of both parts of a leaf are those of their rows, whether that of the leaf was kept or not", () => {
  fc.assert(fc.property(cases, ({ features, labels, order, places, isKept }) => {
    const own = features.map(({ bins, count }) => ({ bins: Uint8Array.from(bins), count }));
    const histograms = new SplitHistograms(own, Uint8Array.from(labels));
    const inOrder = Int32Array.from(order);
    const [from, middle, to] = places as [number, number, number];
    const expected = (begin: number, end: number): number[] =>
      features.flatMap(({ bins, count }) => {
        const counts = new Array(2 * count).fill(0);
        for (const i of order.slice(begin, end)) counts[2 * bins[i]! + labels[i]!]++;
        return counts;
      });
    const whole = histograms.count(inOrder, { from, to });
    assertEquals([...whole], expected(from, to));
    const { left, right } = histograms.divide(inOrder, {
      from,
      middle,
      to,
      histograms: isKept ? histograms.keep(whole) : undefined,
    });
    assertEquals([...left], expected(from, middle));
    assertEquals([...right], expected(middle, to));
  }));
});

Deno.test("histograms of many features are kept for a limited number of leaves", () => {
  // 2¹⁷ bins of two counts each: the 2²⁴ counts that are kept are those of 64 leaves.
  const features = Array.from({ length: 512 }, () => ({ bins: Uint8Array.of(255), count: 256 }));
  const histograms = new SplitHistograms(features, Uint8Array.of(1));
  const order = Int32Array.of(0);
  const one = histograms.count(order, { from: 0, to: 1 });
  assertEquals(one.length, 1 << 18);
  assertEquals(one[one.length - 1], 1);
  for (let k = 0; k < 64; k++) assertEquals(histograms.keep(one), one);
  assertEquals(histograms.keep(one), undefined);
  // What is divided makes room.
  histograms.divide(order, { from: 0, middle: 1, to: 1, histograms: one });
  assertEquals(histograms.keep(one.slice())?.length, 1 << 18);
  assertEquals(histograms.keep(one), undefined);
});
