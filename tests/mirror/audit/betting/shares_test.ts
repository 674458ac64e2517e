import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  FROM_FIRST_DRAW,
  LEAF_BETTORS,
  ONE_STANDARD_ERROR,
  POINT_ERRORS,
  POINT_SHARES,
  RESTART_SHARES,
  SHIFT_SHARES,
  STANDARD_ERRORS,
} from "../../../../lib/audit/betting/shares.ts";

const sum = (shares: readonly number[]): number => shares.reduce((a, b) => a + b, 0);

Deno.test("the shares of each kind of claim are positive and add up to 1, so that their average is an e-process", () => {
  const pure = [...LEAF_BETTORS.map(({ share }) => share), ...Object.values(SHIFT_SHARES)];
  const times = [FROM_FIRST_DRAW, ...RESTART_SHARES];
  for (const shares of [pure, Object.values(POINT_SHARES), times]) {
    assert(shares.every((share) => share > 0));
    assertAlmostEquals(sum(shares), 1, 1e-12);
  }
});

Deno.test("places of standard errors are places of the list", () => {
  assertEquals([ONE_STANDARD_ERROR, POINT_ERRORS].map((place) => STANDARD_ERRORS[place]), [1, 0.5]);
  assert(LEAF_BETTORS.every(({ errors }) => STANDARD_ERRORS[errors] !== undefined));
});

Deno.test("RESTART_SHARES falls as 1/(k + 4), and is all that the first draw leaves", () => {
  const sum = RESTART_SHARES.reduce((a, b) => a + b, 0);
  assertAlmostEquals(sum, 1 - FROM_FIRST_DRAW, 1e-12);
  RESTART_SHARES.forEach((share, k) => {
    assert(share > 0);
    assertAlmostEquals(share * (k + 4), RESTART_SHARES[0]! * 4, 1e-12);
  });
});
