import { type CandidatePair, refutableEpsilon } from "../prediction/candidate_pair.ts";
import { byTurns, largestFirst } from "../../numeric/ranking.ts";
import type { Sampler } from "../drawing/sampler.ts";

import type { AuditEffort } from "../prediction/effort.ts";
/** Logarithm of wealth that makes a promise of refutation, when pairs are compared. */
export const NATS = 6;

/**
 * The place of half a standard error among the cautions: with it draws are shared out, and a thorough
 * search chooses its finalists.
 */
export const HOPE = 1;

/**
 * Candidates from the best on: by what they promise, and in a thorough search, which judges the best ones anew, by
 * turns also by what they tell.
 */
export function rankCandidates(
  candidates: readonly CandidatePair[],
  sampler: Sampler,
  effort: AuditEffort,
): CandidatePair[] {
  return effort === "quick" ? byRefutableEpsilon(candidates, sampler) : byTurns(
    byRefutableEpsilon(candidates, sampler, HOPE),
    byInformation(candidates.filter(({ predictor: predictor }) => !predictor.seesFewRows)),
  );
}

/** Candidates by the ε they promise to reach, largest first; the earlier one where they promise the same. */
export function byRefutableEpsilon(
  candidates: readonly CandidatePair[],
  sampler: Sampler,
  errors?: number,
): CandidatePair[] {
  return largestFirst(
    candidates,
    (candidate) => refutableEpsilonAhead(candidate, sampler, errors),
  );
}

/**
 * Candidates by what their outputs tell of the label in all cells: that shows with far fewer draws than what
 * the clearest ones promise, and where an output has many parts it is often the same pair.
 */
export function byInformation(candidates: readonly CandidatePair[]): CandidatePair[] {
  return largestFirst(candidates, ({ predictor: predictor }) => predictor.information);
}

/** The ε that a candidate promises to reach over the draws by which candidates are compared. */
export function refutableEpsilonAhead(
  candidate: CandidatePair,
  sampler: Sampler,
  errors?: number,
): number {
  const horizon = { draws: horizonOf(sampler), nats: NATS };
  return refutableEpsilon(candidate, errors === undefined ? horizon : { ...horizon, errors });
}

/** Draws over which candidates are compared: as many as remain, but not far beyond what is known. */
export function horizonOf(sampler: Sampler): number {
  const left = sampler.remainingDraws;
  return Math.max(2000, Number.isFinite(left) ? Math.min(left, 4 * sampler.draws) : 0);
}
