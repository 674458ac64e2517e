import type { Claim } from "../core/claim.ts";
import { parameterOf } from "../core/claim_curve.ts";
import type { Source } from "../core/source.ts";
import type { FixedSampleBound } from "./fixed_sample/fixed_sample_bound.ts";
import { GuessCountBound } from "./fixed_sample/guess_count_bound.ts";
import { PrecedenceBound } from "./fixed_sample/precedence_bound.ts";
import { drawsToCome } from "./play/draws_to_come.ts";
import type { Play } from "./play/play.ts";
import type { CandidatePair } from "./prediction/candidate_pair.ts";
import type { Subject } from "./subjects/subject.ts";

/**
 * The precedence test has this share of the draws expected before a deadline: it shows nothing unless all of them are made in
 * time.
 */
const SAFE_SHARE = 0.8;

/**
 * Fixes the partition of a candidate and the end of the test on it: a test that counts right guesses, or the precedence test
 * where outputs were recorded.
 */
export async function beginFinalBound(
  candidate: CandidatePair,
  { subject, play, claim, alpha, source, isOver }: {
    readonly subject: Subject;
    readonly play: Play;
    readonly claim: Claim;
    /** The test's own share of α. */
    readonly alpha: number;
    readonly source: Source;
    /** Ends the audit before its budget is spent. */
    readonly isOver: () => boolean;
  },
): Promise<FixedSampleBound> {
  const { predictor } = candidate;
  predictor.freeze({ alpha, draws: predictor.keptShare * play.sampler.remainingTestDraws });
  const draws = await drawsToCome(candidate, { play, isOver }) * predictor.keptShare;
  if (subject.recorded === undefined) {
    return new GuessCountBound(candidate.predictor, {
      alpha,
      draws,
      source,
      epsilon: parameterOf(claim).value,
    });
  }
  const safe = play.sampler.maxSeconds === Infinity ? draws : SAFE_SHARE * draws;
  return new PrecedenceBound(candidate, { alpha, draws: safe, source, claim });
}
