import type { Evidence } from "../betting/evidence.ts";
import { STANDARD_ERRORS } from "../betting/shares.ts";
import type { Sampler } from "../drawing/sampler.ts";
import { type CandidatePair, expectedLogWealth } from "../prediction/candidate_pair.ts";
import { HALF_STANDARD_ERROR, horizonOf, refutableEpsilonAhead } from "./rank_candidates.ts";

/** The candidate of rank r, counted from 1, gets draws in proportion to r to the power of minus this. */
const RANK_EXPONENT = { quick: 2.6, focused: 4, thorough: 2.6 };
/**
 * Standard errors by which log odds are drawn towards 0 where many pairs are tried, for the best of many look better than they
 * are. A thorough search does so for the pairs that it made up. A quick one does so for all pairs that it did not begin with,
 * and only where it shares out draws.
 */
export const SELECTION_ERRORS = 2;
/**
 * Draws are shared out by the expected wealth against this share of the leader's refutable ε: a little less, so that
 * candidates nearly as good as the leader win against it too.
 */
const TARGET_SHARE = 0.97;

/** How a search shares out its draws: `focused` gives the leader nearly all. */
export type Allocation = keyof typeof RANK_EXPONENT;

/** Each candidate's share of the draws: by a power of its rank by expected log wealth. */
export function sharesOf(
  candidates: readonly CandidatePair[],
  { sampler, evidence, target, leader, allocation, begunWith }: {
    sampler: Sampler;
    evidence: Evidence;
    target: number;
    leader: CandidatePair;
    allocation: Allocation;
    begunWith: ReadonlySet<CandidatePair>;
  },
): Float64Array {
  const draws = horizonOf(sampler);
  // Wealth against the claim decides; when the claim is refuted, or no refutation is in sight, wealth against an ε that the
  // best candidates can refute.
  const refutable = TARGET_SHARE * refutableEpsilonAhead(leader, sampler);
  const epsilon = evidence.refuted ? refutable : Math.min(target, refutable);
  const logWealths = candidates.map((candidate) => {
    const errors = allocation === "thorough" || begunWith.has(candidate)
      ? HALF_STANDARD_ERROR
      : STANDARD_ERRORS.indexOf(SELECTION_ERRORS);
    const speed = sampler.relativeSpeed(candidate.pair);
    return expectedLogWealth(candidate, { draws: draws * speed, epsilon, errors });
  });
  const order = [...candidates.keys()].sort((a, b) => logWealths[b]! - logWealths[a]!);
  const shares = new Float64Array(candidates.length);
  order.forEach((candidate, rank) => shares[candidate] = (rank + 1) ** -RANK_EXPONENT[allocation]);
  const sum = shares.reduce((a, b) => a + b, 0);
  return shares.map((share) => share / sum);
}

/** The candidate furthest below its share of the draws, in proportion; a draw on a slow pair counts as all that its time allows. */
export function furthestBelowShare(
  candidates: readonly CandidatePair[],
  { shares, sampler }: { readonly shares: Float64Array; readonly sampler: Sampler },
): CandidatePair {
  let best = candidates[0]!, least = Infinity;
  candidates.forEach((candidate, k) => {
    const speed = sampler.relativeSpeed(candidate.pair);
    const filled = candidate.predictor.draws / (speed * shares[k]!);
    if (filled < least) {
      least = filled;
      best = candidate;
    }
  });
  return best;
}
