import { requireKnown } from "../../../core/text/known_options.ts";
import { boundedRangeRho } from "../../../core/claims/bounded_range.ts";
import { type Claim, zcdp, type ZcdpClaim } from "../../../core/claims/claim.ts";
import { requireClaim } from "../../../core/claims/claim_brand.ts";
import { amountUp, exactOf } from "../../../core/numeric/amount.ts";
import { add, rational } from "../../../core/numeric/rational.ts";
import {
  requireDelta,
  requireFields,
  requireKind,
  requireNonNegative,
  requirePositive,
} from "../../../core/numeric/require.ts";
import { roundUp } from "../../../core/numeric/round_outward.ts";
import { renyiDelta, renyiEpsilon, zcdpRenyi } from "./renyi.ts";

/**
 * The zCDP that a claim implies: ε-DP is ε²/2-zCDP (Bun, Steinke 2016, Proposition 1.4) and μ-GDP is
 * μ²/2-zCDP (Proposition 1.6). `undefined` for claims that imply none.
 *
 * @example
 * ```ts
 * import { pure } from "../../../core/claims/claim.ts";
 * import { replaceOne } from "../../../core/relations/relation.ts";
 * import { zcdpOfClaim } from "./zcdp.ts";
 * zcdpOfClaim(pure({ epsilon: 0.2, relation: replaceOne })); // 0.02-zCDP
 * ```
 */
export function zcdpOfClaim(claim: Claim): ZcdpClaim | undefined {
  requireClaim("convert a claim", claim);
  const { relation } = claim;
  const half = (value: number): ZcdpClaim =>
    zcdp({ rho: roundUp(0.5 * value * value, { relativeError: Number.EPSILON }), relation });
  switch (claim.kind) {
    case "zcdp":
      return claim;
    case "pure":
      return half(claim.epsilon);
    case "gaussian":
      return half(claim.mu);
    case "approximate":
      return claim.delta === 0 ? half(claim.epsilon) : undefined;
    case "renyi":
      return undefined;
  }
}

/**
 * Returns the ρ of an ε-bounded-range mechanism, such as the exponential mechanism: ε²/8 (Cesar, Rogers 2021). Rounded up.
 */
export function zcdpOfBoundedRange(options: { epsilon: number }): number {
  const { epsilon } = requireFields("zcdpOfBoundedRange", options, {});
  requireKnown("call zcdpOfBoundedRange()", options, ["epsilon"]);
  requirePositive("convert a bounded range", "epsilon", epsilon);
  return boundedRangeRho(epsilon);
}

/**
 * Returns the ρ of adaptive composition, which adds up (Bun, Steinke 2016, Lemma 1.7). The sum is exact, of the decimals that numbers are written as, and rounded
 * up; no parts give 0.
 *
 * @example
 * ```ts
 * import { zcdpComposition } from "./zcdp.ts";
 * zcdpComposition([{ rho: 0.1 }, { rho: 0.2 }]); // 0.3
 * ```
 */
export function zcdpComposition(parts: readonly { readonly rho: number }[]): number {
  requireKind("zcdpComposition", "parts", parts, "list");
  for (const { rho } of parts) requireNonNegative("compose", "rho", rho);
  return amountUp(parts.map(({ rho }) => exactOf(rho)).reduce(add, rational(0)));
}

/** Conversion from ρ to ε: by the best Rényi order, or by the formula in the paper that introduced zCDP. */
export type ZcdpConversion = "optimal" | "bun-steinke";

/**
 * Returns an ε such that ρ-zCDP implies (ε, `delta`)-DP. `"optimal"` (when left out) takes the best order of
 * Canonne, Kamath, Steinke 2020, Proposition 12; `"bun-steinke"` is ρ + 2√(ρ·ln(1/δ)) (Bun, Steinke 2016,
 * Proposition 1.3), never smaller. Rounded up.
 *
 * @throws {RangeError} unless rho is positive and delta in (0, 1).
 *
 * @example
 * ```ts
 * import { zcdpEpsilon } from "./zcdp.ts";
 * zcdpEpsilon({ rho: 0.5 }, { delta: 1e-6 }); // 5.22; 5.76 by the older formula
 * ```
 */
export function zcdpEpsilon(
  options: { rho: number },
  given: { delta: number; conversion?: ZcdpConversion },
): number {
  const { rho } = requireFields("zcdpEpsilon", options, {});
  requireKnown("call zcdpEpsilon()", options, ["rho"]);
  const { delta, conversion = "optimal" } = requireFields("zcdpEpsilon", given, {});
  requireKnown("call zcdpEpsilon()", given, ["delta", "conversion"]);
  requirePositive("convert zCDP", "rho", rho);
  requirePositive("convert zCDP", "delta", delta);
  requireDelta("convert zCDP", "delta", delta);
  const simple = roundUp(rho + 2 * Math.sqrt(-rho * Math.log(delta)), { relativeError: 1e-14 });
  if (conversion === "bun-steinke") return simple;
  return Math.min(simple, renyiEpsilon(zcdpRenyi({ rho }), { delta }));
}

/** Returns a δ such that ρ-zCDP implies (`epsilon`, δ)-DP, by the best order. Rounded up. */
export function zcdpDelta(options: { rho: number }, given: { epsilon: number }): number {
  const { rho } = requireFields("zcdpDelta", options, {});
  requireKnown("call zcdpDelta()", options, ["rho"]);
  const { epsilon } = requireFields("zcdpDelta", given, {});
  requireKnown("call zcdpDelta()", given, ["epsilon"]);
  return renyiDelta(zcdpRenyi({ rho }), { epsilon });
}

/**
 * The largest ρ found for which ρ-zCDP implies (`epsilon`, `delta`)-DP by {@linkcode zcdpEpsilon}: the
 * answer is checked, so it is safe however it was found.
 *
 * @throws {RangeError} unless epsilon is positive and delta in (0, 1).
 *
 * @example
 * ```ts
 * import { largestRho } from "./zcdp.ts";
 * largestRho({ epsilon: 1, delta: 1e-6 }); // 0.0243
 * ```
 */
export function largestRho(options: { epsilon: number; delta: number }): number {
  const { epsilon, delta } = requireFields("largestRho", options, {});
  requireKnown("call largestRho()", options, ["epsilon", "delta"]);
  requirePositive("convert to zCDP", "epsilon", epsilon);
  // Bracket the answer by doubling and halving, then close in.
  let low = epsilon, high = epsilon + 1;
  while (zcdpEpsilon({ rho: high }, { delta }) <= epsilon) high *= 2;
  while (zcdpEpsilon({ rho: low }, { delta }) > epsilon) [low, high] = [0.5 * low, low];
  while (high - low > 1e-12 * high) {
    const middle = 0.5 * (low + high);
    if (zcdpEpsilon({ rho: middle }, { delta }) <= epsilon) low = middle;
    else high = middle;
  }
  return low;
}
