import { assert, assertEquals } from "@std/assert";
import { expectedLogWealthOf } from "../../../../lib/audit/prediction/expected_log_wealth.ts";
import type { PredictedOdds } from "../../../../lib/audit/betting/prediction_batch.ts";

/** An event seen so many times on either side, of so many draws on each; its log odds are drawn towards 0 by half a standard error. */
function seen(left: number, right: number, draws: number): PredictedOdds {
  const odds = [[left, right], [draws - left, draws - right]].map(([a, b]) => {
    const [one, other] = [a! + 0.5, b! + 0.5], log = Math.log(other / one);
    return Math.sign(log) *
      Math.max(0, Math.abs(log) - 0.5 * Math.sqrt(1 / one + 1 / other));
  });
  return {
    leaves: Int32Array.of(0, 1),
    counts: Float64Array.of(left, right, draws - left, draws - right),
    odds: Float64Array.from(odds),
  };
}

// Mutants: no standard error of what exceeds the claim; the odds of leaves, drawn towards 0, in place of what was seen.
Deno.test("expectedLogWealthOf() expects more of a rare event that exceeds (ε, δ) than of a frequent one that does so by chance", () => {
  const claim = { draws: 10_000, epsilon: 1, points: [{ epsilon: 1, delta: 0.01 }] };
  // 3.7% and none, of 816 draws: .027 more than δ, four standard errors.
  assert(expectedLogWealthOf(seen(30, 0, 816), claim) > 20);
  // e times 10% and .02 more, of 8,000 draws: .01 more than δ, less than one standard error.
  assertEquals(expectedLogWealthOf(seen(2334, 800, 8000), claim), 0);
});
