import type { Play } from "../play/play.ts";
import { byTurns, largestFirst } from "../../numeric/ranking.ts";
import { ONE_STANDARD_ERROR, STANDARD_ERRORS } from "../betting/shares.ts";
import type { Sampler } from "../drawing/sampler.ts";
import { type CandidatePair, candidatePairOf } from "../prediction/candidate_pair.ts";
import { chooseGuesses } from "../prediction/choose_guesses.ts";
import { byInformation, byRefutableEpsilon } from "./rank_candidates.ts";
import type { SearchResult } from "./search_pairs.ts";

/** What a run-off needs. */
interface NarrowingOptions {
  /** The game that is played. */
  readonly play: Play;
  /** Whether the audit is over, or this share of its budget is spent since the run-off began. */
  readonly within: (share: number) => boolean;
}

/**
 * The shares of the budget at which the rounds of a run-off end, the last one if there are more. A quick one is short:
 * what is drawn on all but the winner is learned from in vain.
 */
const ROUNDS = { quick: [0.02, 0.04], fewRows: [0.12, 0.24, 0.36], manyRows: [0.06] };

/** How finalists are narrowed down. */
interface Narrowing extends NarrowingOptions {
  /** Puts the best first. */
  readonly rank: (candidates: readonly CandidatePair[], sampler: Sampler) => CandidatePair[];
  readonly rounds: readonly number[];
  /** How many are to be left. */
  readonly places: number;
}

/** The run-off among finalists: the same number of draws for each, then for the better half, until few enough are left. */
export async function narrow(
  candidates: readonly CandidatePair[],
  { play, within, rank, rounds, places }: Narrowing,
): Promise<readonly CandidatePair[]> {
  let left = candidates;
  for (let round = 0; left.length > places; round++) {
    const end = rounds[Math.min(round, rounds.length - 1)]!;
    await play.stay(left, { phase: "search", until: () => within(end) });
    left = rank(left, play.sampler).slice(0, Math.max(places, Math.floor(left.length / 2)));
  }
  return left;
}

/** The run-off of a quick search: the candidate that promises the largest ε. */
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
 * doubted count from nothing. After the first round those that are left are to be learned anew at the effort "thorough":
 * by turns those of the largest bound in sight, those that tell most, and the classics, for a leak in a rare event shows
 * in neither yet. But where outputs are few different ones all is counted that there is to know, and further rounds
 * find the winner.
 */
export async function narrowThoroughly(
  { finalists, classics }: Pick<SearchResult, "finalists" | "classics">,
  { bits, ...options }: NarrowingOptions & { readonly bits: boolean },
): Promise<readonly CandidatePair[]> {
  for (const { predictor: predictor, standardErrors: doubt } of finalists) {
    if (doubt > STANDARD_ERRORS[ONE_STANDARD_ERROR]!) predictor.resetCounts();
  }
  let left = finalists;
  if (!seeFewRows(left)) {
    const rank = (candidates: readonly CandidatePair[], sampler: Sampler): CandidatePair[] => {
      const known = classics.filter((candidate) => candidates.includes(candidate));
      return byTurns(byExpectedBound(candidates, sampler), byInformation(candidates), known);
    };
    left = await narrow(left, { ...options, rank, rounds: ROUNDS.manyRows, places: LEARNED_ANEW });
    if (!seeFewRows(left)) {
      return left.map(({ pair }) => candidatePairOf(pair, { bits, effort: "thorough" }));
    }
  }
  return await narrow(left, {
    ...options,
    rank: byExpectedBound,
    rounds: ROUNDS.fewRows,
    places: 1,
  });
}

/** Whether all outputs of these candidates are so few different ones that what they promise is known well. */
function seeFewRows(candidates: readonly CandidatePair[]): boolean {
  return candidates.every(({ predictor: predictor }) => predictor.seesFewRows);
}

/**
 * Standard errors taken off for luck. Where outputs are many, the best of some hundred cells, most of them rare, looks
 * good by luck at two or three of them; with hope, rare cells are given the chance that they are not.
 */
const LUCK = { few: 0.25, hope: 1, doubt: 3 };

/** Candidates by the bound that a test on each is likely to show with the draws that remain, largest first. */
export function byExpectedBound(
  candidates: readonly CandidatePair[],
  sampler: Sampler,
  style: "hope" | "doubt" = "doubt",
): CandidatePair[] {
  const draws = Math.max(2000, sampler.remainingTestDraws);
  return largestFirst(candidates, ({ predictor: predictor }) => {
    const standardErrors = LUCK[predictor.seesFewRows ? "few" : style];
    return chooseGuesses(predictor, { alpha: PROSPECT_ALPHA, draws, standardErrors }).expectedBound;
  });
}

/** Candidates by turns: those of the best prospect, and those that may have a leak in a rare event. */
export function byPessimisticAndOptimisticBound(
  candidates: readonly CandidatePair[],
  sampler: Sampler,
): CandidatePair[] {
  return byTurns(
    byExpectedBound(candidates, sampler),
    byExpectedBound(candidates, sampler, "hope"),
  );
}

/** The level at which prospects are compared. */
const PROSPECT_ALPHA = 0.02;
