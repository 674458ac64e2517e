import { parameterOf } from "../../../core/claim_curve.ts";
import type { PredictedLeaves } from "../../kernel/betting/prediction_batch.ts";
import { type BetsMade, detectableParameter } from "./detectable_parameter.ts";

/** A budget of seconds, and the violation that a run of it would have seen. */
export interface LongerRun {
  /** Seconds. */
  readonly seconds: number;
  /** A violation above this ε (ρ or μ), on the same pair and event, would be refuted with the power of `detectableEpsilon`. */
  readonly detectableEpsilon: number;
}

/** Fewer draws a second than this are slow: an audit of the default length has too few to see small violations. */
const SLOW = 1000;

/** A run of less than a second says little about speed. */
const SHORTEST = 1;

/** Budgets that are looked at. */
const SECONDS = [60, 120, 300, 600, 1800, 3600, 7200];

/**
 * A longer budget for a slow program. It is the shortest of {@linkcode SECONDS} with which a wanted violation would be seen:
 * half as far above the claim as the smallest one seen now, or twice the claim where none was seen. If no budget shows the
 * wanted one, it is the longest that shows any. `undefined` where the program is not slow, where there are no draws, or where
 * no budget shows a violation.
 */
export function longerRun(
  learned: PredictedLeaves,
  { seconds, detectable, ...bets }: BetsMade & {
    /** Seconds that the draws took. */
    readonly seconds: number;
    /** The smallest violation that these draws would have shown. */
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
