import { assertEquals, assertThrows } from "@std/assert";
import { zcdp } from "../../../lib/core/claim.ts";
import type { DiscreteSource } from "../../../lib/core/discrete_source.ts";
import { pairOf, replaceOne as relation } from "../../../lib/core/relation.ts";
import { randomisedResponse } from "../../../lib/mechanisms/randomised_response.ts";
import { assertExactlyPrivate } from "../../../lib/testing/assert_exactly_private.ts";
import { AssertionError } from "../../../lib/testing/assertion_error.ts";

const pair = pairOf(relation, { left: [false], right: [true] });
const answer = ([truth]: boolean[], source: DiscreteSource): boolean =>
  source.bernoulli({ probability: 0.75 }) === truth;
const domain = { rows: { type: "boolean" }, size: { min: 1, max: 2 } } as const;

// Mutants: a report in place of an error; the mechanism's claim under no name but its own.
Deno.test("assertExactlyPrivate() throws unless the claim holds", () => {
  assertEquals(assertExactlyPrivate(answer, { epsilon: 1.1, relation, pair }).verdict, "holds");
  const error = assertThrows(
    () => assertExactlyPrivate(answer, { epsilon: 1, relation, pair }),
    AssertionError,
    "REFUTED  answer does not keep 1-DP",
  );
  assertEquals((error.report as { verdict: string }).verdict, "refuted");
  assertEquals(
    assertExactlyPrivate(answer, { epsilon: 1, delta: 0.1, relation, pair }).verdict,
    "holds",
  );
  const survey = randomisedResponse({ epsilon: 2 });
  assertEquals(assertExactlyPrivate(survey, { domain }).attained, true);
  assertThrows(() => assertExactlyPrivate(survey, { domain, epsilon: 1.9 }), AssertionError);
  const noisy = (data: boolean[], source: DiscreteSource): number =>
    Number(data[0]) + source.discreteLaplace({ rate: 0.001 });
  assertThrows(
    () => assertExactlyPrivate(noisy, { epsilon: 1, relation, pair, maxBranches: 50 }),
    AssertionError,
    "UNDECIDED",
  );
});

Deno.test("assertExactlyPrivate() refuses what is missing or of another kind", () => {
  assertThrows(() => assertExactlyPrivate(answer, { epsilon: 1, pair }), RangeError, "relation");
  assertThrows(() => assertExactlyPrivate(answer, { epsilon: 1, relation }), RangeError, "domain");
  assertThrows(() => assertExactlyPrivate(answer, { pair }), RangeError, "missing");
  assertThrows(
    () => assertExactlyPrivate(answer, { claim: zcdp({ rho: 1, relation }), pair }),
    RangeError,
    "zcdp",
  );
});
