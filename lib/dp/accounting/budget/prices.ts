import { type Claim, claimLeft, claimsNothing, zcdp } from "../../../core/claims/claim.ts";
import { exactAmount, requireClaim } from "../../../core/claims/claim_brand.ts";
import { amountDown, exactOf, largestAmount } from "../../../core/numeric/amount.ts";
import {
  add as sumOf,
  compare,
  multiply,
  type Rational,
  rational,
  subtract,
  toNumber,
} from "../../../core/numeric/rational.ts";
import { normalTailQuantile } from "../../../core/numeric/normal_tail.ts";
import { roundUp } from "../../../core/numeric/round_outward.ts";
import { rhoBesideDelta } from "./approximate_zcdp.ts";
import { lossesOf } from "../loss_distribution/known_losses.ts";
import { requireRelation } from "../../../core/claims/require_relation.ts";
import { requireSlack } from "../composition/privacy_parameters.ts";
import { renyiOfClaim } from "../composition/renyi.ts";
import { largestRho } from "../composition/zcdp.ts";

/** Amounts of what a limit counts, in its order: ε, or ε and δ, ρ, or μ²; with slack ρ, δ and ε. */
export type Amounts = readonly Rational[];

/** Price of an output. */
export interface Price {
  /** The claim that is paid for, of those that hold of the output. */
  readonly form: Claim;
  readonly cost: Amounts;
  /** Total spent with this price included; `undefined` if it would exceed the limit. */
  readonly total: Amounts | undefined;
}

/** Prices of claims under a limit. */
export interface Prices {
  /** Nothing spent. */
  readonly none: Amounts;
  /** Returns the sum of both amounts, even if it exceeds the limit. */
  add(spent: Amounts, cost: Amounts): Amounts;
  /** Returns true if the total is within the limit. */
  allows(total: Amounts): boolean;
  /**
   * Of a claim and others that hold of the same output, the one that fits and takes the least share of the limit (of ε, δ, ρ or μ²,
   * whichever it takes most of).
   *
   * @throws {TypeError} when claims of this kind cannot be counted against the limit, or no constructor made it.
   * @throws {RangeError} when the claim is about another relation than the limit.
   */
  cheapest(spent: Amounts, claim: Claim, alsoKeeps?: readonly Claim[]): Price;
  /** The largest claim that would still fit, of the kind that adds up; of 0 if nothing is left. */
  remaining(spent: Amounts): Claim;
}

/** The prices of claims under a limit; for `slack` see {@linkcode FilterOptions}. */
export function pricesUnder(
  limit: Claim,
  { slack }: { readonly slack?: number | undefined },
): Prices {
  requireClaim("make a filter", limit);
  const { limits, costsOf, remainingClaim, isWithin = isEach } = currencyOf(limit, slack);
  const add = (spent: Amounts, cost: Amounts): Amounts =>
    spent.map((amount, i) => sumOf(amount, cost[i]!));
  const allows = (total: Amounts): boolean =>
    isWithin(total.map((amount, i) => compare(amount, limits[i]!) <= 0));
  // A claim that keeps its losses has several prices, for other claims follow from them.
  const allCostsOf = (claim: Claim): Amounts[] => {
    requireClaim("spend", claim);
    requireRelation("spend", claim, { relation: limit.relation });
    if (claimsNothing(claim)) return [limits.map(() => ZERO)];
    return [claim, ...(lossesOf(claim)?.alsoKeeps ?? [])].flatMap((form) => costsOf(form));
  };
  // Of the least that must be within.
  const shareOfLimit = (cost: Amounts): number => {
    const shares = cost.map((amount, i) => shareOf(amount, limits[i]!));
    return Math.min(...shares.filter((share) => isWithin(shares.map((each) => each <= share))));
  };
  return {
    none: limits.map(() => ZERO),
    add,
    allows,
    cheapest(spent, claim, alsoKeeps = []): Price {
      const priced = [claim, ...alsoKeeps].flatMap((form) =>
        allCostsOf(form).map((cost) => {
          const total = add(spent, cost);
          return {
            form,
            cost,
            total: allows(total) ? total : undefined,
            share: shareOfLimit(cost),
          };
        })
      );
      if (priced.length === 0) throw uncountable(claim, limit);
      const fitting = priced.filter(({ total }) => total !== undefined);
      return (fitting.length > 0 ? fitting : priced).reduce((a, b) => b.share < a.share ? b : a);
    },
    remaining(spent): Claim {
      // A ledger may have spends that came too late and were not taken back.
      const isKept = allows(spent);
      return remainingClaim(
        ...spent.map((amount, i) => {
          const left = subtract(limits[i]!, amount);
          return isKept && left.numerator > 0n ? left : ZERO;
        }),
      );
    },
  };
}

const ZERO = rational(0);

/** Converts claims to costs, and the remaining amounts back to a claim. */
interface Currency {
  readonly limits: Amounts;
  /** One cost of several, or none for claims that have no price. */
  costsOf(claim: Claim): readonly Amounts[];
  remainingClaim(...left: readonly Rational[]): Claim;
  /** Returns true if it suffices that these amounts are within their limits. Default: all must be. */
  isWithin?(which: readonly boolean[]): boolean;
}

const isEach = (which: readonly boolean[]): boolean => which.every((within) => within);

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

/** Returns an amount's share of the limit, in doubles: used for comparisons only. */
function shareOf(amount: Rational, limit: Rational): number {
  return amount.numerator === 0n ? 0 : toNumber(amount) / toNumber(limit);
}

