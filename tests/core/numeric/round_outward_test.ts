import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { nextDown, nextUp, roundDown, roundUp } from "../../../lib/core/numeric/round_outward.ts";

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

// Mutant: stepping the bits up for negative numbers too (that moves them down).
Deno.test("nextUp() and nextDown() leave nothing between when given any finite number", () => {
  fc.assert(
    fc.property(finite, (value) => {
      assert(nextUp(value) > value && nextDown(value) < value);
      assertEquals(nextDown(nextUp(value)) + 0, value + 0);
    }),
    { seed: 1, numRuns: 500 },
  );
  assertEquals(nextUp(1), 1 + Number.EPSILON);
  assertEquals(nextUp(0), Number.MIN_VALUE);
  assertEquals(nextUp(Number.MAX_VALUE), Infinity);
});

// Mutant: value · (1 + relativeError), which moves negative numbers down.
Deno.test("roundUp() is above and roundDown() below when the number is not 0", () => {
  fc.assert(
    fc.property(finite.filter((value) => value !== 0), (value) => {
      assert(roundUp(value, { relativeError: 1e-12 }) > value);
      assert(roundDown(value, { relativeError: 1e-12 }) < value);
    }),
    { seed: 2, numRuns: 500 },
  );
  assertEquals(roundUp(0, { relativeError: 1e-12 }), 0);
});
