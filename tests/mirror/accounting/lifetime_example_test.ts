import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { lifetimeExample } from "../../../lib/accounting/lifetime_example.ts";

// Mutants: the corollary in place of the theorem; P(loss ≥ ε) − e^ε Q in place of the tail; counting
// lies from the wrong end.
Deno.test("lifetimeExample() finds that 1/801 holds, though not by the theorem quoted", () => {
  const example = lifetimeExample();
  assertAlmostEquals(example.theoremEpsilon, 1.0143, 5e-5);
  assert(example.theoremEpsilon > 1);
  assertAlmostEquals(example.theoremParts, 812.3, 0.05);
  assertAlmostEquals(example.tanhParts, 806.2, 0.05);
  assertAlmostEquals(example.corollaryParts, 1600, 1e-9);
  assertAlmostEquals(example.tail, 9.2e-16, 0.05e-16);
  assertAlmostEquals(example.delta, 1.4e-17, 0.05e-17);
  assert(example.tail < Math.exp(-32) && example.delta < Math.exp(-32));
  assertEquals([example.tailParts, example.deltaParts], [768, 716]);
});
