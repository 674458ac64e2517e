import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  kAryRandomisedResponse,
  randomisedResponse,
  twoCoinSurvey,
} from "../../../lib/dp/mechanisms/randomised_response.ts";
import { rational, subtract } from "../../../lib/core/numeric/rational.ts";

// Mutant: the double below, which is below ln 3.
Deno.test("twoCoinSurvey() claims no less than ln 3, in exact fractions", () => {
  const { claim } = twoCoinSurvey();
  assert(claim.kind === "pure");
  // ln 3 to 40 digits, OEIS A002391, rounded up.
  const logThree = rational(10986122886681096913952452369225257046475n, 10n ** 40n);
  assert(subtract(rational(claim.epsilon), logThree).numerator > 0n);
  assertAlmostEquals(claim.epsilon, Math.log(3), 1e-15);
});

// Mutants: one answer for another; answers that nobody can give.
Deno.test("randomised responses enumerate each list of answers once, with the product of its chances", () => {
  const truth = Math.exp(1.3) / (1 + Math.exp(1.3));
  const binary = randomisedResponse({ epsilon: 1.3 }).distribution!([true, false]);
  assertEquals(binary.map(({ output }) => output), [
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ]);
  const chances = [truth * (1 - truth), (1 - truth) ** 2, truth ** 2, truth * (1 - truth)];
  binary.forEach(({ probability }, i) => assertAlmostEquals(probability, chances[i]!, 1e-12));
  const kAry = kAryRandomisedResponse({ epsilon: 1, categories: ["a", "b", "c"] });
  assertAlmostEquals(
    kAry.logDensity!(["a", "c"], ["a", "b"]),
    1 - 2 * Math.log(Math.E + 2),
    1e-12,
  );
  for (const none of [["d", "a"], ["a"], ["a", "a", "a"], []] as ("a" | "b" | "c")[][]) {
    assertEquals(kAry.logDensity!(none, ["a", "b"]), -Infinity);
  }
});
