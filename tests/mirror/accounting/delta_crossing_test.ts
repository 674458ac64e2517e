import { assert, assertEquals } from "@std/assert";
import { lowerCrossing, upperCrossing } from "../../../lib/accounting/delta_crossing.ts";
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
