import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { rulesOutBreaches } from "../../../lib/papers/breaches/amplification.ts";
import { beliefIn, breachIn, findBreach } from "../../../lib/papers/breaches/privacy_breach.ts";
import type { RandomisationOperator } from "../../../lib/papers/breaches/randomisation_operator.ts";

// Mutant: taking the two kinds for each other.
Deno.test("breachIn() names the kind when a belief crosses both levels", () => {
  const levels = { rho1: 0.2, rho2: 0.7 };
  assertEquals(breachIn({ prior: 0.2, posterior: 0.7 }, levels), "straight");
  assertEquals(breachIn({ prior: 0.7, posterior: 0.2 }, levels), "inverse");
  assertEquals(breachIn({ prior: 0.21, posterior: 0.99 }, levels), undefined);
  assertEquals(breachIn({ prior: 0.1, posterior: 0.69 }, levels), undefined);
});

// What the slides say of their three operators: the theorems input_perturbation/slide_figures and amplification.

const small = fc.tuple(
  fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 4, maxLength: 4 }),
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 12 }),
).map(([weights, cells]): [number[], RandomisationOperator] => {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const rows = [0, 1, 2, 3].map((input) => cells.slice(3 * input, 3 * input + 3).map((c) => c + 1));
  return [weights.map((weight) => weight / total), {
    inputs: 4,
    outputs: 3,
    probability: (input, output) =>
      rows[input]![output]! / rows[input]!.reduce((sum, cell) => sum + cell, 0),
  }];
});

// Mutants: sorting the wrong way; a bound without the fraction of the next value; rho1 for both sides.
Deno.test("findBreach() agrees with a look at all properties when there are 16 of them", () => {
  const level = fc.double({ min: 0.05, max: 0.95, noNaN: true });
  fc.assert(
    fc.property(small, level, level, ([beliefs, operator], a, b) => {
      if (Math.abs(a - b) < 0.01) return;
      const levels = { rho1: Math.min(a, b), rho2: Math.max(a, b) };
      let exists = false;
      for (let set = 0; set < 16; set++) {
        for (let output = 0; output < 3; output++) {
          const belief = beliefIn((value) => (set >> value & 1) === 1, {
            prior: beliefs,
            operator,
            output,
          })!;
          exists ||= breachIn(belief, levels) !== undefined;
        }
      }
      const search = findBreach(operator, { prior: beliefs, ...levels });
      if (search.found !== undefined) assert(exists);
      else if (search.ruledOut) assert(!exists);
      // Statement 1 of the paper: amplification below the limit means none for any prior.
      if (rulesOutBreaches(operator, levels)) assert(!exists);
    }),
    { seed: 161, numRuns: 300 },
  );
});
