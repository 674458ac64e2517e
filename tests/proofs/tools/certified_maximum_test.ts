import { assert, assertEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { certifiedMaximum } from "../../../proofs/tools/certified_maximum.ts";
import {
  addIntervals,
  type Interval,
  interval,
  multiplyIntervals,
  risingInterval,
  subtractIntervals,
} from "../../../lib/judge/exact/interval.ts";
import { absoluteInterval, squareInterval } from "../../../proofs/tools/intervals.ts";

const side = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 }))
  .map(([a, b]) => interval(Math.min(a, b) / 8, Math.max(a, b) / 8));

function inside(value: number, { lower, upper }: Interval): boolean {
  return lower <= value && value <= upper;
}

Deno.test("interval operations enclose the results of all points", () => {
  fc.assert(
    fc.property(side, side, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, share) => {
      const x = Math.min(a.upper, a.lower + share * (a.upper - a.lower));
      const y = Math.max(b.lower, b.upper - share * (b.upper - b.lower));
      assert(inside(x + y, addIntervals(a, b)));
      assert(inside(x - y, subtractIntervals(a, b)));
      assert(inside(x * y, multiplyIntervals(a, b)));
      assert(inside(x * x, squareInterval(a)));
      assert(inside(Math.abs(x), absoluteInterval(a)));
      assert(inside(Math.exp(x), risingInterval(a, Math.exp)));
    }),
    { seed: 4, numRuns: 500 },
  );
  assertThrows(() => interval(1, 0), RangeError, "lower must be at most upper");
});

Deno.test("certifiedMaximum() encloses the maximum in one and two dimensions", () => {
  const one = certifiedMaximum({
    box: [interval(-2, 3)],
    enclose: ([x]) =>
      subtractIntervals(interval(2), squareInterval(subtractIntervals(x!, interval(1)))),
    gap: 1e-4,
  });
  assert(one.complete && one.lower <= 2 && one.upper >= 2 && one.upper - one.lower <= 1.01e-4);
  const two = certifiedMaximum({
    box: [interval(-1, 1), interval(-1, 1)],
    enclose: ([x, y]) => multiplyIntervals(x!, y!),
    gap: 1e-3,
  });
  assert(two.complete && two.lower <= 1 && two.upper >= 1);
});

Deno.test("certifiedMaximum() proves nothing when its boxes run out", () => {
  const { complete, upper } = certifiedMaximum({
    box: [interval(0, 1)],
    enclose: ([x]) => multiplyIntervals(x!, subtractIntervals(interval(1), x!)),
    gap: 1e-9,
    most: 10,
  });
  assertEquals([complete, upper], [false, Infinity]);
});

Deno.test("certifiedMaximum() refuses no sides and no gap", () => {
  const enclose = ([x]: readonly Interval[]): Interval => x!;
  assertThrows(() => certifiedMaximum({ box: [], enclose, gap: 1 }), RangeError, "sides");
  for (const gap of [0, -1, NaN]) {
    assertThrows(
      () => certifiedMaximum({ box: [interval(0, 1)], enclose, gap }),
      RangeError,
      "gap",
    );
  }
});
