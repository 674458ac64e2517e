import type { Play } from "../kernel/play.ts";
import type { CandidatePair } from "../model/prediction/candidate_pair.ts";
import { byExpectedBound, byPessimisticAndOptimisticBound } from "./rank_candidates.ts";

/**
 * The share of the budget at which the partition is fixed: sooner where outputs are simple, for little is left to learn, and
 * sooner for bets on all leaves than for guesses, whose clearest leaves take longest to find.
 */
const PARTITION_FIXED_AT = {
  guesses: { simple: 0.42, rich: 0.72 },
  bets: { simple: 0.3, rich: 0.72 },
};

/** The shares of that time at which rounds end: the last one for one pair, the last two for two or three, else all three. */
const ROUND_ENDS = [0.55, 0.78, 1];

/**
 * Learns from the pairs that are left until a partition is to be fixed, in rounds; half of the pairs go on after each. As
 * long as several go on, they are taken by turns by the pessimistic and the optimistic expected bound. One is left by the
 * optimistic bound: by then much is known, and the error bars of rare events are too wide to rank by.
 */
export async function selectFinalist(
  candidates: readonly CandidatePair[],
  { play, isOver, endsWith = "guesses" }: {
    /** Makes the draws and bets on them. */
    play: Play;
    /** Ends the audit before its budget is spent. */
    isOver: () => boolean;
    /** The things that the test at the end counts. */
    endsWith?: "guesses" | "bets";
  },
): Promise<CandidatePair> {
  const { sampler } = play;
  const begun = sampler.spent;
  let left = candidates;
  for (const roundEnd of ROUND_ENDS.slice(-1 - Math.floor(Math.log2(candidates.length)))) {
    const fixedAt = (): number =>
      PARTITION_FIXED_AT[endsWith][
        left.every(({ predictor }) => predictor.isSimple) ? "simple" : "rich"
      ];
    const until = (): boolean =>
      isOver() || sampler.spent >= begun + roundEnd * (fixedAt() - begun);
    await play.drawWhile(left, { phase: "search", until });
    if (left.length > 1) {
      const places = Math.floor(left.length / 2);
      const ranking = places === 1
        ? byExpectedBound(left, sampler, "optimistic")
        : byPessimisticAndOptimisticBound(left, sampler);
      left = ranking.slice(0, places);
    }
  }
  return left[0]!;
}
