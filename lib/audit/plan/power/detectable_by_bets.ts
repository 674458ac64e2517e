import type { Claim } from "../../../core/claim.ts";
import { parameterOf } from "../../../core/claim_curve.ts";
import { normalTailQuantile } from "../../../numeric/normal_tail.ts";
import { deviationsAboveGoal } from "../bet_choice/bet_growth.ts";
import { parameterOfLaw } from "../bet_choice/law_parameter.ts";
import { lawOf, type PredictedShares } from "../bet_choice/predicted_law.ts";
import type { SharedBet } from "../../kernel/betting/claim_bet.ts";

/** Steps in which the smallest multiple of the predicted log odds is found that is refuted, and the largest one tried. */
const SCALE_STEPS = 40, LARGEST_SCALE = 1 << 10;

/**
 * The least parameter of a law that these bets refute with the given power by `draws` draws, among the laws with the predicted
 * shares of draws in the leaves and with log odds in proportion to the predicted ones; infinite if there is none, `null` without
 * draws.
 */
export function detectableByBets(
  predicted: PredictedShares,
  { bets, claim, draws, nats, power }: {
    readonly bets: readonly SharedBet[];
    readonly claim: Claim;
    /** Draws counted. */
    readonly draws: number;
    /** Logarithm of the wealth that refutes. */
    readonly nats: number;
    readonly power: number;
  },
): number | null {
  if (draws === 0) return null;
  const { value } = parameterOf(claim);
  const deviations = normalTailQuantile(1 - power);
  const isSeen = (scale: number): boolean => {
    const law = lawOf(predicted, scale);
    return bets.some(({ bet, share }) =>
      deviationsAboveGoal(bet, { law, parameter: value, draws, nats: nats - Math.log(share) }) >=
        deviations
    );
  };
  let low = 0, high = LARGEST_SCALE;
  if (!isSeen(high)) return Infinity;
  for (let step = 0; step < SCALE_STEPS; step++) {
    const middle = low === 0 ? high / 2 : Math.sqrt(low * high);
    if (isSeen(middle)) high = middle;
    else low = middle;
  }
  return parameterOfLaw(lawOf(predicted, high), claim);
}
