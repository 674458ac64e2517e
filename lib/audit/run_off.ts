import { type Arm, armOf } from "./arm.ts";
import type { Evidence } from "./evidence.ts";
import { chooseGuesses, type Guesses } from "./guesses.ts";
import { CAUTIONS, LIKELY } from "./mixture.ts";
import { byInformation, byMerit } from "./rank_arms.ts";
import { byTurns, largestFirst } from "./ranking.ts";
import type { Session } from "./session.ts";

/** What a run-off needs. */
export interface RunOff {
  readonly session: Session;
  readonly evidence: Evidence;
  /** Puts the best first. */
  readonly rank?: (arms: readonly Arm[], session: Session) => Arm[];
  /** Ends each of the rounds. */
  readonly until: (round: number) => boolean;
}

/**
 * The run-off among finalists: the same number of draws for each, then half of them, until one is
 * left or the budget for it is spent.
 */
export async function runOff(finalists: readonly Arm[], options: RunOff): Promise<Arm> {
  const [best] = await narrow(finalists, options, 1);
  return best!;
}

/** The rounds of a run-off that leave no more than `places`. */
async function narrow(
  finalists: readonly Arm[],
  { session, evidence, rank = byMerit, until }: RunOff,
  places: number,
): Promise<readonly Arm[]> {
  let left = finalists;
  for (let round = 0; left.length > places; round++) {
    await session.stay(left, evidence, { phase: "search", until: () => until(round) });
    left = rank(left, session).slice(0, Math.max(places, Math.floor(left.length / 2)));
  }
  return left;
}

/** Pairs that are learned anew, after a first round. */
const LEARNED_ANEW = 5;

/**
 * The run-off of a thorough search. It made up so many pairs that some look good by luck: those that are
 * doubted count from nothing. What ranks them is the bound in sight, and what they tell. After the first round those
 * that are left are to be learned anew at a patient pace; but where outputs are few different ones all is counted
 * that there is to know, and further rounds find the winner.
 */
export async function thoroughRunOff(
  finalists: readonly Arm[],
  { bits, ...options }: RunOff & { readonly bits: boolean },
): Promise<readonly Arm[]> {
  for (const { learner, doubt } of finalists) if (doubt > CAUTIONS[LIKELY]!) learner.renew();
  const left = await narrow(finalists, { ...options, rank: byTurnsOfBoth }, LEARNED_ANEW);
  if (!seeFewRows(left)) return left.map(({ pair }) => armOf(pair, { bits, pace: "patient" }));
  const until = (round: number): boolean => options.until(1 + round);
  return [await runOff(left, { ...options, rank: byProspect, until })];
}

/** Whether all outputs of these arms are so few different ones that what they promise is known well. */
function seeFewRows(arms: readonly Arm[]): boolean {
  return arms.every(({ learner }) => learner.seesFewRows);
}

/** Arms by turns: those of the best prospect, and those that tell most in all, which shows sooner. */
export function byTurnsOfBoth(arms: readonly Arm[], session: Session): Arm[] {
  const ranking = byProspect(arms, session);
  return seeFewRows(arms) ? ranking : byTurns(ranking, byInformation(arms));
}

/** Arms by the bound that a test on each is likely to show with the draws that remain, largest first. */
export function byProspect(arms: readonly Arm[], session: Session): Arm[] {
  return largestFirst(arms, (arm) => prospectOf(arm, session).promise);
}

function prospectOf({ learner }: Arm, session: Session): Guesses {
  const draws = Math.max(2000, session.remainingTestDraws);
  const luck = learner.seesFewRows ? LUCK.few : LUCK.many;
  return chooseGuesses(learner, { alpha: PROSPECT_ALPHA, draws, luck });
}

/** The level at which prospects are compared. */
const PROSPECT_ALPHA = 0.02;
/**
 * The standard errors taken off for luck. Where outputs are many, the best of some hundred cells, most of
 * them rare, looks good by luck at two or three of them.
 */
const LUCK = { few: 0.25, many: 3 };
