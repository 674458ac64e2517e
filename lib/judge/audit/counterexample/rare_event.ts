import type { Claim } from "../../../core/claims/claim.ts";
import type { RareOutputs } from "../model/prediction/rare_outputs.ts";
import { eventEpsilon, exceedsClaim } from "./event_epsilon.ts";
import type { EventReport } from "./event_report.ts";

/**
 * Returns the rare output that shows most, with its counts on all draws since it was found: as an event that exceeds the claim by these
 * counts. `undefined` where none does. Each rare output has an equal share of the level, for it is chosen by the same counts.
 */
export function rareEvent(
  { named }: Pick<RareOutputs, "named">,
  { claim, alpha }: { readonly claim: Claim; readonly alpha: number },
): EventReport | undefined {
  let best: EventReport | undefined;
  for (const { conditions, left, right } of named) {
    const counts = { left, right };
    // The counts depend on when the audit ended, so that the bound for outputs in order is taken.
    const level = { claim, alpha: alpha / named.length, independent: false };
    if (left.hits + right.hits === 0 || !exceedsClaim(counts, level)) continue;
    const epsilonLowerBound = eventEpsilon(counts, level);
    if (epsilonLowerBound <= (best?.epsilonLowerBound ?? 0)) continue;
    const description = conditions.map(({ feature, operator, value }) =>
      `${feature} ${operator} ${value}`
    ).join(" and ");
    best = {
      description,
      conditions,
      ...counts,
      epsilonLowerBound,
      exceedsClaim: true,
      rare: true,
    };
  }
  return best;
}
