import type { Claim } from "../../../../core/claims/claim.ts";
import { parameterOf, pointsOf } from "../../../../core/claims/claim_curve.ts";
import { logBinomialTail } from "../../../../core/numeric/binomial_tail.ts";
import { normalTailQuantile } from "../../../../core/numeric/normal_tail.ts";
import { betApproximate, chooseCap } from "../../kernel/betting/bet_approximate.ts";
import { natsToRefute } from "../../kernel/fixed_sample/bet_bound.ts";
import { LEVEL_MARGIN } from "../../kernel/fixed_sample/unfinished_guesses.ts";
import { deviationsAboveGoal } from "../bet_choice/bet_growth.ts";
import { chooseBets } from "../bet_choice/choose_bets.ts";
import { lawOf } from "../bet_choice/predicted_law.ts";
import { type EventLaw, leastApart, parameterOfEvent } from "./event_law.ts";

/** Draws that a claim was tested by, and the level. */
export interface DrawsAtLevel {
  /** The level at which they refute. */
  readonly alpha: number;
  /** Draws on the pair, both sides together. */
  readonly draws: number;
}

/** The bets and the test that were made on a pair. */
export interface TestsMade {
  readonly claim: Claim;
  /** The probability with which a violation is to be refuted. */
  readonly power: number;
  /** Bets on all draws. */
  readonly bets: DrawsAtLevel;
  /** The test at the end of the budget; absent where there was none, or it shows nothing. */
  readonly test?: DrawsAtLevel | undefined;
}

/** Returns the same with another number of draws, of which the test has the same share. */
export function withDraws({ bets, test, ...rest }: TestsMade, draws: number): TestsMade {
  const counted = bets.draws === 0 ? 0 : (test?.draws ?? 0) * draws / bets.draws;
  return {
    ...rest,
    bets: { ...bets, draws: Math.floor(draws) },
    test: test && { ...test, draws: Math.floor(counted) },
  };
}

/**
 * Nats that the engine loses against a bettor that knows the odds from the first draw on: its stake is shared among bettors,
 * and odds are learned. The second number is for each factor of e in the number of draws. Measured: `deno task bench
 * power-stated` shows how often violations of the stated size are refuted.
 */
const LOST_NATS = { atFirst: 4, perLogDraw: 0.5 };
/**
 * The share of its draws with which a test that knows the event shows as much as the test at the end: the leaves that it was given
 * have edges beside those of the event, and some are chosen by chance. Measured in the same way.
 */
const USED_SHARE = 0.8;
/** The relative precision of a difference that is detectable: reports print three digits, and each halving chooses bets anew. */
const PRECISION = 1e-6;

/**
 * Returns the least parameter (ε, ρ or μ) that would have been refuted with the given power, where the outputs on the pair differ in one
 * event of this share of them: its probabilities are as far apart as a claim of that parameter allows. Infinite where no
 * difference is seen, `null` without draws. More is seen of an event with a larger share, up to a half.
 *
 * It is about events that the partition finds as a whole: values, kinds and keys of outputs, and numbers beyond a threshold.
 */
export function detectableParameter(share: number, tests: TestsMade): number | null {
  if (tests.bets.draws === 0) return null;
  if (!(share > 0)) return Infinity;
  const law = leastApart(share, (own) => isDetectable(own, tests), { precision: PRECISION });
  return law === undefined ? Infinity : parameterOfEvent(law, tests.claim);
}

/** Returns true if the outputs of a pair with these laws would have been refuted with the given power. */
export function isDetectable(law: EventLaw, tests: TestsMade): boolean {
  return isSeenByBets(law, tests) || isSeenByTest(law, tests);
}

/** Returns the gain, in nats, that the best stake needs for the engine to refute: it has to share its stake, and to learn the odds. */
export function natsOfBets({ alpha, draws }: DrawsAtLevel): number {
  return Math.log(1 / alpha) + LOST_NATS.atFirst + LOST_NATS.perLogDraw * Math.log(draws);
}

