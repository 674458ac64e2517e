import type { Claim } from "../../../core/claims/claim.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { chooseBets } from "./bet_choice/choose_bets.ts";
import { chooseGuesses } from "./bet_choice/choose_guesses.ts";
import { predictedShares } from "./bet_choice/predicted_law.ts";
import type { PredictedLeaves } from "../kernel/betting/prediction_batch.ts";
import { BetBound, natsToRefute } from "../kernel/fixed_sample/bet_bound.ts";
import type { FixedSampleBound, ReadBound } from "../kernel/fixed_sample/fixed_sample_bound.ts";
import { GuessCountBound } from "../kernel/fixed_sample/guess_count_bound.ts";
import type { DrawsAtLevel } from "./power/detectable_parameter.ts";

/** The test at the end of a budget, and the draws that it has counted. */
export interface BoundAtEnd<Bound extends ReadBound = FixedSampleBound> {
  /** The test. */
  readonly bound: Bound;
  /** Draws that were counted, by a level of the test; `undefined` where it shows nothing. */
  readonly counted: () => DrawsAtLevel | undefined;
}

/** Returns a test of a pure claim that counts right guesses: the leaves are chosen by the counts so far. */
export function boundByGuesses(
  learned: PredictedLeaves,
  { claim, alpha, draws, source }: {
    /** The claimed ε. */
    readonly claim: number;
    readonly alpha: number;
    /** Draws to come. */
    readonly draws: number;
    readonly source: Source;
  },
): BoundAtEnd<GuessCountBound> {
  const { guess } = chooseGuesses(learned, { alpha, draws });
  const bound = new GuessCountBound(guess, { learned, epsilon: claim, alpha, draws, source });
  return {
    bound,
    counted: () => bound.areEnough ? { alpha, draws: draws * bound.made / bound.goal } : undefined,
  };
}

/** Returns a test by bets on the leaves of a fixed partition, chosen by the counts so far. */
export function boundByBets(
  learned: PredictedLeaves,
  { claim, alpha, draws }: {
    readonly claim: Claim;
    readonly alpha: number;
    /** Draws to come. */
    readonly draws: number;
  },
): BoundAtEnd<BetBound> {
  const predicted = predictedShares(learned), nats = natsToRefute(alpha);
  const bets = chooseBets(predicted, { claim, draws: Math.max(1, draws), nats });
  const bound = new BetBound(learned.leaves, { bets, claim, alpha });
  return {
    bound,
    counted: () => ({ alpha, draws: bound.draws }),
  };
}
