import type { AuditEffort } from "../model/prediction/effort.ts";
import type { Standing } from "./search_pairs.ts";

/**
 * Shares of the budget at which the search for pairs ends. A quick search is long: most of its draws are bet on all the
 * same, and longest while no pair is about to refute the claim, for a pair that only just keeps it may look by chance as if it broke it.
 */
const SEARCH_SHARE = {
  quick: 0.35,
  quickWithoutRefutation: 0.6,
  thorough: 0.14,
  thoroughWithFewPairs: 0.2,
};
/**
 * Pairs tried, from which and below which a thorough search gets more time. With fewer than `from` the subject is so slow
 * that more time would add few pairs.
 */
const FEW_PAIRS = { from: 24, below: 64 };

/**
 * The share of the budget at which a search of this standing ends. A quick one goes on for longer while no violation is in
 * sight, a thorough one while it has tried few pairs.
 */
export function searchUntil(
  effort: AuditEffort,
  { canRefute, tried }: Pick<Standing, "canRefute" | "tried">,
): number {
  if (effort === "quick") {
    return canRefute ? SEARCH_SHARE.quick : SEARCH_SHARE.quickWithoutRefutation;
  }
  return tried >= FEW_PAIRS.from && tried < FEW_PAIRS.below
    ? SEARCH_SHARE.thoroughWithFewPairs
    : SEARCH_SHARE.thorough;
}
