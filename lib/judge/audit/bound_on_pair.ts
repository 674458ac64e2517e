import type { Claim } from "../../core/claims/claim.ts";
import type { Pair } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { beginFinalBound, endsWithBets } from "./begin_final_bound.ts";
import { evidenceFor } from "./kernel/betting/evidence.ts";
import type { Sampler } from "./kernel/drawing/sampler.ts";
import type { BoundAtEnd } from "./plan/bound_at_end.ts";
import { Play } from "./kernel/play.ts";
import { type CandidatePair, candidatePairOf } from "./model/prediction/candidate_pair.ts";
import type { AuditEffort } from "./model/prediction/effort.ts";
import { selectFinalist } from "./search/select_finalist.ts";
import type { Subject } from "./kernel/subject.ts";

/**
 * The share of α that the bets have; the test at the end of the budget has the rest. A quick audit refutes by its bets, and a
 * thorough one shows the best bound by the test. Recorded outputs are so few that their test gets half of α.
 */
const BETS_SHARE = { quick: 2 / 3, thorough: 1 / 8, recorded: 1 / 2 };

/** How α is split between the bets of an audit and the test at its end. */
interface Levels {
  /** The share of α that the bets have. */
  readonly betsShare: number;
  /** The level of the bets. */
  readonly bets: number;
  /** The level of the test. */
  readonly test: number;
}

/** Returns the levels of an audit: together they are α. */
export function levelsOf(
  { subject, effort, alpha }: {
    readonly subject: Subject;
    readonly effort: AuditEffort;
    readonly alpha: number;
  },
): Levels {
  const betsShare = subject.recorded !== undefined ? BETS_SHARE.recorded : BETS_SHARE[effort];
  return { betsShare, bets: betsShare * alpha, test: (1 - betsShare) * alpha };
}

/** Spends what is left of the budget on one pair, by bets and by the test at the end, if that has a share of α. */
export async function runFinalPhase(
  candidate: CandidatePair,
  options: Parameters<typeof beginFinalBound>[1] & {
    /** Ends the audit before its budget is spent. */
    readonly isOver: () => boolean;
    /** Called with the test when it begins: where the subject fails, the test has counted what came before. */
    readonly begun: (bound: BoundAtEnd) => void;
  },
): Promise<void> {
  const { play, alpha, isOver, begun } = options;
  let finalBound: BoundAtEnd | undefined;
  if (!isOver() && alpha > 0) begun(finalBound = beginFinalBound(candidate, options));
  if (!isOver()) {
    await play.drawWhile([candidate], {
      phase: "confirm",
      until: isOver,
      see: (batch) => finalBound?.bound.add(batch),
      most: () => finalBound?.bound.mostDraws ?? Infinity,
    });
  }
}

/** With fewer draws than this bets alone show more than a thorough audit, which learns for a part of them. */
const FEW_DRAWS = 4000;

/**
 * Returns the lower bound that draws on one pair fixed beforehand show at level α, as in a thorough audit of that pair; by bets alone
 * where they are few.
 */
export async function boundOnPair(
  pair: Pair,
  { subject, sampler, claim, alpha, bits, source }: {
    readonly subject: Subject;
    readonly sampler: Sampler;
    readonly claim: Claim;
    readonly alpha: number;
    readonly bits: boolean;
    readonly source: Source;
  },
): Promise<number> {
  if (sampler.maxDraws < FEW_DRAWS) {
    const evidence = evidenceFor(claim, alpha);
    const play = new Play(sampler, evidence, { goesOn: true });
    const candidate = candidatePairOf(pair, { bits });
    while (sampler.spent < 1) await play.step(candidate, "confirm");
    return evidence.lowerBound;
  }
  const effort = "thorough";
  const levels = levelsOf({ subject, effort, alpha });
  const evidence = evidenceFor(claim, levels.bets);
  const play = new Play(sampler, evidence, { goesOn: true });
  const isOver = (): boolean => sampler.spent >= 1;
  const candidate = await selectFinalist([candidatePairOf(pair, { bits, effort })], {
    play,
    isOver,
    endsWith: endsWithBets(claim, subject) ? "bets" : "guesses",
  });
  let finalBound: BoundAtEnd | undefined;
  await runFinalPhase(candidate, {
    subject,
    play,
    claim,
    alpha: levels.test,
    source,
    isOver,
    begun: (bound) => finalBound = bound,
  });
  return Math.max(evidence.lowerBound, finalBound?.bound.lowerBound() ?? 0);
}
