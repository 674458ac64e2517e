import { byTurns } from "../../../core/numeric/ranking.ts";
import { ONE_STANDARD_ERROR, STANDARD_ERRORS } from "../kernel/betting/shares.ts";
import type { Sampler } from "../kernel/drawing/sampler.ts";
import type { Play } from "../kernel/play.ts";
import { type CandidatePair, candidatePairOf } from "../model/prediction/candidate_pair.ts";
import { byExpectedBound, byInformation, byRefutableEpsilon } from "./rank_candidates.ts";
import type { SearchResult } from "./search_pairs.ts";

/**
 * The shares of the budget at which rounds end; further rounds end at the last share. A quick audit has short rounds: its
 * draws on all pairs but the last are of no use later.
 */
const ROUNDS = { quick: [0.02, 0.04], fewRows: [0.12, 0.24, 0.36], manyRows: [0.06] };

/** Pairs that a thorough audit learns anew after its first round. */
const LEARNED_ANEW = 5;

/** Options of all ways of narrowing. */
interface NarrowingOptions {
  /** Makes the draws and bets on them. */
  readonly play: Play;
  /** Whether the audit is over, or this share of its budget is spent since narrowing began. */
  readonly within: (share: number) => boolean;
}

/** How finalists are narrowed down. */
interface Narrowing extends NarrowingOptions {
  /** Puts the best first. */
  readonly rank: (candidates: readonly CandidatePair[], sampler: Sampler) => CandidatePair[];
  /** Shares of the budget at which rounds end. */
  readonly rounds: readonly number[];
  /** How many are to be left. */
  readonly places: number;
}

/** Draws equally often on all candidates, then on the better half of them, until no more than `places` are left. */
async function narrow(
  candidates: readonly CandidatePair[],
  { play, within, rank, rounds, places }: Narrowing,
): Promise<readonly CandidatePair[]> {
  let left = candidates;
  for (let round = 0; left.length > places; round++) {
    const end = rounds[Math.min(round, rounds.length - 1)]!;
    await play.drawWhile(left, { phase: "search", until: () => within(end) });
    left = rank(left, play.sampler).slice(0, Math.max(places, Math.floor(left.length / 2)));
  }
  return left;
}

/** Returns the finalist of the largest refutable ε, after the rounds of a quick audit. */
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

/**
 * Narrows the finalists of a thorough search. Candidates with more than one standard error subtracted were found among many
 * pairs, and the counts by which they were found are too good by selection: their counts begin at 0 again.
 *
 * Where outputs have many different rows, one round leaves {@linkcode LEARNED_ANEW} pairs, to be learned anew with effort
 * `thorough`: by turns those of the largest expected bound, of the most information, and the first pairs of the search,
 * for a leak in a rare event shows in neither ranking yet. Where rows are few, their counts are all there is to know, and
 * further rounds leave one pair.
 */
export async function narrowThoroughly(
  { finalists, firstCandidates }: Pick<SearchResult, "finalists" | "firstCandidates">,
  { bits, ...options }: NarrowingOptions & { readonly bits: boolean },
): Promise<readonly CandidatePair[]> {
  for (const { predictor, standardErrors } of finalists) {
    if (standardErrors > STANDARD_ERRORS[ONE_STANDARD_ERROR]!) predictor.resetCounts();
  }
  let left = finalists;
  if (!seeFewRows(left)) {
    const rank = (candidates: readonly CandidatePair[], sampler: Sampler): CandidatePair[] => {
      const first = firstCandidates.filter((candidate) => candidates.includes(candidate));
      return byTurns(byExpectedBound(candidates, sampler), byInformation(candidates), first);
    };
    left = await narrow(left, { ...options, rank, rounds: ROUNDS.manyRows, places: LEARNED_ANEW });
    if (!seeFewRows(left)) {
      return left.map(({ pair, points }) =>
        candidatePairOf(pair, { bits, points, effort: "thorough" })
      );
    }
  }
  return await narrow(left, {
    ...options,
    rank: byExpectedBound,
    rounds: ROUNDS.fewRows,
    places: 1,
  });
}

/** Returns true if the outputs of all these candidates have so few different rows that counts of them are all there is to know. */
function seeFewRows(candidates: readonly CandidatePair[]): boolean {
  return candidates.every(({ predictor }) => predictor.seesFewRows);
}
