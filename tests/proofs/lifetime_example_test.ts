import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { lifetimeExample } from "../../proofs/dp/composition/checks/lifetime_example.ts";

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

/** P(Bin(count, e^ε/(1 + e^ε)) truths, less the lies, times ε above the loss), term by term. */
function tailOf(each: number, { count, epsilon }: { count: number; epsilon: number }): number {
  const truth = 1 / (1 + Math.exp(-each));
  let tail = 0, choose = 1;
  for (let lies = 0; lies <= count; lies++) {
    if ((count - 2 * lies) * each > epsilon * (1 + 1e-12)) {
      tail += choose * truth ** (count - lies) * (1 - truth) ** lies;
    }
    choose *= (count - lies) / (lies + 1);
  }
  return tail;
}

// Mutants: the loss of 1 for any other; shares that are not whole, or fewer than one.
Deno.test("lifetimeExample() counts the tail of any loss, and walks down to one share", () => {
  const options = { count: 30, epsilon: 0.75, slack: 1e-3 };
  const { tail, tailParts } = lifetimeExample({ ...options, publishedParts: 20 });
  assertAlmostEquals(tail, tailOf(1 / 20, options), 1e-12);
  assert(tailOf(1 / tailParts, options) <= 1e-3 && tailOf(1 / (tailParts - 1), options) > 1e-3);
  const one = lifetimeExample({ count: 1, epsilon: 1, slack: 1e-3, publishedParts: 3.5 });
  assertEquals([one.tailParts, one.deltaParts], [1, 1]);
});
