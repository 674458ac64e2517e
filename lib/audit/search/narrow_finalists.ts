import { byTurns, largestFirst } from "../../numeric/ranking.ts";
import type { Evidence } from "../betting/evidence.ts";
import { ONE_STANDARD_ERROR, STANDARD_ERRORS } from "../betting/shares.ts";
import type { Sampler } from "../drawing/sampler.ts";
import { type CandidatePair, candidatePairOf } from "../prediction/candidate_pair.ts";
import { chooseGuesses } from "../prediction/choose_guesses.ts";
import { byInformation, byRefutableEpsilon } from "./rank_candidates.ts";
import type { SearchResult } from "./search_pairs.ts";

/** What a run-off needs. */
export interface NarrowingOptions {
  readonly session: Sampler;
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
export interface Narrowing extends NarrowingOptions {
  /** Puts the best first. */
  readonly rank: (arms: readonly CandidatePair[], session: Sampler) => CandidatePair[];
  readonly rounds: readonly number[];
  /** How many are to be left. */
  readonly places: number;
}

/** The run-off among finalists: the same number of draws for each, then for the better half, until few enough are left. */
export async function narrow(
  arms: readonly CandidatePair[],
  { session, evidence, within, rank, rounds, places }: Narrowing,
): Promise<readonly CandidatePair[]> {
  let left = arms;
  for (let round = 0; left.length > places; round++) {
    const end = rounds[Math.min(round, rounds.length - 1)]!;
    await session.stay(left, evidence, { phase: "search", until: () => within(end) });
    left = rank(left, session).slice(0, Math.max(places, Math.floor(left.length / 2)));
  }
  return left;
}

/** The run-off of a quick search: the arm that promises the largest ε. */
export async function narrowQuickly(
  finalists: readonly CandidatePair[],
  options: NarrowingOptions,
): Promise<CandidatePair> {
  const rounds = ROUNDS.quick;
  const [best] = await narrow(finalists, {
    ...options,
    rank: byRefutableEpsilon,
    rounds,
    places: 1,
  });
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
export async function narrowThoroughly(
  { finalists, classics }: Pick<SearchResult, "finalists" | "classics">,
  { bits, ...options }: NarrowingOptions & { readonly bits: boolean },
): Promise<readonly CandidatePair[]> {
  for (const { predictor: learner, standardErrors: doubt } of finalists) {
    if (doubt > STANDARD_ERRORS[ONE_STANDARD_ERROR]!) learner.renew();
  }
  let left = finalists;
  if (!seeFewRows(left)) {
    const rank = (arms: readonly CandidatePair[], session: Sampler): CandidatePair[] => {
      const known = classics.filter((arm) => arms.includes(arm));
      return byTurns(byExpectedBound(arms, session), byInformation(arms), known);
    };
    left = await narrow(left, { ...options, rank, rounds: ROUNDS.manyRows, places: LEARNED_ANEW });
    if (!seeFewRows(left)) {
      return left.map(({ pair }) => candidatePairOf(pair, { bits, pace: "patient" }));
    }
  }
  return await narrow(left, {
    ...options,
    rank: byExpectedBound,
    rounds: ROUNDS.fewRows,
    places: 1,
  });
}

/** Whether all outputs of these arms are so few different ones that what they promise is known well. */
function seeFewRows(arms: readonly CandidatePair[]): boolean {
  return arms.every(({ predictor: learner }) => learner.seesFewRows);
}

/**
 * Standard errors taken off for luck. Where outputs are many, the best of some hundred cells, most of them rare, looks
 * good by luck at two or three of them; with hope, rare cells are given the chance that they are not.
 */
const LUCK = { few: 0.25, hope: 1, doubt: 3 };

/** Arms by the bound that a test on each is likely to show with the draws that remain, largest first. */
export function byExpectedBound(
  arms: readonly CandidatePair[],
  session: Sampler,
  style: "hope" | "doubt" = "doubt",
): CandidatePair[] {
  const draws = Math.max(2000, session.remainingTestDraws);
  return largestFirst(arms, ({ predictor: learner }) => {
    const luck = LUCK[learner.seesFewRows ? "few" : style];
    return chooseGuesses(learner, { alpha: PROSPECT_ALPHA, draws, luck }).promise;
  });
}

/** Arms by turns: those of the best prospect, and those that may have a leak in a rare event. */
export function byPessimisticAndOptimisticBound(
  arms: readonly CandidatePair[],
  session: Sampler,
): CandidatePair[] {
  return byTurns(byExpectedBound(arms, session), byExpectedBound(arms, session, "hope"));
}

/** The level at which prospects are compared. */
const PROSPECT_ALPHA = 0.02;
