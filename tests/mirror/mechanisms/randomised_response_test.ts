import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import {
  estimateProportion,
  kAryRandomisedResponse,
  randomisedResponse,
  twoCoinSurvey,
} from "../../../lib/mechanisms/randomised_response.ts";
import { rational, subtract } from "../../../lib/numeric/rational.ts";

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

Deno.test("randomised responses enumerate up to 2^12 lists", () => {
  const yes = (count: number): boolean[] => Array<boolean>(count).fill(true);
  const binary = randomisedResponse({ epsilon: 1 });
  assertEquals(binary.distribution!(yes(12)).length, 4096);
  assertThrows(() => binary.distribution!(yes(13)), RangeError, "at most 2^12 lists");
  const four = kAryRandomisedResponse({ epsilon: 1, categories: [1, 2, 3, 4] });
  const ones = (count: number): (1 | 2 | 3 | 4)[] => Array(count).fill(1) as 1[];
  assertEquals(four.distribution!(ones(6)).length, 4096);
  assertThrows(() => four.distribution!(ones(7)), RangeError, "at most 2^12 lists");
});

Deno.test("randomised responses refuse too few categories, and chances of the truth out of range", () => {
  for (const categories of [[], ["a"], ["a", "a"]]) {
    assertThrows(
      () => kAryRandomisedResponse({ epsilon: 1, categories }),
      RangeError,
      "categories must be at least 2",
    );
  }
  assertEquals(estimateProportion([true, false], { truthProbability: 1 }), 0.5);
  for (const truthProbability of [0.5, 1.001, 2, NaN]) {
    assertThrows(
      () => estimateProportion([true], { truthProbability }),
      RangeError,
      "truthProbability must be",
    );
  }
});

Deno.test("randomised responses come in blocks of up to 64 respondents whose number is known", () => {
  for (const [max, width] of [[0, 0], [1, 1], [64, 64], [65, 0], [1.5, 0], [Infinity, 0]]) {
    const domain = { rows: { type: "boolean" as const }, size: { min: 0, max: max! } };
    const mechanism = randomisedResponse({ epsilon: 1, domain });
    assertEquals(mechanism.width, width === 0 ? undefined : width);
    assertEquals(mechanism.sampleMany === undefined, width === 0);
  }
  assertEquals(randomisedResponse({ epsilon: 1 }).width, undefined);
});
