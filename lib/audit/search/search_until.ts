import type { AuditEffort } from "../prediction/effort.ts";
import type { Standing } from "./search_pairs.ts";

/**
 * Shares of the budget at which pairs are no longer searched. What a quick search draws is bet on all the same, mostly
 * on its leader: it goes on for long, for a pair at the claim may look by luck as if it broke it.
 */
const UNTIL = { quick: 0.35, inVain: 0.5, thorough: 0.14, slow: 0.2 };
/** A thorough search is slow that has tried so few pairs; with fewer yet, more time would bring few more. */
const SLOW = { from: 24, to: 64 };

/**
 * The share of the budget at which a search that stands like this ends. A quick one goes on for longer while
 * no violation is in sight, a thorough one while it has tried few pairs.
 */
export function searchUntil(
  effort: AuditEffort,
  { isInSight, tried }: Pick<Standing, "isInSight" | "tried">,
): number {
  if (effort === "quick") return isInSight ? UNTIL.quick : UNTIL.inVain;
  return tried >= SLOW.from && tried < SLOW.to ? UNTIL.slow : UNTIL.thorough;
}
