import type { Claim } from "../core/claim.ts";
import type { Pair } from "../core/relation.ts";
import { armOf } from "./arm.ts";
import { evidenceAgainst } from "./evidence.ts";
import type { SearchSpace } from "./propose.ts";
import type { Session } from "./session.ts";
import { complexity, simplerPairs } from "./simplify.ts";

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
  { session, maxDraws, claim, alpha, bits }: Settings & { session: Session; maxDraws: number },
): Promise<Confirmation> {
  const arm = armOf(pair, { bits });
  const evidence = evidenceAgainst(claim, alpha);
  while (!evidence.refuted && arm.learner.draws < maxDraws && session.spent < 1) {
    await session.step(arm, evidence, "shrink");
  }
  return {
    pair,
    refuted: evidence.refuted,
    eValue: Math.exp(evidence.logEValue),
    draws: arm.learner.draws,
  };
}

/** A smaller pair may need this many times the draws of the one it comes from. */
const PATIENCE = 3;

/**
 * Reduces a refuted pair: tries simpler neighbours, boldest first, and keeps one whenever fresh draws
 * refute the claim on it too. The last word is a refutation at level α, on draws made after the pair
 * was chosen; when it fails (or time runs out before it), the pair it began with stands.
 */
export async function shrinkPair(
  pair: Pair,
  { space, session, confirmSession, ...settings }: Settings & {
    space: SearchSpace | undefined;
    /** Draws and time for trying. */
    session: Session;
    /** Draws and time for the last word. */
    confirmSession: Session;
  },
): Promise<Confirmation> {
  const original = await confirmPair(pair, { session, maxDraws: Infinity, ...settings });
  if (!original.refuted || space === undefined) return original;
  let current = original;
  let improved = true;
  while (improved && session.spent < 1) {
    improved = false;
    for (const candidate of simplerPairs(space, current.pair)) {
      if (session.spent >= 1) break;
      const maxDraws = PATIENCE * Math.max(original.draws, 500);
      const tried = await confirmPair(candidate, { session, maxDraws, ...settings });
      if (!tried.refuted) continue;
      current = tried;
      improved = true;
      break;
    }
  }
  if (complexity(current.pair) === complexity(original.pair)) return original;
  const last = await confirmPair(current.pair, {
    session: confirmSession,
    maxDraws: Infinity,
    ...settings,
  });
  return last.refuted ? last : original;
}