/** Returns the three things that can be guessed by: the event, all other outputs, and both. */
function waysToGuess({ share, left, right }: EventLaw): { mass: number; rate: number }[] {
  const inEvent = right[0]! / 2, elsewhere = left[1]! / 2;
  return [
    { mass: share, rate: inEvent / share },
    { mass: 1 - share, rate: elsewhere / (1 - share) },
    { mass: 1, rate: inEvent + elsewhere },
  ];
}

function isSeenByBets(law: EventLaw, { claim, bets, power }: TestsMade): boolean {
  const { draws } = bets, nats = natsOfBets(bets), deviations = normalTailQuantile(1 - power);
  const [event, others] = waysToGuess(law);
  return pointsOf(claim).some((point) => {
    const one = growthOfBet(point, event!), other = growthOfBet(point, others!);
    // Bets against a pure claim are made in both directions at once, those against points of a curve in one.
    const both = { mean: one.mean + other.mean, variance: one.variance + other.variance };
    return [one, other, ...(claim.kind === "pure" ? [both] : [])].some(({ mean, variance }) =>
      draws * mean - deviations * Math.sqrt(draws * variance) >= nats
    );
  });
}

function isSeenByTest(law: EventLaw, { claim, test, power }: TestsMade): boolean {
  if (test === undefined || !(test.alpha > 0)) return false;
  const { alpha } = test,
    draws = Math.floor(USED_SHARE * test.draws),
    { value } = parameterOf(claim);
  if (draws === 0) return false;
  if (claim.kind === "pure") {
    const claimed = 1 / (1 + Math.exp(-value));
    return waysToGuess(law).some(({ mass, rate }) => {
      const goal = Math.round(draws * mass);
      if (goal < 1 || rate <= claimed) return false;
      const needed = leastRefuting({ goal, rate: claimed, alpha });
      return needed <= goal && logBinomialTail(needed, goal, rate) >= Math.log(power);
    });
  }
  const { left, right, share } = law, nats = natsToRefute(alpha);
  const predicted = {
    mass: Float64Array.of(share, 1 - share, 0),
    odds: Float64Array.of(Math.log(right[0]! / left[0]!), Math.log(right[1]! / left[1]!), 0),
  };
  const own = lawOf(predicted), deviations = normalTailQuantile(1 - power);
  return chooseBets(predicted, { claim, draws, nats }).some(({ bet, share: stake }) =>
    deviationsAboveGoal(bet, { law: own, parameter: value, draws, nats: nats - Math.log(stake) }) >=
      deviations
  );
}

/** Returns the smallest number of right guesses that refutes the claim; one more than all if none does. */
function leastRefuting(
  { goal, rate, alpha }: { goal: number; rate: number; alpha: number },
): number {
  const level = Math.log(alpha) - LEVEL_MARGIN;
  let low = 0, high = goal + 1;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (logBinomialTail(middle, goal, rate) <= level) high = middle;
    else low = middle;
  }
  return high;
}

/** Returns the mean and variance of the logarithm by which a draw multiplies the wealth of the best bet on an event. */
export function growthOfBet(
  point: { readonly epsilon: number; readonly delta: number },
  { rate, mass }: { readonly rate: number; readonly mass: number },
): { mean: number; variance: number } {
  const cell = { probability: Float64Array.of(rate), mass: Float64Array.of(mass) };
  const cap = chooseCap(point, cell);
  const logOf = (favoured: number, other: number): number =>
    betApproximate(point, {
      sides: [{
        cap,
        probability: cell.probability,
        favoured: Float64Array.of(favoured),
        other: Float64Array.of(other),
      }],
      draws: 1,
    });
  const outcomes = [
    { chance: mass * rate, log: logOf(1, 0) },
    { chance: mass * (1 - rate), log: logOf(0, 1) },
    { chance: 1 - mass, log: logOf(0, 0) },
  ].filter(({ chance }) => chance > 0);
  const mean = outcomes.reduce((sum, { chance, log }) => sum + chance * log, 0);
  const variance = outcomes.reduce((sum, { chance, log }) => sum + chance * (log - mean) ** 2, 0);
  return { mean, variance };
}
