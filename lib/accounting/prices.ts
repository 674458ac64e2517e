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

/** Amounts of what a limit counts, in its order: ε, or ε and δ, ρ, ρ and δ, or μ². */
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
  const { limits, costOf, remainingClaim } = currencyOf(limit, slack);
  const add = (spent: Amounts, cost: Amounts): Amounts =>
    spent.map((amount, i) => addDyadics(amount, cost[i]!));
  const allows = (total: Amounts): boolean =>
    total.every((amount, i) => atMost(amount, limits[i]!));
  // A claim that keeps its losses has several prices, for other claims follow from them.
  const costsOf = (claim: Claim): Amounts[] => {
    requireClaim("spend", claim);
    requireRelation("spend", claim, { relation: limit.relation });
    return [claim, ...(lossesOf(claim)?.alsoKeeps ?? [])].flatMap((form) => {
      const cost = costOf(form);
      return cost === undefined ? [] : [cost];
    });
  };
  return {
    none: limits.map(() => zeroDyadic),
    add,
    allows,
    cheapest(spent, claim, alsoKeeps = []): Price {
      const priced = [claim, ...alsoKeeps].flatMap((form) =>
        costsOf(form).map((cost) => {
          const total = add(spent, cost);
          const share = Math.max(...cost.map((amount, i) => shareOf(amount, limits[i]!)));
          return { form, cost, total: allows(total) ? total : undefined, share };
        })
      );
      if (priced.length === 0) throw uncountable(claim, limit);
      const fitting = priced.filter(({ total }) => total !== undefined);
      return (fitting.length > 0 ? fitting : priced).reduce((a, b) => b.share < a.share ? b : a);
    },
    remaining(spent): Claim | undefined {
      // A ledger may have spends that came too late and were not taken back.
      if (!allows(spent)) return undefined;
      const [left, leftDelta] = spent.map((amount, i) =>
        dyadicToNumberDown(subtractDyadics(limits[i]!, amount))
      );
      return remainingClaim(left!, leftDelta!);
    },
  };
}

/** What a claim costs, and how what is left reads as a claim again. All amounts must stay within. */
interface Currency {
  readonly limits: Amounts;
  /** `undefined` for claims that have no price. */
  costOf(claim: Claim): Amounts | undefined;
  remainingClaim(left: number, leftDelta: number): Claim | undefined;
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
