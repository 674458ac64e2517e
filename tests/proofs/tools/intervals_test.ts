import { assert, assertEquals } from "@std/assert";
import { interval } from "../../../lib/judge/exact/interval.ts";
import {
  absoluteInterval,
  fallingInterval,
  squareInterval,
} from "../../../proofs/tools/intervals.ts";

// Mutant: the ends not exchanged.
Deno.test("fallingInterval() encloses values that are computed badly, and those that overflow", () => {
  const { lower, upper } = fallingInterval(interval(2, 3), (x) => -x * (1 + 4 * 2 ** -53));
  assert(lower < -3 && lower > -3.00001 && upper > -2 && upper < -1.99999);
  const small = fallingInterval(interval(1000), (x) => -Math.exp(x));
  assert(small.upper === -Number.MAX_VALUE && small.lower === -Infinity);
});

// Mutants: an absolute value that keeps its sign; a square below 0.
Deno.test("absoluteInterval() and squareInterval() are no wider than they must be", () => {
  assertEquals(absoluteInterval(interval(-3, -2)), interval(2, 3));
  assertEquals(absoluteInterval(interval(2, 3)), interval(2, 3));
  assertEquals(absoluteInterval(interval(-3, 2)), interval(0, 3));
  for (const side of [interval(-3, -2), interval(2, 3)]) {
    const { lower, upper } = squareInterval(side);
    assert(lower > 4 - 1e-14 && lower < 4 && upper > 9 && upper < 9 + 1e-14);
  }
  assertEquals(squareInterval(interval(-1, 1)).lower, 0);
  assertEquals(squareInterval(interval(0)).lower, 0);
});
