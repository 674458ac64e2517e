import { type BetsMade, detectableParameter } from "../plan/power/detectable_parameter.ts";
import type { PredictedLeaves } from "../kernel/betting/prediction_batch.ts";
import type { PowerPoint } from "./audit_details.ts";

/** Numbers of draws as multiples of those that were made: from a 32nd to 32 times, in factors of 2. */
const MULTIPLES = Array.from({ length: 11 }, (_, k) => 2 ** (k - 5));

/** The violations that the bets of a run would have seen by fewer draws and by more, on the same pair and event. */
export function powerByDraws(
  learned: PredictedLeaves,
  { draws, ...bets }: BetsMade,
): readonly PowerPoint[] {
  if (draws === 0) return [];
  return MULTIPLES.map((times) => Math.round(times * draws)).filter((count) => count > 0)
    .flatMap((count) => {
      const detectable = detectableParameter(learned, { ...bets, draws: count });
      return detectable === null ? [] : [{ draws: count, detectable }];
    });
}
