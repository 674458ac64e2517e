import { type CandidatePair, refutableEpsilon } from "../prediction/candidate_pair.ts";
import { byTurns, largestFirst } from "../../numeric/ranking.ts";
import type { Sampler } from "../drawing/sampler.ts";

/** What a search is for: a refutation soon, or the best pair. */
export type Style = "quick" | "thorough";

/** Logarithm of wealth that makes a promise of refutation, when pairs are compared. */
export const NATS = 6;

/**
 * The place of half a standard error among the cautions: with it draws are shared out, and a thorough
 * search chooses its finalists.
 */
export const HOPE = 1;

/**
 * Arms from the best on: by what they promise, and in a thorough search, which judges the best ones anew, by
 * turns also by what they tell.
 */
export function rankCandidates(
  arms: readonly CandidatePair[],
  session: Sampler,
  style: Style,
): CandidatePair[] {
  return style === "quick" ? byRefutableEpsilon(arms, session) : byTurns(
    byRefutableEpsilon(arms, session, HOPE),
    byInformation(arms.filter(({ predictor: learner }) => !learner.seesFewRows)),
  );
}

/** Arms by the ε they promise to reach, largest first; the earlier one where they promise the same. */
export function byRefutableEpsilon(
  arms: readonly CandidatePair[],
  session: Sampler,
  caution?: number,
): CandidatePair[] {
  return largestFirst(arms, (arm) => refutableEpsilonAhead(arm, session, caution));
}

/**
 * Arms by what their outputs tell of the label in all cells: that shows with far fewer draws than what
 * the clearest ones promise, and where an output has many parts it is often the same pair.
 */
export function byInformation(arms: readonly CandidatePair[]): CandidatePair[] {
  return largestFirst(arms, ({ predictor: learner }) => learner.information);
}

/** The ε that an arm promises to reach over the draws by which arms are compared. */
export function refutableEpsilonAhead(
  arm: CandidatePair,
  session: Sampler,
  caution?: number,
): number {
  const horizon = { draws: horizonOf(session), nats: NATS };
  return refutableEpsilon(arm, caution === undefined ? horizon : { ...horizon, caution });
}

/** Draws over which arms are compared: as many as remain, but not far beyond what is known. */
export function horizonOf(session: Sampler): number {
  const left = session.remainingDraws;
  return Math.max(2000, Number.isFinite(left) ? Math.min(left, 4 * session.draws) : 0);
}
