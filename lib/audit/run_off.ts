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
    while (!until(round)) {
      const fewest = left.reduce((a, b) => (b.learner.draws < a.learner.draws ? b : a));
      await session.step(fewest, evidence, "search");
    }
    left = rank(left, session).slice(0, Math.max(places, Math.floor(left.length / 2)));
  }
  return left;
}

/**
 * The run-off of a thorough search. It made up so many pairs that some look good by luck: those that are
 * doubted count from nothing. What ranks them is the bound in sight, and what they tell. The last two have
 * a round of their own: round 3, a long one, where outputs are few different ones, for meanwhile all is
 * counted that there is to know of the winner; else round 2, and the winner is learned anew at a patient pace.
 */
export async function thoroughRunOff(
  finalists: readonly Arm[],
  { bits, ...options }: RunOff & { readonly bits: boolean },
): Promise<Arm> {
  for (const { learner, doubt } of finalists) if (doubt > CAUTIONS[LIKELY]!) learner.renew();
  const ranked = { ...options, rank: byTurnsOfBoth };
  const two = await narrow(finalists, ranked, 2);
  const until = (): boolean => options.until(seeFewRows(two) ? 3 : 2);
  const best = await runOff(two, { ...ranked, rank: byBoth, until });
  return seeFewRows(two) ? best : armOf(best.pair, { bits, pace: "patient" });
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

/** Two arms by their prospects, or if these are too close to tell, by what they tell in all. */
export function byBoth(arms: readonly Arm[], session: Session): Arm[] {
  const ranking = byProspect(arms, session);
  const [first, second] = ranking.map((arm) => prospectOf(arm, session));
  const isClear = first!.promise - second!.promise > Math.hypot(first!.error, second!.error);
  return isClear || seeFewRows(arms) ? ranking : byInformation(arms);
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
const LUCK = { few: 0.25, many: 2 };
