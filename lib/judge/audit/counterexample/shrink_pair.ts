import type { Claim } from "../../../core/claims/claim.ts";
import { pointsOf } from "../../../core/claims/claim_curve.ts";
import type { Pair } from "../../../core/relations/relation.ts";
import { evidenceAgainst } from "../kernel/betting/evidence.ts";
import type { Sampler } from "../kernel/drawing/sampler.ts";
import { Play } from "../kernel/play.ts";
import { candidatePairOf, expectedLogWealth } from "../model/prediction/candidate_pair.ts";
import { keyOf, type SearchSpace } from "../search/mutate_pairs.ts";
import { smallerPairs } from "./smaller_pairs.ts";

/** The draws of the refuted pair are taken to be at least this many. */
const FEWEST_DRAWS = 500;
/**
 * A smaller pair is given up after the first multiple of these, where its outputs so far do not promise a refutation within the second. The
 * first is 2, for the number of draws varies much from run to run, and an event may be rare.
 */
const GIVEN_UP = 2, MOST = 10;

/** The test of the claim on one pair fixed beforehand, by draws made for it alone. */
export interface Confirmation {
  readonly pair: Pair;
  readonly refuted: boolean;
  readonly eValue: number;
  readonly draws: number;
}

interface Settings {
  readonly claim: Claim;
  readonly alpha: number;
  readonly bits: boolean;
}

interface Budget {
  /** Draws on a pair at most. */
  readonly maxDraws: number;
  /** Draws on it before it may be given up. */
  readonly hopefulFor?: number;
}

/** Audits one pair with fresh draws, at most `maxDraws`, and a new predictor. After `hopefulFor` draws it ends without hope. */
async function confirmPair(
  pair: Pair,
  { sampler, maxDraws, hopefulFor = maxDraws, claim, alpha, bits }: Settings & Budget & {
    sampler: Sampler;
  },
): Promise<Confirmation> {
  const points = pointsOf(claim), { epsilon } = points[0]!;
  const candidate = candidatePairOf(pair, { bits, points }), { predictor } = candidate;
  const evidence = evidenceAgainst(claim, alpha);
  const play = new Play(sampler, evidence);
  const isHopeless = (): boolean => {
    if (predictor.draws < hopefulFor) return false;
    const draws = maxDraws - predictor.draws;
    return draws <= 0 ||
      expectedLogWealth(candidate, { draws, epsilon, errors: 0 }) <
        -Math.log(alpha) - evidence.logEValue;
  };
  while (!evidence.refuted && sampler.spent < 1 && !isHopeless()) {
    await play.step(candidate, "shrink");
  }
  return {
    pair,
    refuted: evidence.refuted,
    eValue: Math.exp(evidence.logEValue),
    draws: predictor.draws,
  };
}

/**
 * Reduces a refuted pair: tries simpler pairs, the largest reductions first, and keeps one when fresh draws refute the claim
 * on it too. The result is confirmed at level α by draws made after it was chosen; where that fails, or the budget ends
 * before, the result is the pair that the reduction began with.
 */
export async function shrinkPair(
  pair: Pair,
  { space, sampler, confirmSampler, claim, alpha, bits, mostDraws = Infinity }: Settings & {
    space: SearchSpace | undefined;
    /** Draws to refute the claim on the pair itself, at most. */
    mostDraws?: number;
    /** Draws and time to try pairs. */
    sampler: Sampler;
    /** Draws and time to confirm the result; the clock starts when it is chosen. */
    confirmSampler: () => Sampler;
  },
): Promise<Confirmation> {
  const settings = { claim, alpha, bits };
  const original = await confirmPair(pair, { ...settings, sampler, maxDraws: mostDraws });
  if (!original.refuted || space === undefined) return original;
  const taken = Math.max(original.draws, FEWEST_DRAWS);
  const budget = { maxDraws: MOST * taken, hopefulFor: GIVEN_UP * taken };
  const failed = new Set<string>();
  let current = original, smaller: Confirmation | undefined = original;
  while (smaller !== undefined) {
    current = smaller;
    smaller = await smallerThan(current, { ...settings, ...budget, space, sampler, failed });
  }
  if (current === original) return original;
  const confirmed = await confirmPair(current.pair, {
    ...settings,
    sampler: confirmSampler(),
    maxDraws: Infinity,
  });
  return confirmed.refuted ? confirmed : original;
}

/** Returns the first of the simpler pairs on which the claim is refuted too; the others are noted in `failed`. */
async function smallerThan(
  { pair }: Confirmation,
  { space, failed, sampler, ...limits }: Settings & Budget & {
    space: SearchSpace;
    sampler: Sampler;
    failed: Set<string>;
  },
): Promise<Confirmation | undefined> {
  for (const candidate of smallerPairs(space, pair)) {
    if (failed.has(keyOf(candidate))) continue;
    if (sampler.spent >= 1) return undefined;
    const tried = await confirmPair(candidate, { ...limits, sampler });
    if (tried.refuted) return tried;
    failed.add(keyOf(candidate));
  }
  return undefined;
}
