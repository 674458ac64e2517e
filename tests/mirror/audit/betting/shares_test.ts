import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  FROM_FIRST_DRAW,
  LEAF_BETTORS,
  ONE_STANDARD_ERROR,
  POINT_ERRORS,
  POINT_SHARES,
  RESTART_SHARES,
  SCORE_SHARE,
  SHIFT_SHARES,
  STANDARD_ERRORS,
} from "../../../../lib/audit/betting/shares.ts";

const sum = (shares: readonly number[]): number => shares.reduce((a, b) => a + b, 0);

Deno.test("the shares of each kind of claim are positive and add up to 1, so that their average is an e-process", () => {
  const pure = [
    ...LEAF_BETTORS.map(({ share }) => share),
    ...Object.values(SHIFT_SHARES),
    SCORE_SHARE,
  ];
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

Deno.test("STANDARD_ERRORS goes from none to three", () => {
  assertEquals([STANDARD_ERRORS[0], STANDARD_ERRORS.at(-1)], [0, 3]);
  assertEquals(STANDARD_ERRORS, [...new Set(STANDARD_ERRORS)].sort((a, b) => a - b));
});

Deno.test("LEAF_BETTORS has one for each prediction, and two with fixed odds where one or two errors leave something", () => {
  const places = (fixed: boolean): number[] =>
    LEAF_BETTORS.filter(({ hasFixedOdds }) => hasFixedOdds === fixed).map(({ errors }) => errors);
  assertEquals(places(false), [...STANDARD_ERRORS.keys()]);
  assertEquals(places(true).map((place) => STANDARD_ERRORS[place]), [1, 2]);
});
