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
  { session, maxDraws, claim, alpha, bits }: Settings & { session: Sampler; maxDraws: number },
): Promise<Confirmation> {
  const arm = candidatePairOf(pair, { bits });
  const evidence = evidenceAgainst(claim, alpha);
  while (!evidence.refuted && arm.predictor.draws < maxDraws && session.spent < 1) {
    await session.step(arm, evidence, "shrink");
  }
  return {
    pair,
    refuted: evidence.refuted,
    eValue: Math.exp(evidence.logEValue),
    draws: arm.predictor.draws,
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
  { space, session, confirmSession, claim, alpha, bits }: Settings & {
    space: SearchSpace | undefined;
    /** Draws and time for trying. */
    session: Sampler;
    /** Draws and time for the last word, which begin when the pair is chosen. */
    confirmSession: () => Sampler;
  },
): Promise<Confirmation> {
  const settings = { claim, alpha, bits };
  const original = await confirmPair(pair, { ...settings, session, maxDraws: Infinity });
  if (!original.refuted || space === undefined) return original;
  let current = original;
  for (const patience of PATIENCE) {
    const maxDraws = patience * Math.max(original.draws, FEWEST);
    const failed = new Set<string>();
    let smaller: Confirmation | undefined = current;
    while (smaller !== undefined) {
      current = smaller;
      smaller = await smallerThan(current, { ...settings, space, session, maxDraws, failed });
    }
  }
  if (current === original) return original;
  const last = await confirmPair(current.pair, {
    ...settings,
    session: confirmSession(),
    maxDraws: Infinity,
  });
  return last.refuted ? last : original;
}

/** The boldest of the simpler pairs that refutes the claim too; those that do not are noted. */
async function smallerThan(
  { pair }: Confirmation,
  { space, failed, session, ...limits }: Settings & {
    space: SearchSpace;
    session: Sampler;
    maxDraws: number;
    failed: Set<string>;
  },
): Promise<Confirmation | undefined> {
  for (const candidate of smallerPairs(space, pair)) {
    if (failed.has(keyOf(candidate))) continue;
    if (session.spent >= 1) return undefined;
    const tried = await confirmPair(candidate, { ...limits, session });
    if (tried.refuted) return tried;
    failed.add(keyOf(candidate));
  }
  return undefined;
}
