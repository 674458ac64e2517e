import { assert, assertEquals } from "@std/assert";
import { crossing, lowerCrossing, upperCrossing } from "../../../lib/accounting/delta_crossing.ts";
import { gaussianDelta } from "../../../lib/numeric/gaussian_delta.ts";

/** A curve that counts how often it is asked. */
function counted(curve: (epsilon: number) => number): {
  at: (epsilon: number) => number;
  asked: number[];
} {
  const asked: number[] = [];
  return {
    asked,
    at(epsilon): number {
      asked.push(epsilon);
      return curve(epsilon);
    },
  };
}

const exponential = (epsilon: number): number => Math.exp(-epsilon);
const gaussian = (epsilon: number): number => gaussianDelta(1, epsilon);
const ends = (epsilon: number): number => Math.max(0, 0.5 - epsilon);
const steep = (epsilon: number): number => Math.exp(-epsilon * epsilon * 30);

// Curve, δ, its root, the highest ε, and how often the curve is asked at most: a transform each time.
// Mutants: a secant between other points; every step halves, or none; no step over the root; ends that are not renewed.
const cases: [string, (epsilon: number) => number, number, number, number, number][] = [
  ["exponential", exponential, 0.5, Math.LN2, 100, 4],
  ["exponential", exponential, 1e-9, 9 * Math.LN10, 100, 9],
  ["exponential", exponential, 1e-9, 9 * Math.LN10, 20.8, 9],
  ["gaussian", gaussian, 1e-5, 4.377178095681, 100, 16],
  ["gaussian", gaussian, 0.3, 0.2766173988968, 100, 13],
  ["ends", ends, 1e-3, 0.499, 100, 37],
  ["ends", ends, 1e-3, 0.499, 0.7, 33],
  ["steep", steep, 1e-4, Math.sqrt(4 * Math.LN10 / 30), 3, 15],
];
for (const [name, curve, delta, root, highest, most] of cases) {
  Deno.test(`crossing() encloses the ε of ${name} at δ = ${delta} up to ${highest} within 1e-6, asked ${most} times`, () => {
    const { at, asked } = counted(curve);
    const { below, above } = crossing(at, { delta, highest });
    assert(curve(above) <= delta && curve(below) > delta && asked.includes(above));
    assert(below <= root * (1 + 1e-9) && above >= root * (1 - 1e-9), `${below} ${root} ${above}`);
    assert(above - below <= 1e-6 * above, `${above - below}`);
    assert(asked.length <= most, `${asked.length}: ${asked}`);
    assert(asked.every((epsilon) => epsilon >= 0 && epsilon <= highest));
  });
}

Deno.test("crossing() is 0 where the curve is low at once, and Infinity where it is high to the end", () => {
  for (const delta of [1, 2]) {
    assertEquals(crossing(exponential, { delta, highest: 9 }), { below: 0, above: 0 });
  }
  assertEquals(crossing(exponential, { delta: 1e-9, highest: 20 }), { below: 20, above: Infinity });
  assertEquals(crossing(exponential, { delta: 0.9, highest: 0.1 }), {
    below: 0.1,
    above: Infinity,
  });
});

// The curve is a sum over a contour. Mutants: steps that do not grow, or that grow from elsewhere; one way of looking alone.
Deno.test("upperCrossing() goes from a guess to where the curve was seen to be low, asked 65 times at most", () => {
  for (
    const [curve, delta, root, guess, most] of [
      [exponential, 0.5, Math.LN2, 0.69, 29],
      [exponential, 0.5, Math.LN2, 0.7, 30],
      [exponential, 0.5, Math.LN2, 5, 35],
      [exponential, 0.5, Math.LN2, 0.01, 43],
      [exponential, 1e-9, 9 * Math.LN10, 20.7, 28],
      [gaussian, 1e-5, 4.377178095681, 4.4, 29],
      [gaussian, 1e-5, 4.377178095681, 3, 35],
      [ends, 1e-3, 0.499, 1e-9, 64],
      [ends, 1e-3, 0.499, 0, 65],
      [steep, 0.999999, 0.0001825742314813, 3, 35],
    ] as const
  ) {
    const { at, asked } = counted(curve);
    const found = upperCrossing({ upperAt: at }, { epsilon: guess, delta });
    assert(curve(found) <= delta && asked.includes(found), `${found}`);
    assert(
      found >= root * (1 - 1e-9) && found <= root * (1 + 1e-7) + 2e-7 * guess,
      `${found}, not ${root}`,
    );
    assert(asked.length <= most, `${guess}: ${asked.length}`);
  }
  assertEquals(upperCrossing({ upperAt: exponential }, { epsilon: 3, delta: 1 }), 0);
  const never = counted(() => 0.5);
  assertEquals(upperCrossing({ upperAt: never.at }, { epsilon: 3, delta: 0.4 }), Infinity);
  assert(never.asked.length <= 75, `${never.asked.length}`);
});

// Mutants as above.
Deno.test("lowerCrossing() goes down to where the curve was seen to be high, asked 45 times at most", () => {
  for (
    const [curve, delta, root, from, most] of [
      [exponential, 0.5, Math.LN2, 0.6932, 29],
      [exponential, 0.5, Math.LN2, 0.7, 35],
      [exponential, 0.5, Math.LN2, 5, 42],
      [gaussian, 1e-5, 4.377178095681, 4.4, 35],
      [ends, 1e-3, 0.499, 20, 42],
      [steep, 0.999999, 0.0001825742314813, 3, 42],
    ] as const
  ) {
    const { at, asked } = counted(curve);
    const found = lowerCrossing({ lowerAt: at }, { from, delta });
    assert(curve(found) > delta && asked.includes(found), `${found}`);
    assert(found <= root && found >= root - 1e-7 * from, `${found}, not ${root}`);
    assert(asked.length <= most, `${from}: ${asked.length}`);
  }
  assertEquals(lowerCrossing({ lowerAt: exponential }, { from: 3, delta: 1 }), 0);
  assertEquals(lowerCrossing({ lowerAt: () => NaN }, { from: 3, delta: 0.1 }), 0);
  assertEquals(lowerCrossing({ lowerAt: exponential }, { from: 0, delta: 0.5 }), 0);
});
