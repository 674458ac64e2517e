import { type Claim, pureOrApproximate } from "../../../core/claims/claim.ts";
import { requireClaim } from "../../../core/claims/claim_brand.ts";
import { parameterOf } from "../../../core/claims/claim_curve.ts";
import { asserted } from "../../../core/relations/relation.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { logBinomialTail } from "../../../core/numeric/binomial_tail.ts";
import {
  requireChance,
  requireDelta,
  requireFields,
  requireKind,
} from "../../../core/numeric/require.ts";
import type { Canary } from "./canary.ts";
import { type CountedGuesses, countGuesses } from "./guess_rules.ts";
import { detectableParameter, mostThatCanBeShown } from "./one_run_power.ts";
import { largestRefuted, refutesClaim } from "./refute_by_guesses.ts";

/** Coins are taken to be unfair where fair ones come out as unevenly with no more than this probability. */
const UNFAIR = 1e-6;

/** Options of a one-run audit. */
export interface OneRunOptions {
  /** The claim to test. Without one there is a bound and no verdict. */
  readonly claim?: Claim;
  /** Without a claim: the δ of the (ε, δ) that is bounded. Default: 0, pure ε. */
  readonly delta?: number;
  /** The largest probability that a true claim is refuted, or that the bound is above the truth. Default: 0.01. */
  readonly alpha?: number;
  /** A run that could not have seen a violation of this many times the claim is inconclusive. Above 1. Default: 2. */
  readonly requirePower?: number;
  /** Draws the order of equal scores. */
  readonly source: Source;
}

/** The result of an audit of one training run. */
export interface OneRunReport {
  /** "bound" where there was no claim. */
  readonly verdict: "refuted" | "not-refuted" | "inconclusive" | "bound";
  /** The claim that was tested; null without one. */
  readonly claim: Claim | null;
  /**
   * The lower bound on the claim's parameter: ε or ρ in nats, or μ. Without a claim, on ε at `delta`. 0 where nothing was
   * shown.
   */
  readonly epsilonLowerBound: number;
  /** The δ that belongs to the bound on ε; 0 for other parameters. */
  readonly delta: number;
  /** 1 − alpha. */
  readonly confidence: number;
  /** The error statement covers all rules together. */
  readonly alpha: number;
  /** Number of canaries. */
  readonly canaries: number;
  /** Number of canaries that were in. */
  readonly included: number;
  /** Number of guess rules that were tried: alpha is shared out among them. */
  readonly rules: number;
  /** The rule that showed the bound, and its right guesses; null where none showed anything. */
  readonly best: CountedGuesses | null;
  /**
   * The least parameter whose claim allows scores that would have refuted the claim, or shown anything, with probability 0.9.
   * Infinity where none would.
   */
  readonly detectableEpsilon: number;
  /** The bound that right guesses alone would have shown: no scores of as many canaries show more. */
  readonly mostEpsilon: number;
}

/**
 * Audits one training run by its canaries: a lower bound on ε (or μ, or ρ) and, with a claim, a verdict.
 *
 * Assumptions: every canary was put in or left out by its own fair coin, independent of all else; a score is computed from the
 * released output and the canary, without knowledge of its coin; two runs that differ in one canary are neighbours under the
 * claim.
 *
 * {@linkcode guessRules} turn the scores into guesses, {@linkcode countGuesses} counts the right ones, and each rule is tested at
 * its share of alpha. The rules are fixed by the number of canaries alone, so by the union bound the
 * chance that any of them errs is at most alpha: their largest bound holds with confidence 1 − alpha.
 *
 * @throws {RangeError} on fewer than 2 canaries, a score that is NaN, coins that come out as fair ones do with probability below 1e-6, or
 * an option out of range.
 *
 * @example
 * ```ts
 * import { auditCanaries } from "@dpcheck/dpcheck/one-run";
 * import { SeededSource } from "@dpcheck/dpcheck/random";
 * const coins = new SeededSource(1);
 * const canaries = Array.from({ length: 1000 }, () => {
 *   const included = coins.uniform() < 0.5;
 *   return { included, score: included ? 1 : 0 }; // an attack that is always right
 * });
 * auditCanaries(canaries, { source: new SeededSource(2) }).epsilonLowerBound; // 4.8
 * ```
 */
export function auditCanaries(
  canaries: readonly Canary[],
  options: OneRunOptions,
): OneRunReport {
  requireKind("auditCanaries", "canaries", canaries, "list");
  const { claim, delta = 0, alpha = 0.01, requirePower = 2, source } = requireFields(
    "auditCanaries",
    options,
    { source: "source" },
  );
  if (claim !== undefined) requireClaim("audit canaries", claim);
  requireDelta("audit canaries", "delta", delta);
  requireChance("audit canaries", "alpha", alpha);
  if (!(typeof requirePower === "number" && requirePower > 1)) {
    throw new RangeError(
      `Cannot audit canaries: requirePower must be above 1: current value is ${requirePower}`,
    );
  }
  const counted = countGuesses(canaries, { source });
  requireFairCoins(canaries);
  const judged = claim ?? pureOrApproximate({ epsilon: 1, delta, relation: asserted });
  const count = canaries.length;
  let bound = 0, best: CountedGuesses | null = null;
  let isRefuted = false;
  for (const each of counted) {
    const test = { ...each, canaries: count, level: alpha * each.share };
    isRefuted ||= claim !== undefined && refutesClaim(claim, test);
    const shown = largestRefuted(judged, test, bound);
    if (shown > bound) [bound, best] = [shown, each];
  }
  const detectable = detectableParameter(judged, {
    canaries: count,
    alpha,
    isTested: claim !== undefined,
  });
  return {
    verdict: claim === undefined
      ? "bound"
      : isRefuted
      ? "refuted"
      : detectable <= requirePower * parameterOf(claim).value
      ? "not-refuted"
      : "inconclusive",
    claim: claim ?? null,
    // A claim may be refuted by less than the search for the bound resolves.
    epsilonLowerBound: isRefuted ? Math.max(bound, parameterOf(judged).value) : bound,
    delta: judged.kind === "approximate" ? judged.delta : 0,
    confidence: 1 - alpha,
    alpha,
    canaries: count,
    included: canaries.filter(({ included }) => included).length,
    rules: counted.length,
    best,
    detectableEpsilon: detectable,
    mostEpsilon: mostThatCanBeShown(judged, { canaries: count, alpha }),
  };
}

/** Refuses outcomes that fair coins hardly ever have: nothing could be said of what such canaries show. */
function requireFairCoins(canaries: readonly Canary[]): void {
  const count = canaries.length, included = canaries.filter(({ included }) => included).length;
  const more = Math.max(included, count - included);
  if (Math.LN2 + logBinomialTail(more, count, 0.5) <= Math.log(UNFAIR)) {
    throw new RangeError(
      `Cannot audit canaries: included must be the outcome of a fair coin for each: current value is ${included} of ${count}`,
    );
  }
}
