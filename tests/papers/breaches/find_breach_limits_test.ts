import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { beliefIn, findBreach } from "../../../lib/papers/breaches/privacy_breach.ts";
import { nextUp } from "../../../lib/core/numeric/round_outward.ts";
import {
  type RandomisationOperator,
  replaceByAnother,
} from "../../../lib/papers/breaches/randomisation_operator.ts";

/** Two values that are told with 3/4, so that beliefs are fractions that doubles hold. */
const binary: RandomisationOperator = {
  inputs: 2,
  outputs: 2,
  probability: (input, output) => input === output ? 0.75 : 0.25,
};

// Mutants: a level that must be passed; the values of the opposite; one side that decides for both.
Deno.test("findBreach() decides each side at its own level, to the last bit", () => {
  const prior = [0.25, 0.75];
  assertEquals(findBreach(binary, { prior, rho1: 0.25, rho2: 0.5 }).found, {
    kind: "straight",
    output: 0,
    prior: 0.25,
    posterior: 0.5,
    values: [0],
  });
  assertEquals(findBreach(binary, { prior, rho1: 0.5, rho2: 0.75 }).found, {
    kind: "inverse",
    output: 0,
    prior: 0.75,
    posterior: 0.5,
    values: [1],
  });
  // The opposite gains 0.5, and 0.533 with a part of the other value: that is not enough to rule out 0.52.
  assertEquals(findBreach(binary, { prior, rho1: 0.48, rho2: 0.7 }), {
    found: undefined,
    ruledOut: false,
  });
  assertEquals(findBreach(binary, { prior, rho1: 0.46, rho2: 0.7 }), {
    found: undefined,
    ruledOut: true,
  });
});

// Mutant: a bound without a margin for rounding.
Deno.test("findBreach() rules out no breach that is missed by the last bit alone", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 3, maxLength: 5 }), (a) => {
      const total = a.reduce((sum, weight) => sum + weight, 0);
      const prior = a.map((weight) => weight / total), rho1 = prior[0]!;
      const operator = replaceByAnother({ size: a.length, keep: 0.6 });
      const { posterior } = beliefIn((value) => value === 0, { prior, operator, output: 0 })!;
      const rho2 = nextUp(posterior);
      const search = findBreach(operator, { prior, rho1, rho2 });
      assert(search.found !== undefined || !search.ruledOut);
    }),
    { seed: 193 },
  );
});
