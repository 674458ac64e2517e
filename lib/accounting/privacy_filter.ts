import { requireFields } from "../numeric/require.ts";
import { approximate, type Claim, gaussian, pure, renyi, zcdp } from "../core/claim.ts";
import { exactAmount, requireClaim } from "../core/claim_brand.ts";
import { dyadicDown } from "../numeric/amount.ts";
import {
  addDyadics,
  atMost,
  type Dyadic,
  dyadicOf,
  dyadicToNumberDown,
  dyadicToNumberUp,
  multiplyDyadics,
  subtractDyadics,
  zeroDyadic,
} from "../numeric/dyadic.ts";
import { normalTailQuantile } from "../numeric/normal_tail.ts";
import { nextDown, roundUp } from "../numeric/round_outward.ts";
import { rhoBesideDelta } from "./approximate_zcdp.ts";
import { lossesOf } from "./known_losses.ts";
import { requireRelation } from "./require_relation.ts";
import { requireSlack } from "./privacy_parameters.ts";
import { renyiOfClaim } from "./renyi.ts";
import { largestRho } from "./zcdp.ts";

/**
 * Decides, one mechanism after the other, whether the next still fits a limit. Both the mechanisms and
 * their claims may be chosen in the light of all outputs so far. Immutable.
 */
export interface PrivacyFilter {
  /** What all claims together must keep. */
  readonly limit: Claim;
  /** The largest claim that would still fit, of the kind that adds up; `undefined` if none does. */
  readonly remaining: Claim | undefined;
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

/** How {@linkcode privacyFilter} splits the limit. */
export interface FilterOptions {
  /**
   * For an approximate limit: the part of its δ that buys concentrated composition. Without it, ε and
   * δ just add up.
   */
  readonly slack?: number;
}

/** What a claim costs, and how what is left reads as a claim again. All amounts must stay within. */
interface Currency {
  readonly limits: readonly Dyadic[];
  /** `undefined` for claims that have no price. */
  costOf(claim: Claim): readonly Dyadic[] | undefined;
  remainingClaim(left: number, leftDelta: number): Claim | undefined;
}

/**
 * A filter for fully adaptive composition under `limit`:
 * - a pure limit, or an approximate one without slack, adds up ε and δ (Rogers, Roth, Ullman, Vadhan
 *   2016);
 * - a zCDP limit adds up ρ, and a Rényi limit the divergence at its one order (Feldman, Zrnic 2021);
 * - a Gaussian limit adds up μ² (Smith, Thakurta 2022; Koskela, Tobaben, Honkela 2023); ε-DP counts as the
 *   μ whose trade-off function passes through the corner of randomised response's;
 * - an approximate limit with slack δ′ adds up ρ (ε²/2 for ε-DP) to the most that converts to ε at δ′, and
 *   the claims' own δ to δ − δ′: approximate zCDP (Whitehouse, Ramdas, Rogers, Wu 2023, Theorem 1 and its
 *   proof; the conversion is the optimal one instead of √(2·ln(1/δ′)·Σε²) + Σε²/2). Claims that keep their losses, as
 *   those of {@linkcode sampledClaim} and of DP-SGD do, add the ρ that their Rényi divergences give beside their δ.
 *
 * Amounts are counted exactly, as the doubles that noise is scaled by: 0.1 is a little above one tenth, so that ten
 * spends of it do not fit a limit of 1. Amounts in decimal text (`epsilon: "0.1"`)
 * count as what they say, and {@linkcode share} makes doubles that fit where what they stand for does.
 *
 * @throws {TypeError} when no constructor of claims made the limit.
 * @throws {RangeError} when slack is given for another kind of limit, or is not in (0, δ].
 *
 * @example
 * ```ts
 * import { pure, zcdp } from "../core/claim.ts";
 * import { replaceOne as relation } from "../core/relation.ts";
 * import { privacyFilter } from "./privacy_filter.ts";
 * const filter = privacyFilter(zcdp({ rho: 0.1, relation }));
 * filter.after(pure({ epsilon: 0.4, relation }))?.remaining; // 0.02-zCDP
 * ```
 */
export function privacyFilter(limit: Claim, options: FilterOptions = {}): PrivacyFilter {
  const { slack } = requireFields("privacyFilter", options, {});
  requireClaim("make a filter", limit);
  const currency = currencyOf(limit, slack);
  const shareOfLimit = (cost: readonly Dyadic[]): number =>
    Math.max(...cost.map((amount, i) => shareOf(amount, currency.limits[i]!)));
  // A claim that keeps its losses has several prices, for other claims follow from them: the least first.
  const pricesOf = (claim: Claim): { cost: readonly Dyadic[]; share: number }[] => {
    requireClaim("spend", claim);
    requireRelation("spend", claim, { relation: limit.relation });
    return [claim, ...(lossesOf(claim)?.alsoKeeps ?? [])].flatMap((form) => {
      const cost = currency.costOf(form);
      return cost === undefined ? [] : [{ cost, share: shareOfLimit(cost) }];
    }).sort((a, b) => a.share === b.share ? 0 : a.share - b.share);
  };
  const totalOf = (spent: readonly Dyadic[], cost: readonly Dyadic[]): Dyadic[] | undefined => {
    const total = spent.map((amount, i) => addDyadics(amount, cost[i]!));
    return total.every((amount, i) => atMost(amount, currency.limits[i]!)) ? total : undefined;
  };
  const from = (spent: readonly Dyadic[]): PrivacyFilter => ({
    limit,
    get remaining(): Claim | undefined {
      const [left, leftDelta] = spent.map((amount, i) =>
        dyadicToNumberDown(subtractDyadics(currency.limits[i]!, amount))
      );
      return currency.remainingClaim(left!, leftDelta!);
    },
    cheapest(claim, alsoKeeps): Claim {
      const priced = [claim, ...alsoKeeps].flatMap((form) =>
        pricesOf(form).map(({ cost, share }) => ({
          form,
          fits: totalOf(spent, cost) !== undefined,
          share,
        }))
      );
      if (priced.length === 0) throw uncountable(claim, limit);
      const fitting = priced.filter(({ fits }) => fits);
      const best = (fitting.length > 0 ? fitting : priced)
        .reduce((a, b) => b.share < a.share ? b : a);
      return best.form;
    },
    after(claim): PrivacyFilter | undefined {
      const prices = pricesOf(claim);
      if (prices.length === 0) throw uncountable(claim, limit);
      const [total] = prices.flatMap(({ cost }) => {
        const total = totalOf(spent, cost);
        return total === undefined ? [] : [total];
      });
      return total && from(total);
    },
  });
  return from(currency.limits.map(() => zeroDyadic));
}

function uncountable(claim: Claim, limit: Claim): TypeError {
  const concentrated = claim.kind === "zcdp" || claim.kind === "gaussian";
  // With slack they are counted.
  if (limit.kind === "approximate" && concentrated) {
    return new TypeError(
      `Cannot spend: slack must be given for a limit of kind approximate to count claims of kind ${claim.kind}, ` +
        "as in openBudget(limit, { slack }) with a part of the limit's delta: current value is undefined",
    );
  }
  return new TypeError(
    `Cannot spend: a limit of kind ${limit.kind} must be spent on claims that it can count: ` +
      `current kind is ${claim.kind}`,
  );
}

/** What part of the limit an amount is, roughly: it is only compared. */
function shareOf(amount: Dyadic, limit: Dyadic): number {
  const part = dyadicToNumberUp(amount);
  return part === 0 ? 0 : part / dyadicToNumberDown(limit);
}

function currencyOf(limit: Claim, slack: number | undefined): Currency {
  if (slack !== undefined && limit.kind !== "approximate") {
    throw new RangeError(
      `Cannot make a filter: slack must be left out unless the limit is approximate: current value is ${slack}`,
    );
  }
  const { relation } = limit;
  switch (limit.kind) {
    case "pure":
      return {
        limits: [amountOf(limit, "epsilon")],
        costOf: (claim) => isPure(claim) ? [amountOf(claim, "epsilon")] : undefined,
        remainingClaim: (epsilon) => epsilon > 0 ? pure({ epsilon, relation }) : undefined,
      };
    case "approximate":
      return slack === undefined ? basicCurrency(limit) : concentratedCurrency(limit, slack);
    case "zcdp":
      return {
        limits: [amountOf(limit, "rho")],
        costOf: (claim) => {
          const rho = rhoOf(claim);
          return rho && [rho];
        },
        remainingClaim: (rho) => rho > 0 ? zcdp({ rho, relation }) : undefined,
      };
    case "renyi":
      return {
        limits: [amountOf(limit, "epsilon")],
        costOf: (claim) => {
          const { renyi: known } = lossesOf(claim) ?? {};
          const divergence = (known ?? renyiOfClaim(claim))(limit.order);
          return divergence === Infinity ? undefined : [dyadicOf(divergence)];
        },
        remainingClaim: (epsilon) =>
          epsilon > 0 ? renyi({ order: limit.order, epsilon, relation }) : undefined,
      };
    case "gaussian":
      return {
        limits: [square(amountOf(limit, "mu"))],
        costOf: (claim) => {
          if (claim.kind === "gaussian") return [square(amountOf(claim, "mu"))];
          const mu = muOf(claim);
          return mu === undefined ? undefined : [square(dyadicOf(mu))];
        },
        remainingClaim: (squared) => {
          const mu = nextDown(Math.sqrt(squared));
          return mu > 0 ? gaussian({ mu, relation }) : undefined;
        },
      };
  }
}

function basicCurrency(limit: Claim & { kind: "approximate" }): Currency {
  const { relation } = limit;
  return {
    limits: [amountOf(limit, "epsilon"), amountOf(limit, "delta")],
    costOf: (claim) =>
      claim.kind === "approximate"
        ? [amountOf(claim, "epsilon"), amountOf(claim, "delta")]
        : claim.kind === "pure"
        ? [amountOf(claim, "epsilon"), zeroDyadic]
        : undefined,
    remainingClaim: (left, leftDelta) =>
      left > 0 ? approximate({ epsilon: left, delta: leftDelta, relation }) : undefined,
  };
}

function concentratedCurrency(limit: Claim & { kind: "approximate" }, slack: number): Currency {
  const { epsilon, delta, relation } = limit;
  requireSlack("make a filter", slack);
  if (slack > delta) {
    throw new RangeError(
      `Cannot make a filter: slack must be at most the limit's delta: current value is ${slack}`,
    );
  }
  return {
    limits: [
      dyadicOf(largestRho({ epsilon, delta: slack })),
      subtractDyadics(amountOf(limit, "delta"), dyadicOf(slack)),
    ],
    costOf: (claim) => {
      if (claim.kind === "approximate") {
        const simple = halfSquare(amountOf(claim, "epsilon")), known = rhoBesideDelta(claim);
        const least = known === undefined || atMost(simple, dyadicOf(known))
          ? simple
          : dyadicOf(known);
        return [least, amountOf(claim, "delta")];
      }
      const rho = rhoOf(claim);
      return rho && [rho, zeroDyadic];
    },
    remainingClaim: (rho) => rho > 0 ? zcdp({ rho, relation }) : undefined,
  };
}

function isPure(claim: Claim): claim is Claim & { readonly epsilon: number } {
  return claim.kind === "pure" || (claim.kind === "approximate" && claim.delta === 0);
}

/** The amount of a claim as it was given: text exactly. */
function amountOf<Name extends string>(
  claim: { readonly [Key in Name]: number },
  name: Name,
): Dyadic {
  const exact = exactAmount(claim, name);
  return exact === undefined ? dyadicOf(claim[name]) : dyadicDown(exact);
}

function square(value: Dyadic): Dyadic {
  return multiplyDyadics(value, value);
}

function halfSquare(value: Dyadic): Dyadic {
  return multiplyDyadics({ digits: 1n, exponent: -1 }, square(value));
}

/** The exact ρ that a claim implies (Bun, Steinke 2016, Propositions 1.4 and 1.6). */
function rhoOf(claim: Claim): Dyadic | undefined {
  if (claim.kind === "zcdp") return amountOf(claim, "rho");
  if (claim.kind === "gaussian") return halfSquare(amountOf(claim, "mu"));
  return isPure(claim) ? halfSquare(amountOf(claim, "epsilon")) : undefined;
}

/**
 * The μ of a claim of pure privacy. Randomised response's trade-off function is two lines that meet where both errors are
 * 1/(1 + e^ε); the convex G_μ through that corner, (0, 1) and (1, 0) is below both lines.
 */
function muOf(claim: Claim): number | undefined {
  if (!isPure(claim)) return undefined;
  // Far out the tail itself underflows; the normal tail is below e^(−x²/2)/2, so √(2ε) is enough there.
  const mu = claim.epsilon < 600
    ? 2 * normalTailQuantile(1 / (1 + Math.exp(claim.epsilon)))
    : 2 * Math.sqrt(2 * claim.epsilon);
  return roundUp(mu, { relativeError: 1e-12 });
}
