import { byTurns, largestFirst } from "../../numeric/ranking.ts";
import type { Evidence } from "../betting/evidence.ts";
import { CAUTIONS, LIKELY } from "../betting/standard_errors.ts";
import type { Session } from "../drawing/sampler.ts";
import { type Arm, armOf } from "../prediction/candidate_pair.ts";
import { chooseGuesses } from "../prediction/choose_guesses.ts";
import { byInformation, byMerit } from "./rank_candidates.ts";
import type { SearchResult } from "./search_pairs.ts";

/** What a run-off needs. */
export interface RunOff {
  readonly session: Session;
  readonly evidence: Evidence;
  /** Whether the audit is over, or this share of its budget is spent since the run-off began. */
  readonly within: (share: number) => boolean;
}

/**
 * The shares of the budget at which the rounds of a run-off end, the last one if there are more. A quick one is short:
 * what is drawn on all but the winner is learned from in vain.
 */
const ROUNDS = { quick: [0.02, 0.04], fewRows: [0.12, 0.24, 0.36], manyRows: [0.06] };

/** How finalists are narrowed down. */
export interface Narrowing extends RunOff {
  /** Puts the best first. */
  readonly rank: (arms: readonly Arm[], session: Session) => Arm[];
  readonly rounds: readonly number[];
  /** How many are to be left. */
  readonly places: number;
}

/** The run-off among finalists: the same number of draws for each, then for the better half, until few enough are left. */
export async function runOff(
  arms: readonly Arm[],
  { session, evidence, within, rank, rounds, places }: Narrowing,
): Promise<readonly Arm[]> {
  let left = arms;
  for (let round = 0; left.length > places; round++) {
    const end = rounds[Math.min(round, rounds.length - 1)]!;
    await session.stay(left, evidence, { phase: "search", until: () => within(end) });
    left = rank(left, session).slice(0, Math.max(places, Math.floor(left.length / 2)));
  }
  return left;
}

/** The run-off of a quick search: the arm that promises the largest ε. */
export async function quickRunOff(finalists: readonly Arm[], options: RunOff): Promise<Arm> {
  const rounds = ROUNDS.quick;
  const [best] = await runOff(finalists, { ...options, rank: byMerit, rounds, places: 1 });
  return best!;
}

/** Pairs that are learned anew, after a first round. */
const LEARNED_ANEW = 5;

/**
 * The run-off of a thorough search. It made up so many pairs that some look good by luck: those that are
 * doubted count from nothing. After the first round those that are left are to be learned anew at a patient pace:
 * by turns those of the largest bound in sight, those that tell most, and the classics, for a leak in a rare event shows
 * in neither yet. But where outputs are few different ones all is counted that there is to know, and further rounds
 * find the winner.
 */
export async function thoroughRunOff(
  { finalists, classics }: Pick<SearchResult, "finalists" | "classics">,
  { bits, ...options }: RunOff & { readonly bits: boolean },
): Promise<readonly Arm[]> {
  for (const { learner, doubt } of finalists) if (doubt > CAUTIONS[LIKELY]!) learner.renew();
  let left = finalists;
  if (!seeFewRows(left)) {
    const rank = (arms: readonly Arm[], session: Session): Arm[] => {
      const known = classics.filter((arm) => arms.includes(arm));
      return byTurns(byProspect(arms, session), byInformation(arms), known);
    };
    left = await runOff(left, { ...options, rank, rounds: ROUNDS.manyRows, places: LEARNED_ANEW });
    if (!seeFewRows(left)) return left.map(({ pair }) => armOf(pair, { bits, pace: "patient" }));
  }
  return await runOff(left, { ...options, rank: byProspect, rounds: ROUNDS.fewRows, places: 1 });
}

/** Whether all outputs of these arms are so few different ones that what they promise is known well. */
function seeFewRows(arms: readonly Arm[]): boolean {
  return arms.every(({ learner }) => learner.seesFewRows);
}

/**
 * Standard errors taken off for luck. Where outputs are many, the best of some hundred cells, most of them rare, looks
 * good by luck at two or three of them; with hope, rare cells are given the chance that they are not.
 */
const LUCK = { few: 0.25, hope: 1, doubt: 3 };

/** Arms by the bound that a test on each is likely to show with the draws that remain, largest first. */
export function byProspect(
  arms: readonly Arm[],
  session: Session,
  style: "hope" | "doubt" = "doubt",
): Arm[] {
  const draws = Math.max(2000, session.remainingTestDraws);
  return largestFirst(arms, ({ learner }) => {
    const luck = LUCK[learner.seesFewRows ? "few" : style];
    return chooseGuesses(learner, { alpha: PROSPECT_ALPHA, draws, luck }).promise;
  });
}

/** Arms by turns: those of the best prospect, and those that may have a leak in a rare event. */
export function byDoubtAndHope(arms: readonly Arm[], session: Session): Arm[] {
  return byTurns(byProspect(arms, session), byProspect(arms, session, "hope"));
}

/** The level at which prospects are compared. */
const PROSPECT_ALPHA = 0.02;
