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

/** Amounts of what a limit counts, in its order: ε, or ε and δ, ρ, or μ²; with slack ρ, δ and ε. */
export type Amounts = readonly Dyadic[];

/** What is paid for an output. */
export interface Price {
  /** The claim that is paid for, of those that hold of the output. */
  readonly form: Claim;
  readonly cost: Amounts;
  /** What is spent then; `undefined` where that would exceed the limit. */
  readonly total: Amounts | undefined;
}

/** What claims cost of a limit. */
export interface Prices {
  /** Nothing spent. */
  readonly none: Amounts;
  /** What is spent together, whether or not it is within the limit. */
  add(spent: Amounts, cost: Amounts): Amounts;
  /** Whether so much is within the limit. */
  allows(total: Amounts): boolean;
  /**
   * Of a claim and others that hold of the same output, the one that fits and takes the least share of the limit (of ε, δ, ρ or μ²,
   * whichever it takes most of).
   *
   * @throws {TypeError} when claims of this kind cannot be counted against the limit, or no constructor made it.
   * @throws {RangeError} when the claim is about another relation than the limit.
   */
  cheapest(spent: Amounts, claim: Claim, alsoKeeps?: readonly Claim[]): Price;
  /** The largest claim that would still fit, of the kind that adds up; `undefined` if none does. */
  remaining(spent: Amounts): Claim | undefined;
}

/** The prices of claims under a limit; for `slack` see {@linkcode FilterOptions}. */
export function pricesUnder(
  limit: Claim,
  { slack }: { readonly slack?: number | undefined },
): Prices {
  requireClaim("make a filter", limit);
  const { limits, costsOf, remainingClaim, isWithin = isEach } = currencyOf(limit, slack);
  const add = (spent: Amounts, cost: Amounts): Amounts =>
    spent.map((amount, i) => addDyadics(amount, cost[i]!));
  const allows = (total: Amounts): boolean =>
    isWithin(total.map((amount, i) => atMost(amount, limits[i]!)));
  // A claim that keeps its losses has several prices, for other claims follow from them.
  const allCostsOf = (claim: Claim): Amounts[] => {
    requireClaim("spend", claim);
    requireRelation("spend", claim, { relation: limit.relation });
    return [claim, ...(lossesOf(claim)?.alsoKeeps ?? [])].flatMap((form) => costsOf(form));
  };
  // Of the least that must be within.
  const shareOfLimit = (cost: Amounts): number => {
    const shares = cost.map((amount, i) => shareOf(amount, limits[i]!));
    return Math.min(...shares.filter((share) => isWithin(shares.map((each) => each <= share))));
  };
  return {
    none: limits.map(() => zeroDyadic),
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
    remaining(spent): Claim | undefined {
      // A ledger may have spends that came too late and were not taken back.
      if (!allows(spent)) return undefined;
      return remainingClaim(
        ...spent.map((amount, i) => dyadicToNumberDown(subtractDyadics(limits[i]!, amount))),
      );
    },
  };
}

