import { plantedEvent } from "../../fixtures/judge/planted_events.ts";
import { audit } from "../../lib/judge/audit/audit.ts";
import { eventLawAt } from "../../lib/judge/audit/plan/power/event_law.ts";
import type { AuditReport } from "../../lib/judge/audit/report.ts";
import type { Claim } from "../../lib/core/claims/claim.ts";
import { pairOf, replaceOne } from "../../lib/core/relations/relation.ts";
import { logBinomialLowerTail } from "../../lib/core/numeric/binomial_tail.ts";

/** The power that reports state. */
export const POWER = 0.9;
/** The share of seeds' runs that must be found where reports state {@linkcode POWER}: fewer of 100 come once in 200 times. */
export const LEAST_FOUND = 0.82;

/** A kind of event, a claim and a budget, and what is stated of them. */
export interface Cell {
  readonly kind: string;
  readonly claim: Claim;
  readonly maxDraws: number;
  /**
   * The share of outputs in the event where a violation of `detectableEpsilon` is planted; "one side" where the event is one of
   * `smallestEventProbability` on one dataset alone.
   */
  readonly share: number | "one side";
}

/** Statement of a report about a cell, and how often it was true. */
export interface Found {
  /** The parameter of the violation, or the probability of the event; `undefined` where the report states none. */
  readonly stated: number | undefined;
  /** Probabilities of the event on both datasets. */
  readonly left: number;
  readonly right: number;
  readonly found: number;
  readonly runs: number;
}

async function run(
  { kind, claim, maxDraws }: Cell,
  planted: { left: number; right: number; share: number; seed: number },
): Promise<AuditReport> {
  return await audit(plantedEvent(kind, planted), {
    claim,
    pair: pairOf(replaceOne, { left: [0], right: [1] }),
    maxDraws,
    seed: 7919 * planted.seed + 1,
    shrink: false,
  });
}

/**
 * Audits a program that keeps its claim, reads what its report states, plants exactly that, on one dataset and on the other by
 * turns, and counts the audits that refute.
 */
export async function foundAtStated(
  cell: Cell,
  { runs, seed, enough = runs }: {
    readonly runs: number;
    readonly seed: number;
    /** Runs that are found after which no more are made: all unless given. */
    readonly enough?: number;
  },
): Promise<Found> {
  const isOneSided = cell.share === "one side";
  const clean = cell.share === "one side" ? 0 : cell.share;
  // The place and the width of an event of one dataset alone: about its share.
  const width = isOneSided ? 0.01 : clean;
  const report = await run(cell, { left: clean, right: clean, share: width, seed });
  if (report.verdict === "refuted") throw new Error(`${cell.kind}: refuted without a leak`);
  const { detectableEpsilon, detectableShare, smallestEventProbability } = report;
  const isStated = isOneSided
    ? smallestEventProbability < 1
    : detectableEpsilon !== null && Number.isFinite(detectableEpsilon);
  if (!isStated) return { stated: undefined, left: 0, right: 0, found: 0, runs: 0 };
  const stated = isOneSided ? smallestEventProbability : detectableEpsilon!;
  const law = isOneSided
    ? { left: 0, right: stated }
    : lawOf(detectableShare, { claim: cell.claim, parameter: stated });
  let found = 0;
  for (let k = 1; k <= runs && found < enough; k++) {
    const sides = k % 2 === 0 ? law : { left: law.right, right: law.left };
    const { verdict } = await run(cell, { ...sides, share: width, seed: seed + k });
    if (verdict === "refuted") found++;
  }
  return { stated, ...law, found, runs };
}

function lawOf(
  share: number,
  violation: { readonly claim: Claim; readonly parameter: number },
): { left: number; right: number } {
  const { left, right } = eventLawAt(share, violation);
  return { left: left[0]!, right: right[0]! };
}

/** The p-values of cells for a power of 0.9 or more, corrected for their number (Holm 1979). */
export function holm(cells: readonly Found[]): number[] {
  const own = cells.map(({ found, runs }) => Math.exp(logBinomialLowerTail(found, runs, POWER)));
  const order = [...own.keys()].sort((a, b) => own[a]! - own[b]!);
  const corrected = new Array<number>(own.length);
  let most = 0;
  order.forEach((cell, rank) => {
    most = Math.max(most, Math.min(1, (own.length - rank) * own[cell]!));
    corrected[cell] = most;
  });
  return corrected;
}
