import type { Claim } from "../../core/claims/claim.ts";
import { parameterOf } from "../../core/claims/claim_curve.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { expectedBetBound } from "./plan/bet_choice/choose_bets.ts";
import { PrecedenceBound } from "./kernel/fixed_sample/precedence_bound.ts";
import { type BoundAtEnd, boundByBets, boundByGuesses } from "./plan/bound_at_end.ts";
import type { Play } from "./kernel/play.ts";
import type { CandidatePair } from "./model/prediction/candidate_pair.ts";
import type { Subject } from "./kernel/subject.ts";

/**
 * Fixes the partition of a candidate and the end of the test on it: a test that counts right guesses of a pure claim, bets
 * fixed beforehand for other claims, or the precedence test where outputs were recorded.
 */
export function beginFinalBound(
  candidate: CandidatePair,
  { subject, play, claim, alpha, source }: {
    readonly subject: Subject;
    readonly play: Play;
    readonly claim: Claim;
    /** The test's own share of α. */
    readonly alpha: number;
    readonly source: Source;
  },
): BoundAtEnd {
  const { predictor } = candidate, { remainingDraws } = play.sampler;
  freezeFor(candidate, { subject, claim, alpha, draws: remainingDraws });
  const draws = remainingDraws * predictor.keptShare;
  if (subject.recorded !== undefined) {
    const bound = new PrecedenceBound(predictor.logOdds[0]!, { alpha, draws, source, claim });
    return { bound, counted: () => undefined };
  }
  return endsWithBets(claim, subject)
    ? boundByBets(predictor, { alpha, draws, claim })
    : boundByGuesses(predictor, { alpha, draws, source, claim: parameterOf(claim).value });
}

/** Fixes the partition of a candidate for the test at the end of the budget, of `draws` draws. */
export function freezeFor(
  { predictor }: CandidatePair,
  { subject, claim, alpha, draws }: {
    readonly subject: Subject;
    readonly claim: Claim;
    /** The test's own share of α. */
    readonly alpha: number;
    readonly draws: number;
  },
): void {
  const horizon = { alpha, draws: predictor.keptShare * draws };
  predictor.freeze(
    endsWithBets(claim, subject)
      ? {
        ...horizon,
        boundOf: (learned) => expectedBetBound(learned, { claim, ...goalOf(horizon) }),
      }
      : horizon,
  );
}

/** Returns true if the test at the end bets: against claims other than pure ones, where outputs are drawn. */
export function endsWithBets(claim: Claim, subject: Subject): boolean {
  return claim.kind !== "pure" && subject.recorded === undefined;
}

function goalOf(
  { alpha, draws }: { alpha: number; draws: number },
): { draws: number; nats: number } {
  return { draws: Math.max(1, draws), nats: Math.log(1 / alpha) };
}
