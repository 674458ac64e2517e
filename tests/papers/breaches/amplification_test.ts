import { assertEquals, assertThrows } from "@std/assert";
import {
  amplificationAt,
  breachFreeAmplification,
} from "../../../lib/papers/breaches/amplification.ts";

Deno.test("amplificationAt() is 1 when no value gives the output, and throws when there is none such", () => {
  const never = { inputs: 2, outputs: 2, probability: (_: number, output: number) => 1 - output };
  assertEquals(amplificationAt(never, { output: 1 }), 1);
  assertThrows(() => amplificationAt(never, { output: 2 }), RangeError, "output must be");
  assertThrows(() => breachFreeAmplification({ rho1: 0, rho2: 0.5 }), RangeError, "rho1 and rho2");
});
