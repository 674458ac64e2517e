import { assert, assertAlmostEquals } from "@std/assert";
import {
  FROM_FIRST_DRAW,
  LEAF_SHARE,
  POINT_SHARES,
  RESTART_SHARES,
  SCORE_SHARE,
  SHIFT_SHARES,
} from "../../../../../lib/judge/audit/kernel/betting/shares.ts";

const sum = (shares: readonly number[]): number => shares.reduce((a, b) => a + b, 0);

Deno.test("the shares of each kind of claim are positive and add up to 1, so that their average is an e-process", () => {
  const pure = [LEAF_SHARE, ...Object.values(SHIFT_SHARES), SCORE_SHARE];
  const times = [FROM_FIRST_DRAW, ...RESTART_SHARES];
  for (const shares of [pure, Object.values(POINT_SHARES), times]) {
    assert(shares.every((share) => share > 0));
    assertAlmostEquals(sum(shares), 1, 1e-12);
  }
});
