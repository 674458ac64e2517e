import { Play } from "../play/play.ts";
import type { Claim } from "../../core/claim.ts";
import type { Pair } from "../../core/relation.ts";
import { evidenceAgainst } from "../betting/evidence_for.ts";
import type { Sampler } from "../drawing/sampler.ts";
import { candidatePairOf } from "../prediction/candidate_pair.ts";
import { keyOf, type SearchSpace } from "../search/mutate_pairs.ts";
import { smallerPairs } from "./smaller_pairs.ts";

/** A refutation on one pair fixed beforehand, from draws made for it alone. */
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

/** Audits one pair afresh, up to `maxDraws` draws. */
export async function confirmPair(
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
 * A smaller pair may need this many times the draws of the one it comes from: how many it takes is mostly luck.
 * The second number is for a second look at the smaller pairs, when none passes the first.
 */
const PATIENCE = [3, 10];
/** Draws that refute a pair are reckoned to be so many, at least. */
const FEWEST = 500;

/**
 * Reduces a refuted pair: tries simpler neighbours, boldest first, and keeps one whenever fresh draws
 * refute the claim on it too. The last word is a refutation at level α, on draws made after the pair
 * was chosen; when it fails (or time runs out before it), the pair it began with stands.
 */
export async function shrinkPair(
  pair: Pair,
  { space, sampler, confirmSampler, claim, alpha, bits }: Settings & {
    space: SearchSpace | undefined;
    /** Draws and time for trying. */
    sampler: Sampler;
    /** Draws and time for the last word, which begin when the pair is chosen. */
    confirmSampler: () => Sampler;
  },
): Promise<Confirmation> {
  const settings = { claim, alpha, bits };
  const original = await confirmPair(pair, { ...settings, sampler, maxDraws: Infinity });
  if (!original.refuted || space === undefined) return original;
  let current = original;
  for (const patience of PATIENCE) {
    const maxDraws = patience * Math.max(original.draws, FEWEST);
    const failed = new Set<string>();
    let smaller: Confirmation | undefined = current;
    while (smaller !== undefined) {
      current = smaller;
      smaller = await smallerThan(current, { ...settings, space, sampler, maxDraws, failed });
    }
  }
  if (current === original) return original;
  const last = await confirmPair(current.pair, {
    ...settings,
    sampler: confirmSampler(),
    maxDraws: Infinity,
  });
  return last.refuted ? last : original;
}

/** The boldest of the simpler pairs that refutes the claim too; those that do not are noted. */
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
