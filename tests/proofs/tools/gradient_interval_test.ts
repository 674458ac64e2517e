import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { certifiedMaximum } from "../../../proofs/tools/certified_maximum.ts";
import {
  affine,
  chain,
  coordinates,
  type GradientInterval,
  logOnePlus,
  product,
  reciprocal,
  square,
  squareRoot,
  sum,
} from "../../../proofs/tools/gradient_interval.ts";
import { type Interval, interval } from "../../../lib/judge/exact/interval.ts";
import { squareInterval } from "../../../proofs/tools/intervals.ts";

/** A function of three variables in [0.1, 2], and its enclosure. */
interface Expression {
  readonly of: (x: readonly number[]) => number;
  readonly enclose: (x: readonly GradientInterval[]) => GradientInterval;
}

const expressions: Readonly<Record<string, Expression>> = {
  "sum and affine": {
    of: ([x, y, z]) => 3 * x! - 1 + y! + z!,
    enclose: ([x, y, z]) => sum(affine(x!, { scale: 3, shift: -1 }), y!, z!),
  },
  "product": {
    of: ([x, y, z]) => x! * y! * (z! - 1),
    enclose: ([x, y, z]) => product(x!, y!, affine(z!, { shift: -1 })),
  },
  "square": {
    of: ([x, y]) => (x! - y!) ** 2,
    enclose: ([x, y]) => square(sum(x!, affine(y!, { scale: -1 }))),
  },
  "reciprocal": {
    of: ([x, y]) => 1 / (x! + y!),
    enclose: ([x, y]) => reciprocal(sum(x!, y!)),
  },
  "logarithm": {
    of: ([x, , z]) => Math.log1p(x! * z!),
    enclose: ([x, , z]) => logOnePlus(product(x!, z!)),
  },
  "square root": {
    of: ([x, y, z]) => Math.sqrt(x! * x! + y! * y!) * z!,
    enclose: ([x, y, z]) => product(squareRoot(sum(square(x!), square(y!))), z!),
  },
};

const side = fc.tuple(
  fc.double({ min: 0.1, max: 2, noNaN: true }),
  fc.double({ min: 0.1, max: 2, noNaN: true }),
).map(([a, b]) => interval(Math.min(a, b), Math.max(a, b)));

function inside(value: number, { lower, upper }: Interval): boolean {
  return lower <= value && value <= upper;
}

/** A point of the box by its shares of the sides. */
function pointIn(box: readonly Interval[], shares: readonly number[]): number[] {
  return box.map(({ lower, upper }, i) =>
    Math.min(upper, Math.max(lower, lower + shares[i]! * (upper - lower)))
  );
}

/** Values at points and difference quotients between them must lie in what is enclosed. */
function requireEnclosure({ of, enclose }: Expression): void {
  const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
    minLength: 3,
    maxLength: 3,
  });
  fc.assert(
    fc.property(fc.tuple(side, side, side), shares, shares, (box, one, other) => {
      const over = enclose(coordinates(box)), from = pointIn(box, one), to = pointIn(box, other);
      assert(inside(of(from), over));
      for (let j = 0; j < 3; j++) {
        const moved = from.with(j, to[j]!), step = to[j]! - from[j]!;
        if (Math.abs(step) < 1e-3) continue;
        const slope = (of(moved) - of(from)) / step, { lower, upper } = over.gradient[j]!;
        // Rounding of a difference over a step of a thousandth at least.
        assert(lower - 1e-10 <= slope && slope <= upper + 1e-10);
      }
    }),
    { seed: 5, numRuns: 300 },
  );
}

for (const [name, expression] of Object.entries(expressions)) {
  Deno.test(`the ${name} encloses all values and all slopes on a box`, () => {
    requireEnclosure(expression);
  });
}

Deno.test("a square whose slope lost its 2 is rejected", () => {
  const lost: Expression = {
    of: ([x]) => x! * x!,
    enclose: ([x]) => chain(x!, { value: squareInterval, slope: (z) => z }),
  };
  assertThrows(() => requireEnclosure(lost));
});

