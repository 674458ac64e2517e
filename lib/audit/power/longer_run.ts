import { parameterOf } from "../../core/claim_curve.ts";
import type { PredictedLeaves } from "../betting/prediction_batch.ts";
import { type BetsMade, detectableParameter } from "./detectable_parameter.ts";

/** A budget of seconds, and what a run of it would have seen. */
export interface LongerRun {
  /** Seconds. */
  readonly seconds: number;
  /** A violation above this ε (ρ or μ), on the same pair and event, would be refuted with the power of `detectableEpsilon`. */
  readonly detectableEpsilon: number;
}

/** Fewer draws a second than this are slow: an audit of the default length has too few to see small violations. */
export const SLOW = 1000;

/** A run of less than a second says little about speed. */
const SHORTEST = 1;

/** Budgets that are looked at. */
const SECONDS = [60, 120, 300, 600, 1800, 3600, 7200];

/**
 * What a slow program needs: the shortest of some longer budgets by which a violation would be seen that exceeds the claim by half
 * as much as the smallest one seen now, or, where none was seen, by no more than once; else the longest of them. `undefined` where the
 * program is not slow, where nothing was drawn, or where no longer budget shows a violation.
 */
export function longerRun(
  learned: PredictedLeaves,
  { seconds, detectable, ...bets }: BetsMade & {
    /** Seconds that the draws took. */
    readonly seconds: number;
    /** What these draws would have shown. */
    readonly detectable: number | null;
  },
): LongerRun | undefined {
  if (seconds < SHORTEST || !(bets.draws / seconds < SLOW) || detectable === null) return undefined;
  const { value } = parameterOf(bets.claim);
  const wanted = detectable === Infinity ? 2 * value : (value + detectable) / 2;
  let longest: LongerRun | undefined;
  for (const budget of SECONDS) {
    if (budget <= seconds) continue;
    const draws = Math.floor(bets.draws * budget / seconds);
    const seen = detectableParameter(learned, { ...bets, draws }) ?? Infinity;
    if (seen === Infinity) continue;
    longest = { seconds: budget, detectableEpsilon: seen };
    if (seen <= wanted) break;
  }
  return longest;
}
