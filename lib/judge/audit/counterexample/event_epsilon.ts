import { approximate, type Claim } from "../../../core/claims/claim.ts";
import { pointsOf } from "../../../core/claims/claim_curve.ts";
import { clopperPearsonLower, clopperPearsonUpper } from "../../../core/numeric/clopper_pearson.ts";
import type { Rate } from "../../../core/numeric/rates_differ.ts";
import { eventEpsilonInOrder } from "./event_epsilon_in_order.ts";

/** The bound is multiplied by this, which lowers it by more than its rounding errors. */
const DOWNWARDS = 1 - 1e-12;

/**
 * Returns the lower bound on ε that the counts of one event show at confidence 1 − α; 0 if they show nothing. The event must have been
 * chosen on other draws.
 *
 * Where outputs are declared independent or were recorded, it is ln((p − δ)/q) of the Clopper–Pearson bounds (1934), p from
 * below and q from above, each wrong with probability at most α/4, for the direction is chosen by the counts. Elsewhere outputs
 * may depend on what was drawn before, and the bound is that of {@linkcode eventEpsilonInOrder}.
 */
export function eventEpsilon(
  { left, right }: { readonly left: Rate; readonly right: Rate },
  { claim, alpha, independent }: {
    readonly claim: Claim;
    readonly alpha: number;
    /** Whether outputs are independent of each other: so declared, or recorded. */
    readonly independent: boolean;
  },
): number {
  if (left.draws === 0 || right.draws === 0) return 0;
  const delta = claim.kind === "approximate" ? claim.delta : 0;
  if (!independent) return eventEpsilonInOrder({ left, right }, { delta, alpha });
  const oneWay = (more: Rate, less: Rate): number => {
    const level = alpha / 4;
    const p = clopperPearsonLower({ successes: more.hits, trials: more.draws, alpha: level });
    const q = clopperPearsonUpper({ successes: less.hits, trials: less.draws, alpha: level });
    return p - delta > q ? Math.log((p - delta) / q) * DOWNWARDS : 0;
  };
  return Math.max(oneWay(left, right), oneWay(right, left));
}

/**
 * Returns true if the counts of one event alone show, at confidence 1 − α, that the claim is not kept. The event must have been chosen
 * on other draws.
 */
export function exceedsClaim(
  counts: { readonly left: Rate; readonly right: Rate },
  { claim, alpha, independent }: {
    readonly claim: Claim;
    readonly alpha: number;
    readonly independent: boolean;
  },
): boolean {
  const points = pointsOf(claim), { relation } = claim;
  return points.some(({ epsilon, delta }) => {
    const point: Claim = approximate({ epsilon, delta, relation });
    return eventEpsilon(counts, { claim: point, alpha: alpha / points.length, independent }) >
      epsilon;
  });
}