function currencyOf(limit: Claim, slack: number | undefined): Currency {
  if (slack !== undefined && limit.kind !== "approximate") {
    throw new RangeError(
      `Cannot make a filter: slack must be left out unless the limit is approximate: current value is ${slack}`,
    );
  }
  switch (limit.kind) {
    case "pure":
      return {
        limits: [exactAmount(limit, "epsilon")],
        costsOf: (claim) => isPure(claim) ? [[exactAmount(claim, "epsilon")]] : [],
        remainingClaim: (left = ZERO) => claimLeft(limit, { amount: amountDown(left) }),
      };
    case "approximate":
      return slack === undefined ? basicCurrency(limit) : concentratedCurrency(limit, slack);
    case "zcdp":
      return {
        limits: [exactAmount(limit, "rho")],
        costsOf: (claim) => rhoOf(claim).map((rho) => [rho]),
        remainingClaim: (left = ZERO) => claimLeft(limit, { amount: amountDown(left) }),
      };
    case "renyi":
      return {
        limits: [exactAmount(limit, "epsilon")],
        costsOf: (claim) => {
          const { renyi: known } = lossesOf(claim) ?? {};
          if (known === undefined && claim.kind === "renyi" && claim.order >= limit.order) {
            return [[exactAmount(claim, "epsilon")]];
          }
          const divergence = (known ?? renyiOfClaim(claim))(limit.order);
          return divergence === Infinity ? [] : [[rational(divergence)]];
        },
        remainingClaim: (left = ZERO) => claimLeft(limit, { amount: amountDown(left) }),
      };
    case "gaussian":
      return {
        limits: [square(exactAmount(limit, "mu"))],
        costsOf: (claim) => {
          if (claim.kind === "gaussian") return [[square(exactAmount(claim, "mu"))]];
          const mu = muOf(claim);
          return mu === undefined ? [] : [[square(rational(mu))]];
        },
        remainingClaim: (left = ZERO) => {
          const near = rational(Math.sqrt(toNumber(left)));
          const isLeft = (mu: number): boolean => compare(square(exactOf(mu)), left) <= 0;
          return claimLeft(limit, { amount: largestAmount(near, isLeft) });
        },
      };
  }
}

function basicCurrency(limit: Claim & { kind: "approximate" }): Currency {
  return {
    limits: [exactAmount(limit, "epsilon"), exactAmount(limit, "delta")],
    costsOf: (claim) =>
      claim.kind === "approximate"
        ? [[exactAmount(claim, "epsilon"), exactAmount(claim, "delta")]]
        : claim.kind === "pure"
        ? [[exactAmount(claim, "epsilon"), ZERO]]
        : [],
    remainingClaim: (left = ZERO, leftDelta = ZERO) =>
      claimLeft(limit, { amount: amountDown(left), delta: amountDown(leftDelta) }),
  };
}

/**
 * With slack a spend is allowed if one of two sums stays within its limit: the sum of ρ, whose limit is what converts to ε at the slack, or the sum of ε. A transcript ends before the first spend that
 * would pass both limits, so each is within one of them. P(S) ≤ e^ε·Q(S) for the transcripts that are within the sum of ε, and P(S) ≤ e^ε·Q(S) + slack for the others, since each sum by itself is a
 * filter. A spend counts in both sums by one and the same good event of probability 1 − δ, so that all δ are added once.
 */
function concentratedCurrency(limit: Claim & { kind: "approximate" }, slack: number): Currency {
  const { epsilon, relation } = limit, delta = exactAmount(limit, "delta");
  requireSlack("make a filter", slack);
  if (compare(exactOf(slack), delta) > 0) {
    throw new RangeError(
      `Cannot make a filter: slack must be at most the limit's delta: current value is ${slack}`,
    );
  }
  const most = exactAmount(limit, "epsilon"), beyond = sumOf(most, most);
  return {
    limits: [
      exactOf(largestRho({ epsilon, delta: slack })),
      subtract(delta, exactOf(slack)),
      most,
    ],
    isWithin: ([rho, delta, epsilon]) => (rho || epsilon) === true && delta === true,
    costsOf: (claim) => {
      if (claim.kind !== "approximate") {
        const sum = isPure(claim) ? exactAmount(claim, "epsilon") : beyond;
        return rhoOf(claim).map((rho) => [rho, ZERO, sum]);
      }
      const own = exactAmount(claim, "epsilon"), spared = exactAmount(claim, "delta");
      const known = rhoBesideDelta(claim);
      // That one is by another good event.
      return [
        [halfSquare(own), spared, own],
        ...(known === undefined ? [] : [[rational(known), spared, beyond]]),
      ];
    },
    remainingClaim: (rho = ZERO, leftDelta = ZERO, left = ZERO) =>
      rho.numerator > 0n
        ? zcdp({ rho: amountDown(rho), relation })
        : claimLeft(limit, { amount: amountDown(left), delta: amountDown(leftDelta) }),
  };
}

function isPure(claim: Claim): claim is Claim & { readonly epsilon: number } {
  return claim.kind === "pure" || (claim.kind === "approximate" && claim.delta === 0);
}

function square(value: Rational): Rational {
  return multiply(value, value);
}

/** Half of the square: the ρ of an ε or a μ. */
export function halfSquare(value: Rational): Rational {
  return multiply(rational(1, 2), square(value));
}

/** The exact ρ that a claim implies, if any (Bun, Steinke 2016, Propositions 1.4 and 1.6). */
export function rhoOf(claim: Claim): Rational[] {
  if (claim.kind === "zcdp") return [exactAmount(claim, "rho")];
  if (claim.kind === "gaussian") return [halfSquare(exactAmount(claim, "mu"))];
  return isPure(claim) ? [halfSquare(exactAmount(claim, "epsilon"))] : [];
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
