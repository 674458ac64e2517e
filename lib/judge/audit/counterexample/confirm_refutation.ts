import type { Claim } from "../../../core/claims/claim.ts";
import { evidenceAgainst } from "../kernel/betting/evidence.ts";
import type { Sampler } from "../kernel/drawing/sampler.ts";
import { Play } from "../kernel/play.ts";
import type { CandidatePair } from "../model/prediction/candidate_pair.ts";
import type { Confirmation } from "./shrink_pair.ts";

/** The most draws of a confirmation: this multiple of those of the refutation, and at least `fewest`, or fewer where programs are slow. */
const DRAWS = { times: 10, fewest: 20_000 };

/** Returns the most draws of a confirmation, in proportion to those of the refutation. */
export function confirmationDraws(
  { draws, enough = DRAWS.fewest }: {
    /** Those of the refutation. */
    readonly draws: number;
    /** Draws that are many for this kind of subject. */
    readonly enough?: number;
  },
): number {
  return Math.max(Math.min(DRAWS.fewest, enough), DRAWS.times * draws);
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
