import { byTurns, largestFirst } from "../../../core/numeric/ranking.ts";
import { STANDARD_ERRORS } from "../kernel/betting/shares.ts";
import type { Sampler } from "../kernel/drawing/sampler.ts";
import { type CandidatePair, refutableEpsilon } from "../model/prediction/candidate_pair.ts";
import { chooseGuesses } from "../plan/bet_choice/choose_guesses.ts";
import type { AuditEffort } from "../model/prediction/effort.ts";

/** Expected log wealth, in nats, at which a candidate counts as refuting when candidates are compared. */
export const REFUTATION_NATS = 6;

/** The place of half a standard error in {@linkcode STANDARD_ERRORS}. */
export const HALF_STANDARD_ERROR: number = STANDARD_ERRORS.indexOf(0.5);

/**
 * Candidates are compared over the draws that remain: at most `times` the draws so far and at least `fewest`, rounded to a
 * power of `step`.
 */
const HORIZON = { times: 4, fewest: 2000, step: 1.1 };

/** The level α at which the bounds of tests at the end of the budget are compared. */
const TEST_ALPHA = 0.02;

/** The fewest draws that such a test is expected to have. */
const FEWEST_TEST_DRAWS = 2000;

/**
 * Standard errors subtracted from the bound that such a test is expected to show. With many different outputs the best of
 * some hundred leaves, most of them rare, is two or three standard errors above its true value by selection alone: the
 * pessimistic number allows for that, the optimistic one ranks rare leaves near their point estimate. With few different
 * rows there is next to no selection.
 */
const BOUND_ERRORS = { fewRows: 0.25, optimistic: 1, pessimistic: 3 };

/**
 * Returns candidates, best first: by refutable ε in a quick search. A thorough search learns the best ones anew later, so it ranks
 * by turns by refutable ε and by information.
 */
export function rankCandidates(
  candidates: readonly CandidatePair[],
  sampler: Sampler,
  effort: AuditEffort,
): CandidatePair[] {
  return effort === "quick" ? byRefutableEpsilon(candidates, sampler) : byTurns(
    byRefutableEpsilon(candidates, sampler, HALF_STANDARD_ERROR),
    byInformation(candidates.filter(({ predictor }) => !predictor.seesFewRows)),
  );
}

/** Returns candidates by the ε that each can refute over the horizon, largest first; equal ones as they came. */
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
 * Returns candidates by the information that their outputs carry about the coin, all leaves together, largest first. It is known
 * after far fewer draws than the refutable ε, which depends on the clearest leaves; where an output has many parts, the
 * same pair is often best by both.
 */
export function byInformation(candidates: readonly CandidatePair[]): CandidatePair[] {
  return largestFirst(candidates, ({ predictor }) => predictor.information);
}

/** Returns the ε that a candidate can refute over the horizon, with `STANDARD_ERRORS[errors]` standard errors subtracted. */
export function refutableEpsilonAhead(
  candidate: CandidatePair,
  sampler: Sampler,
  errors?: number,
): number {
  const ahead = horizonOf(sampler);
  const draws = HORIZON.step ** Math.round(Math.log(ahead) / Math.log(HORIZON.step));
  const learned = candidate.predictor.draws;
  const known = found.get(candidate);
  if (known?.draws === draws && known.learned === learned && known.errors === errors) {
    return known.epsilon;
  }
  const nats = REFUTATION_NATS;
  const epsilon = refutableEpsilon(candidate, {
    draws,
    nats,
    ...(errors === undefined ? {} : { errors }),
  });
  found.set(candidate, { draws, learned, errors, epsilon });
  return epsilon;
}

/** What was found last for a candidate: most candidates learn nothing between two rankings. */
const found = new WeakMap<
  CandidatePair,
  {
    readonly draws: number;
    readonly learned: number;
    readonly errors: number | undefined;
    readonly epsilon: number;
  }
>();

/** Draws over which candidates are compared: as many as remain, but not far beyond the draws so far. */
export function horizonOf(sampler: Sampler): number {
  return Math.max(
    HORIZON.fewest,
    Math.min(sampler.remainingDraws, HORIZON.times * sampler.draws),
  );
}

/** Returns candidates by the bound that a test on each is expected to show with the draws that remain, largest first. */
export function byExpectedBound(
  candidates: readonly CandidatePair[],
  sampler: Sampler,
  estimate: "optimistic" | "pessimistic" = "pessimistic",
): CandidatePair[] {
  const draws = Math.max(FEWEST_TEST_DRAWS, sampler.remainingDraws);
  return largestFirst(candidates, ({ predictor }) => {
    const standardErrors = BOUND_ERRORS[predictor.seesFewRows ? "fewRows" : estimate];
    return chooseGuesses(predictor, { alpha: TEST_ALPHA, draws, standardErrors }).expectedBound;
  });
}

/** Returns candidates by turns: by the pessimistic expected bound, and by the optimistic one, which keeps leaks in rare events. */
export function byPessimisticAndOptimisticBound(
  candidates: readonly CandidatePair[],
  sampler: Sampler,
): CandidatePair[] {
  return byTurns(
    byExpectedBound(candidates, sampler),
    byExpectedBound(candidates, sampler, "optimistic"),
  );
}
