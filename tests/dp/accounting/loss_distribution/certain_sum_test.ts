import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { sumAbove, sumBelow } from "../../../../lib/dp/accounting/loss_distribution/certain_sum.ts";

/** A double as a whole number of 2^-1100. */
function exact(value: number): bigint {
  let power = 1100, rest = value;
  while (!Number.isInteger(rest)) [rest, power] = [rest * 2, power - 1];
  return BigInt(rest) << BigInt(power);
}

// Terms that are halves of the last digit are rounded away, or up, one after the other. Mutants: no margin for that, on either side.
Deno.test("sumAbove() and sumBelow() enclose the exact sum of probabilities, whatever is rounded away", () => {
  const terms = fc.array(
    fc.record({ power: fc.integer({ min: 1, max: 56 }), off: fc.constantFrom(0, 1, -1) }),
    { minLength: 1, maxLength: 20 },
  ).map((drawn) =>
    drawn.map(({ power, off }) => 2 ** -power * (1 + off * 2 ** -40)).sort((a, b) => b - a)
  );
  const one = exact(1);
  fc.assert(
    fc.property(terms, (terms) => {
      const sum = terms.reduce((sum, term) => sum + exact(term), 0n);
      const truth = sum < one ? sum : one;
      const above = sumAbove(terms), below = sumBelow(terms);
      assert(exact(above) >= truth && exact(below) <= truth, `${terms}`);
      assert(above - below <= 3e-14 * above);
    }),
    { seed: 2913, numRuns: 500 },
  );
});

Deno.test("sumAbove() is 1 and sumBelow() 0 where nothing is certain, and both are probabilities", () => {
  for (const terms of [[NaN], [0.5, NaN], [Infinity, -Infinity]]) {
    assertEquals([sumAbove(terms), sumBelow(terms)], [1, 0]);
  }
  assertEquals([sumAbove([]), sumBelow([])], [0, 0]);
  assertEquals([sumAbove([0.5, Infinity]), sumBelow([0.75, 0.75])], [1, 1]);
  assertEquals(sumAbove([1 - 2 ** -53]), 1);
});
