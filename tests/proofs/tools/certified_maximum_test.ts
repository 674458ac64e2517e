import { assert, assertEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { certifiedMaximum } from "../../../proofs/tools/certified_maximum.ts";
import { affine, coordinates, square, sum } from "../../../proofs/tools/gradient_interval.ts";
import {
  absoluteInterval,
  addIntervals,
  type Interval,
  interval,
  multiplyIntervals,
  risingInterval,
  squareInterval,
  subtractIntervals,
} from "../../../proofs/tools/interval.ts";

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

// Mutants: sides compared by length where a scale is known, or halved where the function does not change.
Deno.test("certifiedMaximum() looks at as many boxes whatever the units of a side, and at none along a constant", () => {
  const boxes = (unit: number, constants: number): number => {
    const sides = [interval(-1, 2), interval(-1 * unit, 3 * unit)];
    const others = Array.from({ length: constants }, () => interval(0, 1024));
    const { complete, lower, upper, boxes } = certifiedMaximum({
      box: [...sides, ...others],
      enclose: (box) => {
        const [x, y] = coordinates(box);
        const scaled = affine(y!, { scale: 1 / unit, shift: -0.25 });
        return affine(sum(square(affine(x!, { scale: 1, shift: -0.125 })), square(scaled)), {
          scale: -1,
          shift: 3,
        });
      },
      gap: 1e-3,
    });
    assert(complete && lower <= 3 && upper >= 3 && upper - lower <= 1.01e-3);
    return boxes;
  };
  const plain = boxes(1, 0);
  assert(plain < 200, `${plain} boxes`);
  for (const unit of [2 ** -20, 2 ** 20]) assertEquals(boxes(unit, 0), plain);
  assertEquals(boxes(1, 2), plain);
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

/** A search whose enclosures are given: of points, and of boxes with slopes. */
function searched(
  box: readonly Interval[],
  { of, gap = 0.25, most = 1000 }: {
    of: (box: readonly Interval[]) => Interval & { gradient?: readonly Interval[] };
    gap?: number;
    most?: number;
  },
): ReturnType<typeof certifiedMaximum> & { seen: (readonly Interval[])[] } {
  const seen: (readonly Interval[])[] = [];
  const found = certifiedMaximum({
    box,
    enclose: (here) => {
      if (here.some(({ lower, upper }) => lower < upper)) seen.push(here);
      return of(here) as Interval;
    },
    gap,
    most,
  });
  return { ...found, seen };
}

const unit = interval(0, 1);
const isPoint = (box: readonly Interval[]): boolean =>
  box.every(({ lower, upper }) => lower === upper);

Deno.test("certifiedMaximum() looks at one face where a slope has one sign, be it 0 at an end", () => {
  for (
    const [slope, at] of [[[0, 0.5], 1], [[0.2, 0.5], 1], [[-0.5, 0], 0], [
      [-0.5, -0.2],
      0,
    ]] as const
  ) {
    const gradient = [interval(slope[0], slope[1])];
    const { boxes, complete } = searched([unit], {
      of: ([x]) => ({
        ...(x!.lower === at && x!.upper === at ? interval(9) : interval(0, 9)),
        gradient,
      }),
    });
    assertEquals([boxes, complete], [2, true]);
  }
});

Deno.test("certifiedMaximum() counts the boxes that it looked at, and stops at the most", () => {
  let calls = 0;
  const found = searched([unit], {
    of: () => (calls++, interval(0, 1)),
    most: 10,
  });
  // Each is looked at in the middle and as a whole.
  assertEquals([found.boxes, calls, found.upper], [10, 20, Infinity]);
});

Deno.test("certifiedMaximum() drops a box whose bound is just the gap above the best, and keeps the first best place", () => {
  assertEquals(searched([unit], { of: () => interval(0, 0.25) }).boxes, 1);
  const { at, lower } = searched([unit], {
    of: ([x]) => interval(0, x!.upper - x!.lower),
    gap: 0.3,
  });
  assertEquals([at, lower], [[0.5], 0]);
});

Deno.test("certifiedMaximum() halves the side along which the function may change most", () => {
  const wide = interval(0, 4), any = interval(-Infinity, Infinity);
  const cases: [readonly Interval[], readonly Interval[] | undefined, number][] = [
    [[unit, unit], [interval(-100, 1), interval(-2, 2)], 0],
    [[unit, unit], [interval(-1, 100), interval(-2, 2)], 0],
    [[unit, unit], [interval(-1, 1), interval(-2, 1)], 1],
    // A side of unbounded slope counts as its part of the whole: 1.
    [[unit, unit], [any, interval(-2, 2)], 1],
    [[unit, unit], [any, interval(-0.5, 0.5)], 0],
    [[wide, unit], [any, interval(-2, 2)], 1],
    [[interval(0, 0.25), unit], [any, interval(-0.5, 0.5)], 0],
    // Without slopes, so does every side: the first of equal ones.
    [[unit, wide], undefined, 0],
    [[interval(3), unit], undefined, 1],
    [[interval(3), unit], [interval(-9, 9), interval(-1, 1)], 1],
  ];
  for (const [box, gradient, side] of cases) {
    const { seen } = searched(box, {
      of: (here) => ({
        ...(isPoint(here) ? interval(0) : interval(0, 9)),
        ...(gradient && { gradient }),
      }),
      most: 2,
    });
    const widths = (own: readonly Interval[]): number[] =>
      own.map(({ lower, upper }) => upper - lower);
    const expected = widths(box).map((width, j) => j === side ? width / 2 : width);
    assertEquals(widths(seen[1]!), expected);
  }
});

Deno.test("certifiedMaximum() halves sides in turn by their part of the whole, wherever they lie", () => {
  const { seen } = searched([interval(5, 6), interval(1000, 1016)], {
    of: (here) => isPoint(here) ? interval(0) : interval(0, 9),
    most: 5,
  });
  assertEquals(
    seen.map((own) => own.map(({ lower, upper }) => upper - lower)),
    [[1, 16], [0.5, 16], [0.5, 8], [0.25, 8], [0.25, 4]],
  );
});

Deno.test("certifiedMaximum() looks at fewer boxes where slopes are known", () => {
  const box = [interval(-1, 2), interval(-2, 3)];
  const of = (here: readonly Interval[]): ReturnType<typeof sum> => {
    const [x, y] = coordinates(here);
    return affine(sum(square(x!), square(affine(sum(x!, y!), { scale: 1, shift: -0.3 }))), {
      scale: -1,
      shift: 3,
    });
  };
  const boxes = (change: (value: ReturnType<typeof of>) => Interval): number =>
    certifiedMaximum({ box, enclose: (here) => change(of(here)), gap: 1e-3 }).boxes;
  const all = boxes((value) => value);
  // Slopes without the mean value form: they point to faces alone.
  const none = boxes(({ lower, upper }) => ({ lower, upper }));
  assert(all < none / 2, `${all} and ${none} boxes`);
});

Deno.test("certifiedMaximum() bounds a box by the slopes where these bound it better", () => {
  // The enclosure says 9; from the middle, 0, slopes of ±0.2 over half of the side say 0.1.
  const { boxes, upper } = searched([unit], {
    of: (here) => ({
      ...(isPoint(here) ? interval(0) : interval(0, 9)),
      gradient: [interval(-0.2, 0.2)],
    }),
  });
  assertEquals(boxes, 1);
  assert(upper > 0.0999 && upper < 0.1001);
  // And by the enclosure where that is better.
  const tight = searched([unit], {
    of: () => ({ ...interval(0, 0.01), gradient: [interval(-9, 9)] }),
  });
  assertEquals([tight.boxes, tight.upper], [1, 0.01]);
});
