import { requireKnown } from "../../../core/text/known_options.ts";
import { requireFields } from "../../../core/numeric/require.ts";
import type { Claim } from "../../../core/claims/claim.ts";
import { type Amounts, pricesUnder } from "./prices.ts";

/**
 * Decides, one mechanism after the other, whether the next still fits a limit. Both the mechanisms and
 * their claims may be chosen in the light of all outputs so far. Immutable.
 */
export interface PrivacyFilter {
  /** Claim that all spent claims together must satisfy. */
  readonly limit: Claim;
  /** The largest claim that would still fit, of the kind that adds up; a claim of 0 if nothing is left. */
  readonly remaining: Claim;
  /**
   * Of a claim and others that hold of the same output, the one to pay for: the one that fits and takes the least
   * share of the limit (of ε, δ, ρ or μ², whichever it takes most of).
   *
   * @throws as {@linkcode PrivacyFilter.after}.
   */
  cheapest(claim: Claim, alsoKeeps: readonly Claim[]): Claim;
  /**
   * The filter once a mechanism with this claim has run, or `undefined` if that would exceed the limit.
   *
   * @throws {TypeError} when claims of this kind cannot be counted against the limit, or no constructor made it.
   * @throws {RangeError} when the claim is about another relation than the limit.
   */
  after(claim: Claim): PrivacyFilter | undefined;
}

/** Options of {@linkcode privacyFilter}: how the limit is split. */
export interface FilterOptions {
  /**
   * For an approximate limit: the part of its δ that buys concentrated composition beside the sum of ε. Without it, ε and
   * δ just add up.
   */
  readonly slack?: number;
}

/**
 * Opens a filter for fully adaptive composition under `limit`:
 * - a pure limit, or an approximate one without slack, adds up ε and δ (Rogers, Roth, Ullman, Vadhan
 *   2016);
 * - a zCDP limit adds up ρ, and a Rényi limit the divergence at its one order (Feldman, Zrnic 2021);
 * - a Gaussian limit adds up μ² (Smith, Thakurta 2022; Koskela, Tobaben, Honkela 2023); ε-DP counts as the
 *   μ whose trade-off function passes through the corner of randomised response's;
 * - an approximate limit with slack δ′ adds up ρ (ε²/2 for ε-DP) to the most that converts to ε at δ′, and
 *   the claims' own δ to δ − δ′: approximate zCDP (Whitehouse, Ramdas, Rogers, Wu 2023, Theorem 1 and its
 *   proof; the conversion is the optimal one instead of √(2·ln(1/δ′)·Σε²) + Σε²/2). Claims that keep their losses, as
 *   those of {@linkcode sampledClaim} and of DP-SGD do, add the ρ that their Rényi divergences give beside their δ. Where the sum of ε is within ε, it is enough that the claims' own δ are within δ − δ′:
 *   a few large claims fit by that sum, and many small ones by ρ.
 *
 * Amounts are counted exactly, as decimals: a number as the shortest one that reads back as it, so that ten spends of 0.1 fit a limit of 1, and decimal text
 * (`epsilon: "0.1"`) as what it says.
 *
 * @throws {TypeError} when no constructor of claims made the limit.
 * @throws {RangeError} when slack is given for another kind of limit, or is not in (0, δ].
 *
 * @example
 * ```ts
 * import { pure, zcdp } from "../../../core/claims/claim.ts";
 * import { replaceOne as relation } from "../../../core/relations/relation.ts";
 * import { privacyFilter } from "./privacy_filter.ts";
 * const filter = privacyFilter(zcdp({ rho: 0.1, relation }));
 * filter.after(pure({ epsilon: 0.4, relation }))?.remaining; // 0.02-zCDP
 * ```
 */
export function privacyFilter(limit: Claim, options: FilterOptions = {}): PrivacyFilter {
  const { slack } = requireFields("privacyFilter", options, {});
  requireKnown("open a budget", options, ["slack"]);
  const prices = pricesUnder(limit, { slack });
  const from = (spent: Amounts): PrivacyFilter => ({
    limit,
    get remaining(): Claim {
      return prices.remaining(spent);
    },
    cheapest: (claim, alsoKeeps) => prices.cheapest(spent, claim, alsoKeeps).form,
    after(claim): PrivacyFilter | undefined {
      const { total } = prices.cheapest(spent, claim);
      return total && from(total);
    },
  });
  return from(prices.none);
}
