import type { Claim } from "../../core/claim.ts";
import { evidenceAgainst } from "../betting/evidence_for.ts";
import type { Sampler } from "../drawing/sampler.ts";
import { Play } from "../play/play.ts";
import type { CandidatePair } from "../prediction/candidate_pair.ts";
import type { Confirmation } from "./shrink_pair.ts";

/** A confirmation may take so many times the draws of the refutation, and at least so many. */
const DRAWS = { times: 10, fewest: 20_000 };
/** Where the audit has a deadline, a confirmation may take so many times its seconds, and at least so many. */
const SECONDS = { times: 2, fewest: 5 };

/** The budget of a confirmation, in proportion to what the refutation took. */
export function confirmationBudget(
  { draws, seconds }: { readonly draws: number; readonly seconds: number },
  { maxSeconds }: { readonly maxSeconds: number },
): { maxDraws: number; maxSeconds: number } {
  return {
    maxDraws: Math.max(DRAWS.fewest, DRAWS.times * draws),
    // Without a deadline nothing depends on the clock: equal seeds then give equal verdicts.
    maxSeconds: maxSeconds === Infinity
      ? Infinity
      : Math.max(SECONDS.fewest, SECONDS.times * seconds),
  };
}

/**
 * Refutes the claim once more on the pair that refuted it, by fresh draws alone. The predictor of the pair is the one of the
 * audit: to learn again would take more draws, and the budget might not suffice to repeat a true refutation.
 */
export async function confirmRefutation(
  candidate: CandidatePair,
  { sampler, claim, alpha }: {
    readonly sampler: Sampler;
    readonly claim: Claim;
    readonly alpha: number;
  },
): Promise<Confirmation> {
  const evidence = evidenceAgainst(claim, alpha);
  const play = new Play(sampler, evidence);
  while (!evidence.refuted && sampler.spent < 1) await play.step(candidate, "shrink");
  return {
    pair: candidate.pair,
    refuted: evidence.refuted,
    eValue: Math.exp(evidence.logEValue),
    draws: sampler.draws,
  };
}
