import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { isotonic } from "../../../lib/core/numeric/isotonic.ts";

const weighted = fc.array(
  fc.record({
    value: fc.integer({ min: -20, max: 20 }),
    weight: fc.integer({ min: 1, max: 9 }),
    other: fc.integer({ min: -20, max: 20 }),
  }),
  { maxLength: 12 },
);

Deno.test("isotonic() pools what falls, by weight", () => {
  assertEquals([...isotonic(Float64Array.of(1, 4, 2), Float64Array.of(1, 1, 1))], [1, 3, 3]);
  assertEquals([...isotonic(Float64Array.of(4, 3, 0), Float64Array.of(1, 2, 2))], [2, 2, 2]);
  assertEquals([...isotonic(Float64Array.of(5, 1, 6), Float64Array.of(3, 1, 1))], [4, 4, 6]);
  assertEquals([...isotonic(new Float64Array(0), new Float64Array(0))], []);
});

// Mutants: weights left out, only one block looked back, the last of a block for its mean.
Deno.test("isotonic() is the projection on ascending values", () => {
  fc.assert(fc.property(weighted, (items) => {
    const values = Float64Array.from(items, ({ value }) => value);
    const weights = Float64Array.from(items, ({ weight }) => weight);
    const near = isotonic(values, weights);
    assert(near.every((x, i) => i === 0 || near[i - 1]! <= x));
    /** The inner product of what was taken off with another direction. */
    const along = (of: (i: number) => number): number =>
      values.reduce((sum, x, i) => sum + weights[i]! * (x - near[i]!) * of(i), 0);
    // The projection on a cone: at right angles to what is taken off, at an obtuse one to the rest of the cone.
    assertAlmostEquals(along((i) => near[i]!), 0, 1e-8);
    const ascending = items.map(({ other }) => other).sort((a, b) => a - b);
    assert(along((i) => ascending[i]!) < 1e-8);
  }));
});
