import { roundUp } from "../numeric/round_outward.ts";
import { type Claim, zcdp } from "./claim.ts";
import type { Relation } from "../relations/relation.ts";

/** ρ of an ε-bounded-range mechanism, ε²/8 (Cesar, Rogers 2021), rounded up and above 0. */
export function boundedRangeRho(epsilon: number): number {
  return roundUp(0.125 * epsilon * epsilon, { relativeError: Number.EPSILON }) || Number.MIN_VALUE;
}

/**
 * zCDP claim that an ε-bounded-range mechanism satisfies besides ε-DP: ε²/8-zCDP, a quarter of what follows from ε-DP (Cesar, Rogers
 * 2021). Bounded range: between neighbours the logarithm of the ratio of probabilities varies over the outputs by at
 * most ε, as that of the exponential mechanism does (Durfee, Rogers 2019). Permute-and-flip's varies by more.
 *
 * @returns one claim; none for an ε whose square overflows.
 *
 * @example
 * ```ts
 * import { alsoOfBoundedRange } from "./bounded_range.ts";
 * import { replaceOne } from "../relations/relation.ts";
 * alsoOfBoundedRange({ epsilon: 1, relation: replaceOne }); // 0.125-zCDP
 * ```
 */
export function alsoOfBoundedRange(
  { epsilon, relation }: { readonly epsilon: number; readonly relation: Relation },
): readonly Claim[] {
  return alsoConcentrated({ rho: boundedRangeRho(epsilon), relation });
}

/** A zCDP claim in a list, or an empty list where ρ says nothing. ρ must be rounded up. */
export function alsoConcentrated(
  { rho, relation }: { readonly rho: number; readonly relation: Relation },
): readonly Claim[] {
  return rho < Infinity ? [zcdp({ rho: rho || Number.MIN_VALUE, relation })] : [];
}