Deno.test("sum() encloses three tenths, which a sum of doubles misses", () => {
  const tenth = { ...interval(0.1), gradient: [] };
  assert(0.1 + 0.1 + 0.1 !== 0.3);
  assert(inside(0.3, sum(tenth, tenth, tenth)));
});

Deno.test("reciprocal() and logOnePlus() refuse boxes on which they are not defined", () => {
  const [x] = coordinates([interval(-1, 1)]);
  assertThrows(() => reciprocal(x!), RangeError, "divisor must be positive");
  assertThrows(() => logOnePlus(x!), RangeError, "must be positive");
});

/** √(x² + y²) − z·x + z over a box in which its maximum is known. */
function cone(box: readonly Interval[]): GradientInterval {
  const [x, y, z] = coordinates(box) as [GradientInterval, GradientInterval, GradientInterval];
  return sum(
    squareRoot(sum(square(x), square(y))),
    affine(product(z, x), { scale: -1 }),
    z,
  );
}

Deno.test("certifiedMaximum() encloses maxima in two and three dimensions with few boxes", () => {
  // Within the unit square of x and y, and z in [0, 3]: at x = 0, y = 1, z = 3 it is 1 + 3.
  const three = certifiedMaximum({
    box: [interval(0, 1), interval(-1, 1), interval(0, 3)],
    enclose: cone,
    gap: 1e-6,
  });
  assert(three.complete && three.lower <= 4 && three.upper >= 4);
  assert(three.upper - three.lower <= 1e-6 && three.boxes < 2000, `${three.boxes} boxes`);
  // Inside: 2 − (x − 1/3)² − (y + 1/7)².
  const two = certifiedMaximum({
    box: [interval(-1, 1), interval(-1, 1)],
    enclose: (box) => {
      const [x, y] = coordinates(box);
      const hill = sum(square(affine(x!, { shift: -1 / 3 })), square(affine(y!, { shift: 1 / 7 })));
      return affine(hill, { scale: -1, shift: 2 });
    },
    gap: 1e-8,
  });
  assert(two.complete && two.lower <= 2 && two.upper >= 2 && two.boxes < 2000);
  two.at.forEach((x, i) => assertAlmostEquals(x, [1 / 3, -1 / 7][i]!, 1e-3));
});

Deno.test("certifiedMaximum() ends on kinks, on points, and says when slopes that are not numbers stop it", () => {
  const kink = certifiedMaximum({
    box: [interval(0, 1)],
    enclose: (box) => affine(squareRoot(square(coordinates(box)[0]!)), { scale: -1 }),
    gap: 1e-3,
  });
  assert(kink.complete && kink.upper >= 0 && kink.upper <= 1e-3);
  const point = certifiedMaximum({ box: [interval(2)], enclose: ([x]) => x!, gap: 1e-9 });
  assertEquals([point.lower, point.upper, point.complete], [2, 2, true]);
  const nothing = certifiedMaximum({
    box: [interval(0, 1)],
    enclose: () => ({ lower: NaN, upper: NaN, gradient: [interval(0)] }),
    gap: 1,
    most: 100,
  });
  assertEquals([nothing.complete, nothing.upper], [false, Infinity]);
});

Deno.test("reciprocal(), logOnePlus() and squareRoot() take what they are defined for, and no more", () => {
  const [zero] = coordinates([interval(0, 1)]), [below] = coordinates([interval(-0.5, 0)]);
  assertThrows(() => reciprocal(zero!), RangeError, "must be positive");
  const logarithm = logOnePlus(below!);
  assert(logarithm.lower <= -Math.LN2 && logarithm.lower > -Math.LN2 - 1e-12);
  assertThrows(
    () => logOnePlus(coordinates([interval(-1, 0)])[0]!),
    RangeError,
    "must be positive",
  );
  // What rounding puts below 0.
  const root = squareRoot(coordinates([interval(-1e-17, 4)])[0]!);
  assert(root.lower === 0 && root.upper >= 2 && root.upper < 2 + 1e-12);
});