/** What a claim costs, and how what is left reads as a claim again. */
interface Currency {
  readonly limits: Amounts;
  /** One cost of several, or none for claims that have no price. */
  costsOf(claim: Claim): readonly Amounts[];
  remainingClaim(...left: readonly number[]): Claim | undefined;
  /** Whether it is enough that these amounts are within their limits; all of them, where this is left out. */
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
        costsOf: (claim) => isPure(claim) ? [[amountOf(claim, "epsilon")]] : [],
        remainingClaim: (epsilon = 0) => epsilon > 0 ? pure({ epsilon, relation }) : undefined,
      };
    case "approximate":
      return slack === undefined ? basicCurrency(limit) : concentratedCurrency(limit, slack);
    case "zcdp":
      return {
        limits: [amountOf(limit, "rho")],
        costsOf: (claim) => rhoOf(claim).map((rho) => [rho]),
        remainingClaim: (rho = 0) => rho > 0 ? zcdp({ rho, relation }) : undefined,
      };
    case "renyi":
      return {
        limits: [amountOf(limit, "epsilon")],
        costsOf: (claim) => {
          const { renyi: known } = lossesOf(claim) ?? {};
          const divergence = (known ?? renyiOfClaim(claim))(limit.order);
          return divergence === Infinity ? [] : [[dyadicOf(divergence)]];
        },
        remainingClaim: (epsilon = 0) =>
          epsilon > 0 ? renyi({ order: limit.order, epsilon, relation }) : undefined,
      };
    case "gaussian":
      return {
        limits: [square(amountOf(limit, "mu"))],
        costsOf: (claim) => {
          if (claim.kind === "gaussian") return [[square(amountOf(claim, "mu"))]];
          const mu = muOf(claim);
          return mu === undefined ? [] : [[square(dyadicOf(mu))]];
        },
        remainingClaim: (squared = 0) => {
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
    costsOf: (claim) =>
      claim.kind === "approximate"
        ? [[amountOf(claim, "epsilon"), amountOf(claim, "delta")]]
        : claim.kind === "pure"
        ? [[amountOf(claim, "epsilon"), zeroDyadic]]
        : [],
    remainingClaim: (left = 0, leftDelta = 0) =>
      left > 0 ? approximate({ epsilon: left, delta: leftDelta, relation }) : undefined,
  };
}

/**
 * With slack either of two sums must stay within: that of ρ, within what converts to ε at the slack, or that of ε. Either is enough, transcript by transcript: stopped before the first spend that
 * would pass its limit, each is a filter of its own, by which P(S) ≤ e^ε·Q(S) for the transcripts within the sum of ε, and e^ε·Q(S) + slack for the others. A spend counts in both by one and the same
 * good event of probability 1 − δ, so that all δ are added once.
 */
function concentratedCurrency(limit: Claim & { kind: "approximate" }, slack: number): Currency {
  const { epsilon, delta, relation } = limit;
  requireSlack("make a filter", slack);
  if (slack > delta) {
    throw new RangeError(
      `Cannot make a filter: slack must be at most the limit's delta: current value is ${slack}`,
    );
  }
  const most = amountOf(limit, "epsilon"), beyond = addDyadics(most, most);
  return {
    limits: [
      dyadicOf(largestRho({ epsilon, delta: slack })),
      subtractDyadics(amountOf(limit, "delta"), dyadicOf(slack)),
      most,
    ],
    isWithin: ([rho, delta, epsilon]) => (rho || epsilon) === true && delta === true,
    costsOf: (claim) => {
      if (claim.kind !== "approximate") {
        const sum = isPure(claim) ? amountOf(claim, "epsilon") : beyond;
        return rhoOf(claim).map((rho) => [rho, zeroDyadic, sum]);
      }
      const own = amountOf(claim, "epsilon"), spared = amountOf(claim, "delta");
      const known = rhoBesideDelta(claim);
      // That one is by another good event.
      return [
        [halfSquare(own), spared, own],
        ...(known === undefined ? [] : [[dyadicOf(known), spared, beyond]]),
      ];
    },
    remainingClaim: (rho = 0, leftDelta = 0, left = 0) =>
      rho > 0
        ? zcdp({ rho, relation })
        : left > 0
        ? approximate({ epsilon: left, delta: leftDelta, relation })
        : undefined,
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

/** The exact ρ that a claim implies, if any (Bun, Steinke 2016, Propositions 1.4 and 1.6). */
function rhoOf(claim: Claim): Dyadic[] {
  if (claim.kind === "zcdp") return [amountOf(claim, "rho")];
  if (claim.kind === "gaussian") return [halfSquare(amountOf(claim, "mu"))];
  return isPure(claim) ? [halfSquare(amountOf(claim, "epsilon"))] : [];
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
