import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { klDistance, leakage } from "../../../lib/papers/breaches/average_measures.ts";
import {
  addUniform,
  identityOperator,
} from "../../../lib/papers/breaches/randomisation_operator.ts";

// Mutants: the other direction; base-2 logarithms.
Deno.test("klDistance() is Gibbs' inequality and 0 only at equality", () => {
  const weights = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(weights, weights, (a, b) => {
      const share = (side: number[]): number[] =>
        side.map((w) => w / (side[0]! + side[1]! + side[2]!));
      const [p, q] = [share(a), share(b)];
      const distance = klDistance(p, q);
      assert(distance >= 0);
      const apart = p.reduce((most, value, i) => Math.max(most, Math.abs(value - q[i]!)), 0);
      assert(distance >= 2 * apart * apart - 1e-12); // Pinsker, for one event
    }),
    { seed: 171 },
  );
  assertAlmostEquals(klDistance([1, 0], [0.25, 0.75]), Math.log(4), 1e-15);
  assertEquals(klDistance([0.5, 0.5], [1, 0]), Infinity);
  assertThrows(() => klDistance([1], [0.5, 0.5]), RangeError, "the number of probabilities");
});

// Mutant: averaging over outputs equally, or reporting the average as the worst.
Deno.test("leakage() is small on average and total at worst for the ages example", () => {
  const ages = Array.from({ length: 91 }, () => 1 / 91);
  const found = leakage(addUniform({ size: 91, reach: 20 }), ages);
  // Only 0 gives −20 and only 90 gives 110: an age told, with probability 1/41 each.
  assertAlmostEquals(found.worstDistance, Math.log(91), 1e-12);
  assertEquals(found.worstOutput, 0);
  assertAlmostEquals(found.worstProbability, 2 / (91 * 41), 1e-12);
  // H(Y) − H(Y|X): noise of 41 values, outputs of 131.
  const outputs = Array.from({ length: 131 }, (_, y) => Math.min(y + 1, 41, 131 - y) / (91 * 41));
  const entropy = -outputs.reduce((sum, p) => sum + p * Math.log(p), 0);
  assertAlmostEquals(found.mutualInformation, entropy - Math.log(41), 1e-12);
  assert(found.mutualInformation < found.worstDistance / 4);
});

Deno.test("leakage() is the whole entropy when values are given away", () => {
  const { mutualInformation } = leakage(identityOperator({ size: 4 }), [0.4, 0.3, 0.2, 0.1]);
  assertAlmostEquals(mutualInformation, 1.2798542258336674, 1e-12);
});
