import { type Claim, deltaAt } from "../../../../core/claims/claim.ts";
import { parameterOf, scaledClaim } from "../../../../core/claims/claim_curve.ts";
import type { PredictedLeaves } from "../../kernel/betting/prediction_batch.ts";
import type { ClaimBet, SharedBet } from "../../kernel/betting/claim_bet.ts";
import { divergenceBet } from "../../kernel/betting/divergence_bet.ts";
import { approximateBet, gaussianBet } from "../../kernel/betting/event_bet.ts";
import { largestParameter } from "../../kernel/betting/largest_parameter.ts";
import type { LeafLaw } from "../../kernel/betting/leaf_law.ts";
import { type BetGoal, deviationsAboveGoal } from "./bet_growth.ts";
import { designDivergenceStakes, DIRECTIONS } from "./design_divergence_bet.ts";
import { designEventStakes } from "./design_event_bet.ts";
import { CONCENTRATED_ORDERS, parameterOfLaw } from "./law_parameter.ts";
import { lawOf, type PredictedShares, predictedShares } from "./predicted_law.ts";

/** A bet with the order of its divergence, or the ε of its point. */
interface BetOfFamily {
  readonly bet: ClaimBet;
  readonly family: number;
}

/** A bet with the largest parameter that it is expected to refute. */
interface BetWithParameter extends BetOfFamily {
  readonly parameter: number;
}

/** The share of the bet that is expected to show the largest bound, where a second one has the rest. */
const FIRST_SHARE = 0.7;
/** A parameter counts as refuted by a law where the expected log wealth is this many of its standard deviations above the goal. */
const DEVIATIONS = 1.5;
/** Steps in which the law is found on which a claim is just refuted, and the largest multiple of the predicted log odds. */
const SCALE_STEPS = 6, LARGEST_SCALE = 1 << 10;
/**
 * The ε for which stakes against (ε, δ) are chosen, as shares of the least ε that the law keeps: at that ε itself nothing can
 * be gained.
 */
const TARGET_SHARES: readonly number[] = [0.99, 0.97, 0.94, 0.9, 0.8, 0.6, 0.3];
/** The privacy losses at which the curve of a Gaussian claim is bet on, in standard deviations from their mean, μ²/2. */
const LOSS_DEVIATIONS: readonly number[] = [-1, -0.5, 0, 0.5, 1, 1.5, 2, 3];

/**
 * Returns the bets of a test. The first is the one that is expected to show the largest bound. Where it is not expected to refute the
 * claim, a second one is made against the claim itself, on the predicted law with its log odds so much larger that the claim is
 * just refuted. Where it is, a concentrated claim has the best bet of another order as the second one.
 */
export function chooseBets(
  predicted: PredictedShares,
  { claim, ...goal }: BetGoal & { readonly claim: Claim },
): SharedBet[] {
  const law = lawOf(predicted), bets = betsOn(law, { claim, ...goal });
  const best = bestBet(bets, { law, claim, ...goal })!;
  const other = best.parameter < parameterOf(claim).value
    ? betAgainst(predicted, { claim, ...goal })
    : claim.kind === "zcdp"
    ? bestBet(bets.filter(({ family }) => family !== best.family), { law, claim, ...goal })?.bet
    : undefined;
  return other === undefined ? [{ bet: best.bet, share: 1 }] : [
    { bet: best.bet, share: FIRST_SHARE },
    { bet: other, share: 1 - FIRST_SHARE },
  ];
}

/** Returns the bound that bets are expected to show with what was learned. */
export function expectedBetBound(
  learned: PredictedLeaves,
  options: BetGoal & { readonly claim: Claim },
): number {
  const law = lawOf(predictedShares(learned));
  return bestBet(betsOn(law, options), { law, ...options })!.parameter;
}

/**
 * Returns the bet that refutes the claim on the law of the smallest log odds, in proportion to the predicted ones; `undefined` if none
 * does.
 */
function betAgainst(
  predicted: PredictedShares,
  options: BetGoal & { readonly claim: Claim },
): ClaimBet | undefined {
  const { value } = parameterOf(options.claim);
  const refuting = (law: LeafLaw): BetOfFamily[] =>
    parameterOfLaw(law, options.claim) > value
      ? betsOn(law, options).filter(({ bet }) =>
        isExpectedToRefute(bet, { law, parameter: value, ...options })
      )
      : [];
  let low = 1, high = LARGEST_SCALE, found: { bets: BetOfFamily[]; law: LeafLaw } | undefined;
  for (let step = 0; step < SCALE_STEPS; step++) {
    const middle = Math.sqrt(low * high);
    const law = lawOf(predicted, middle), bets = refuting(law);
    if (bets.length > 0) {
      high = middle;
      found = { bets, law };
    } else low = middle;
  }
  return found && bestBet(found.bets, { law: found.law, ...options })?.bet;
}

/** Returns true if a bet is expected to refute a parameter on a law. */
function isExpectedToRefute(...bet: Parameters<typeof deviationsAboveGoal>): boolean {
  return deviationsAboveGoal(...bet) >= DEVIATIONS;
}

/**
 * Returns the bet that is expected to refute the largest parameter on a law, the first one of several; `undefined` where there are no bets.
 * Most bets need one look: they do not refute the largest parameter so far.
 */
function bestBet(
  bets: readonly BetOfFamily[],
  { law, claim, draws, nats }: BetGoal & { readonly law: LeafLaw; readonly claim: Claim },
): BetWithParameter | undefined {
  const { value } = parameterOf(claim);
  let best: BetWithParameter | undefined;
  for (const { bet, family } of bets) {
    const holds = (parameter: number): boolean =>
      isExpectedToRefute(bet, { law, parameter, draws, nats });
    if (best !== undefined && !holds(best.parameter)) continue;
    const parameter = largestParameter(holds, value);
    if (best === undefined || parameter > best.parameter) best = { bet, family, parameter };
  }
  return best;
}

function betsOn(
  law: LeafLaw,
  { claim, ...goal }: BetGoal & { readonly claim: Claim },
): BetOfFamily[] {
  const { kind } = claim;
  switch (kind) {
    case "renyi":
    case "zcdp": {
      const orders = kind === "renyi" ? [claim.order] : CONCENTRATED_ORDERS;
      return orders.flatMap((order) =>
        DIRECTIONS.map((direction) => ({
          bet: divergenceBet(designDivergenceStakes(law, { order, direction, ...goal }), kind),
          family: order,
        }))
      );
    }
    case "pure":
    case "approximate": {
      const delta = kind === "pure" ? 0 : claim.delta;
      const largest = parameterOfLaw(law, claim);
      return TARGET_SHARES.flatMap((share) => {
        const epsilon = share * largest;
        return DIRECTIONS.map((direction) => ({
          bet: approximateBet(designEventStakes(law, { epsilon, delta, direction, ...goal }), {
            delta,
          }),
          family: epsilon,
        }));
      });
    }
    case "gaussian": {
      const mu = parameterOfLaw(law, claim);
      const epsilons = new Set([0, ...LOSS_DEVIATIONS.map((k) => Math.max(0, mu * (mu / 2 + k)))]);
      return [...epsilons].flatMap((epsilon) => {
        const delta = mu > 0 ? deltaAt(scaledClaim(claim, mu), epsilon) : 0;
        return DIRECTIONS.map((direction) => ({
          bet: gaussianBet(designEventStakes(law, { epsilon, delta, direction, ...goal }), {
            epsilon,
          }),
          family: epsilon,
        }));
      });
    }
  }
}
