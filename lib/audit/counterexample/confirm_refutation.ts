import { Play } from "../play/play.ts";
import type { Claim } from "../../core/claim.ts";
import { evidenceAgainst } from "../betting/evidence_for.ts";
import type { Sampler } from "../drawing/sampler.ts";
import type { CandidatePair } from "../prediction/candidate_pair.ts";
import type { Confirmation } from "./shrink_pair.ts";

/** Fresh draws that may confirm a refutation: so many times those that it took, and at least so many. */
const DRAWS = { times: 10, fewest: 20_000 };
/** And seconds, where the audit was bounded by these. */
const SECONDS = { times: 2, fewest: 5 };

/** What a confirmation may take, in proportion to what the refutation took. */
export function confirmationBudget(
  { draws, seconds }: { readonly draws: number; readonly seconds: number },
  { maxSeconds }: { readonly maxSeconds: number },
): { maxDraws: number; maxSeconds: number } {
  return {
    maxDraws: Math.max(DRAWS.fewest, DRAWS.times * draws),
    // Without a deadline the clock has no say: equal seeds then give equal verdicts.
    maxSeconds: maxSeconds === Infinity
      ? Infinity
      : Math.max(SECONDS.fewest, SECONDS.times * seconds),
  };
}

/**
 * Refutes the claim once more on the pair that did most to refute it, on fresh draws alone, with all that was learned
 * of the pair: that takes fewer draws than to learn it again, so that no true refutation is lost that the budget could
 * have found.
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
