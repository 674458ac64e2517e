import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import {
  amplification,
  amplificationAt,
  breachFreeAmplification,
  rulesOutBreaches,
} from "../../../lib/papers/breaches/amplification.ts";
import { mixWithUniform } from "../../../lib/papers/breaches/randomisation_operator.ts";
import { r1, r2, r3 } from "../../dp/accounting/example_of_the_slides.ts";

// Mutants: ratios along a row in place of a column; the smallest output's γ.
Deno.test("amplification() is the slides' figures for R1, R2 and R3", () => {
  assertAlmostEquals(amplification(r1), 250, 1e-9);
  assertEquals(amplification(r2), Infinity);
  assertAlmostEquals(amplification(r3), 1 + 1001 / 201, 1e-12);
  assert(amplification(r3) < 6);
  assertAlmostEquals(amplificationAt(r3, { output: 700 }), 1 + 1001 / 201, 1e-12);
});

// Mutant: rho2/rho1 alone.
Deno.test("rulesOutBreaches() holds for R3 at 14% and 50%, and not for R1 or R2", () => {
  const levels = { rho1: 0.14, rho2: 0.5 };
  assertAlmostEquals(breachFreeAmplification(levels), 0.86 / 0.14, 1e-12);
  assertEquals([r1, r2, r3].map((operator) => rulesOutBreaches(operator, levels)), [
    false,
    false,
    true,
  ]);
  assert(!rulesOutBreaches(r3, { rho1: 0.15, rho2: 0.5 }));
  assert(amplification(mixWithUniform(r3, { keep: 0.5 })) < amplification(r3));
});

Deno.test("amplificationAt() is 1 when no value gives the output, and throws when there is none such", () => {
  const never = { inputs: 2, outputs: 2, probability: (_: number, output: number) => 1 - output };
  assertEquals(amplificationAt(never, { output: 1 }), 1);
  assertThrows(() => amplificationAt(never, { output: 2 }), RangeError, "output must be");
  assertThrows(() => breachFreeAmplification({ rho1: 0, rho2: 0.5 }), RangeError, "rho1 and rho2");
});
