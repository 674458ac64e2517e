import type { Claim } from "../../../core/claims/claim.ts";
import type { Pair } from "../../../core/relations/relation.ts";
import { evidenceAgainst } from "../kernel/betting/evidence.ts";
import type { Sampler } from "../kernel/drawing/sampler.ts";
import { Play } from "../kernel/play.ts";
import { candidatePairOf } from "../model/prediction/candidate_pair.ts";
import { keyOf, type SearchSpace } from "../search/mutate_pairs.ts";
import { smallerPairs } from "./smaller_pairs.ts";

/**
 * A smaller pair may need this many times the draws of the pair it comes from: the number of draws varies much from run to run.
 * The second number is for a second pass over the smaller pairs, when none is refuted in the first.
 */
const DRAW_FACTORS = [3, 10];
/** The draws of the refuted pair are taken to be at least this many. */
const FEWEST_DRAWS = 500;

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

/** Audits one pair with fresh draws, at most `maxDraws`, and a new predictor. */
async function confirmPair(
  pair: Pair,
  { sampler, maxDraws, claim, alpha, bits }: Settings & { sampler: Sampler; maxDraws: number },
): Promise<Confirmation> {
  const candidate = candidatePairOf(pair, { bits });
  const evidence = evidenceAgainst(claim, alpha);
  const play = new Play(sampler, evidence);
  while (!evidence.refuted && candidate.predictor.draws < maxDraws && sampler.spent < 1) {
    await play.step(candidate, "shrink");
  }
  return {
    pair,
    refuted: evidence.refuted,
    eValue: Math.exp(evidence.logEValue),
    draws: candidate.predictor.draws,
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
  let current = original;
  for (const factor of DRAW_FACTORS) {
    const maxDraws = factor * Math.max(original.draws, FEWEST_DRAWS);
    const failed = new Set<string>();
    let smaller: Confirmation | undefined = current;
    while (smaller !== undefined) {
      current = smaller;
      smaller = await smallerThan(current, { ...settings, space, sampler, maxDraws, failed });
    }
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
  { space, failed, sampler, ...limits }: Settings & {
    space: SearchSpace;
    sampler: Sampler;
    maxDraws: number;
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
