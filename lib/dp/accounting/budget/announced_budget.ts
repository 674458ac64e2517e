import {
  type ApproximateClaim,
  type Claim,
  claimLeft,
  describeClaim,
} from "../../../core/claims/claim.ts";
import { requireClaim } from "../../../core/claims/claim_brand.ts";
import { sameRelation } from "../../../core/relations/relation.ts";
import { requireInteger } from "../../../core/numeric/require.ts";
import { roundUp } from "../../../core/numeric/round_outward.ts";
import type { Budget } from "./budget.ts";
import { lossesOf } from "../loss_distribution/known_losses.ts";
import { deltaBounds, type LossPart } from "../loss_distribution/privacy_loss_distribution.ts";
import { requireRelation } from "../../../core/claims/require_relation.ts";

/** Releases that will follow one another, all with the same claim. */
export interface AnnouncedRelease {
  /** A pure, approximate or Gaussian claim, or one with losses of its own as {@linkcode sampledClaim} makes it. */
  readonly claim: Claim;
  /** Number of such claims. Default: 1. */
  readonly count?: number;
}

/**
 * Opens a budget for a sequence of releases that is announced now, and charged for exactly: by the composition of all its losses
 * ({@linkcode deltaBounds}), where {@linkcode openBudget} must be ready for claims that are chosen as outputs come in. Of
 * 0.02-GDP releases a limit of (1, 1e-6) takes 140, where a filter takes 121.
 *
 * Spends must be the announced claims, in the announced order; stopping early is always allowed. The mechanisms
 * themselves may be chosen in the light of all outputs so far, as long as each keeps its announced claim: a composition of pairs that are fixed
 * beforehand dominates every adaptive one (Dong, Roth, Su 2022, Theorem 4; Zhu, Dong, Wang 2022, Theorem 10). Claims that are
 * themselves chosen adaptively need a filter (Rogers, Roth, Ullman, Vadhan 2016; Whitehouse, Ramdas, Rogers, Wu 2023).
 *
 * @throws {TypeError} when no constructor made a claim, the limit is not approximate, or an announced claim has no single worst pair
 * (zCDP, Rényi).
 * @throws {RangeError} when the sequence does not fit the limit, or a claim is about another relation; from `spend`, when the claim is
 * not the next one.
 *
 * @example
 * ```ts
 * import { approximate, gaussian } from "../../../core/claims/claim.ts";
 * import { replaceOne as relation } from "../../../core/relations/relation.ts";
 * import { openAnnouncedBudget } from "./announced_budget.ts";
 * const each = gaussian({ mu: 0.02, relation });
 * const limit = approximate({ epsilon: 1, delta: 1e-6, relation });
 * const budget = openAnnouncedBudget(limit, [{ claim: each, count: 140 }]);
 * budget.spend(each);
 * ```
 */
export function openAnnouncedBudget(
  limit: ApproximateClaim,
  sequence: readonly AnnouncedRelease[],
): Budget {
  const act = "announce releases";
  requireClaim(act, limit);
  if (limit.kind !== "approximate") {
    throw new TypeError(
      `Cannot ${act}: limit must be approximate: current kind is ${(limit as Claim).kind}`,
    );
  }
  // Copied once: what is spent later is compared with what was charged for here.
  const announced = Array.from(sequence, ({ claim, count = 1 }) => {
    requireClaim(act, claim);
    requireRelation(act, claim, { relation: limit.relation });
    requireInteger(act, "count", count, { min: 1 });
    return { claim, count };
  });
  const delta = composedDelta(announced, limit.epsilon);
  if (!(delta <= limit.delta)) {
    throw new RangeError(
      `Cannot ${act}: the sequence must fit the limit, ${describeClaim(limit)}: ` +
        `current value is (${limit.epsilon}, ${delta})-DP`,
    );
  }

  let spent = 0;
  let ledger: readonly Claim[] = Object.freeze([]);
  const runs = announced.reduce((sum, { count }) => sum + count, 0);
  const claimAt = (place: number): Claim | undefined => {
    let before = 0;
    return announced.find(({ count }) => place < (before += count))?.claim;
  };
  const refuse = (place: number, claim: Claim): never => {
    const next = claimAt(place);
    throw new RangeError(
      "Cannot spend: the claim must be the next of the announced sequence, " +
        `${next === undefined ? `which ended after ${runs}` : describeClaim(next)}: ` +
        `current value is ${describeClaim(claim)}`,
    );
  };
  /** Returns the claim form that applies. */
  function due(place: number, forms: readonly Claim[]): Claim {
    for (const form of forms) requireClaim("spend", form);
    const next = claimAt(place);
    return forms.find((form) => next !== undefined && isSame(form, next)) ??
      refuse(place, forms[0]!);
  }
  function spendAll(claims: readonly Claim[]): void {
    const copied = Array.from(claims);
    copied.forEach((claim, i) => due(spent + i, [claim]));
    spent += copied.length;
    ledger = Object.freeze([...ledger, ...copied]);
  }
  return Object.freeze({
    limit,
    get remaining(): Claim {
      return claimAt(spent) ?? claimLeft(limit, { amount: 0 });
    },
    get ledger(): readonly Claim[] {
      return ledger;
    },
    canSpend(claim: Claim, alsoKeeps: readonly Claim[] = []): boolean {
      try {
        due(spent, [claim, ...alsoKeeps]);
        return true;
      } catch {
        return false;
      }
    },
    spend(claim: Claim, alsoKeeps: readonly Claim[] = []): void {
      spendAll([due(spent, [claim, ...alsoKeeps])]);
    },
    spendAll,
  });
}

/** At least the δ at ε of the whole sequence. */
function composedDelta(sequence: readonly Required<AnnouncedRelease>[], epsilon: number): number {
  const parts: LossPart[] = [];
  let distance = 0;
  for (const { claim, count } of sequence) {
    const losses = lossesOf(claim);
    if (losses === undefined) {
      throw new TypeError(
        "Cannot announce releases: a claim must be pure, approximate or gaussian: " +
          `current kind is ${claim.kind}`,
      );
    }
    distance += count * losses.distance;
    parts.push(...losses.parts.map((part) => ({ ...part, count: part.count * count })));
  }
  const { upper } = deltaBounds(parts, { epsilon });
  if (distance === 0) return upper;
  // Of outputs that are off by so much under both datasets: P(S) − e^ε·Q(S) grows by (1 + e^ε) times that.
  return roundUp(upper + (1 + Math.exp(epsilon)) * distance, { relativeError: 1e-14 });
}

function isSame(claim: Claim, other: Claim): boolean {
  return claim === other ||
    (claim.kind === other.kind && describeClaim(claim) === describeClaim(other) &&
      sameRelation(claim.relation, other.relation) &&
      lossesOf(claim)?.key === lossesOf(other)?.key);
}
