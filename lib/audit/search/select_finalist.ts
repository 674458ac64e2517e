import type { Play } from "../play/play.ts";
import type { CandidatePair } from "../prediction/candidate_pair.ts";
import { byExpectedBound, byPessimisticAndOptimisticBound } from "./narrow_finalists.ts";

/** The share of the budget at which the partition is fixed: where outputs are simple there is little left to learn. */
const UNTIL = { simple: 0.42, rich: 0.72 };

/** The parts of that time at which the last rounds end: more pairs take longer. */
const ROUNDS = [0.55, 0.78, 1];

/**
 * Learns of the pairs that are left until a partition is to be fixed, in rounds: half of the pairs go on after
 * each, by turns those that promise most with doubt and with hope, and one in the last. Much is known by then, and what
 * is rare is still worth a hope: the one that promises most with it.
 */
export async function selectFinalist(
  candidates: readonly CandidatePair[],
  { play, isOver }: {
    /** The game that is played. */
    play: Play;
    /** Ends the audit before its budget is spent. */
    isOver: () => boolean;
  },
): Promise<CandidatePair> {
  const { sampler } = play;
  const begun = sampler.spent;
  let left = candidates;
  for (const part of ROUNDS.slice(-1 - Math.floor(Math.log2(candidates.length)))) {
    const end = (): number =>
      UNTIL[left.every(({ predictor: predictor }) => predictor.isSimple) ? "simple" : "rich"];
    const until = (): boolean => isOver() || sampler.spent >= begun + part * (end() - begun);
    await play.stay(left, { phase: "search", until });
    if (left.length > 1) {
      const places = Math.floor(left.length / 2);
      const ranking = places === 1
        ? byExpectedBound(left, sampler, "hope")
        : byPessimisticAndOptimisticBound(left, sampler);
      left = ranking.slice(0, places);
    }
  }
  return left[0]!;
}
