import type { FilterOptions, privacyFilter } from "../../lib/accounting/privacy_filter.ts";
import { renyiOfClaim } from "../../lib/accounting/renyi.ts";
import { largestRho } from "../../lib/accounting/zcdp.ts";
import {
  approximate,
  type Claim,
  deltaAt,
  gaussian,
  pure,
  renyi,
  zcdp,
} from "../../lib/core/claim.ts";
import { replaceOne as relation } from "../../lib/core/relation.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireRefused, requireThat } from "../engine/requirement.ts";

/** Makes a filter. */
export type Filter = (limit: Claim, options?: FilterOptions) => ReturnType<typeof privacyFilter>;

/** Claims of all kinds under one relation. */
export const claims = [
  pure({ epsilon: 0.125, relation }),
  pure({ epsilon: 0.3, relation }),
  approximate({ epsilon: 0.2, delta: 1e-7, relation }),
  approximate({ epsilon: 0.4, delta: 0, relation }),
  zcdp({ rho: 0.01, relation }),
  gaussian({ mu: 0.2, relation }),
  renyi({ order: 8, epsilon: 0.05, relation }),
] as const;

const epsilonOf = (claim: Claim): number => (claim as { epsilon: number }).epsilon;

/** What a claim costs against a limit, by the rule that is named; nothing where it cannot be counted. */
function priceOf(claim: Claim, limit: Claim, slack: number | undefined): number | undefined {
  const isPure = claim.kind === "pure" || claim.kind === "approximate" && claim.delta === 0;
  const rho = isPure
    ? epsilonOf(claim) ** 2 / 2
    : claim.kind === "zcdp"
    ? claim.rho
    : claim.kind === "gaussian"
    ? claim.mu ** 2 / 2
    : undefined;
  switch (limit.kind) {
    case "pure":
      return isPure ? epsilonOf(claim) : undefined;
    case "approximate":
      if (slack !== undefined) return claim.kind === "approximate" ? claim.epsilon ** 2 / 2 : rho;
      return isPure || claim.kind === "approximate" ? epsilonOf(claim) : undefined;
    case "zcdp":
      return rho;
    case "renyi": {
      const divergence = renyiOfClaim(claim)(limit.order);
      return divergence === Infinity ? undefined : divergence;
    }
    case "gaussian":
      if (claim.kind === "gaussian") return claim.mu ** 2;
      return isPure ? leastMu(epsilonOf(claim)) ** 2 : undefined;
  }
}

/** The μ whose Gaussian trade-off has e^ε-DP's δ at 0: 2Φ(μ/2) − 1 = tanh(ε/2). */
function leastMu(epsilon: number): number {
  let low = 0, high = 40;
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (deltaAt(gaussian({ mu: Math.max(middle, 1e-12), relation }), 0) < Math.tanh(epsilon / 2)) {
      low = middle;
    } else high = middle;
  }
  return high;
}

/** Limits, and what they hold by that rule. */
export const limits: readonly (readonly [Claim, number | undefined, number])[] = [
  [pure({ epsilon: 1, relation }), undefined, 1],
  [approximate({ epsilon: 1, delta: 1e-6, relation }), undefined, 1],
  [
    approximate({ epsilon: 1, delta: 1e-6, relation }),
    4e-7,
    largestRho({ epsilon: 1, delta: 4e-7 }),
  ],
  [zcdp({ rho: 0.2, relation }), undefined, 0.2],
  [renyi({ order: 6, epsilon: 0.5, relation }), undefined, 0.5],
  [gaussian({ mu: 1.1, relation }), undefined, 1.21],
];

/** For budgets. */
export function requireFilters(filter: Filter, seed: number): void {
  for (const [limit, slack, holds] of limits) {
    const source = new SeededSource(seed).split(`${limit.kind}${slack}`);
    let current = filter(limit, slack === undefined ? {} : { slack });
    requireThat(current.limit === limit, "the limit");
    let spent = 0, spentDelta = 0, taken = 0, refused = 0;
    const mostDelta = limit.kind === "approximate" ? limit.delta - (slack ?? 0) : Infinity;
    for (let k = 0; k < 60; k++) {
      const claim = claims[source.uint32() % claims.length]!;
      const price = priceOf(claim, limit, slack);
      if (price === undefined) {
        requireRefused(
          `${claim.kind} against ${limit.kind}`,
          () => current.after(claim),
          "Cannot spend",
        );
        continue;
      }
      const delta = claim.kind === "approximate" ? claim.delta : 0;
      const after = current.after(claim);
      const room = 1e-9 * holds;
      const fits = spent + price <= holds && spentDelta + delta <= mostDelta * (1 + 1e-12);
      // Within a rounding of the limit either answer is right.
      if (Math.abs(spent + price - holds) > room) {
        requireEqual(
          after !== undefined,
          fits,
          `${claim.kind} against ${limit.kind} after ${spent} of ${holds}`,
        );
      }
      if (after === undefined) {
        refused++;
        continue;
      }
      current = after;
      spent += price;
      spentDelta += delta;
      taken++;
      requireRemaining(current.remaining, limit, {
        left: holds - spent,
        leftDelta: mostDelta - spentDelta,
        slack,
      });
    }
    requireThat(taken > 1 && refused > 2, `${limit.kind}: ${taken} taken, ${refused} refused`);
  }
  // Nothing is left of a limit that is spent whole.
  for (
    const whole of [
      renyi({ order: 4, epsilon: 0.125, relation }),
      zcdp({ rho: 0.125, relation }),
      gaussian({ mu: 0.125, relation }),
    ]
  ) {
    requireEqual(filter(whole).after(whole)!.remaining, undefined, `what is left of ${whole.kind}`);
  }
  const eighth = pure({ epsilon: 0.125, relation });
  let current = filter(pure({ epsilon: 1, relation }));
  for (let k = 0; k < 8; k++) current = current.after(eighth)!;
  requireEqual([current.remaining, current.after(pure({ epsilon: Number.MIN_VALUE, relation }))], [
    undefined,
    undefined,
  ]);
}

function requireRemaining(
  remaining: Claim | undefined,
  limit: Claim,
  { left, leftDelta, slack }: { left: number; leftDelta: number; slack: number | undefined },
): void {
  if (left < 1e-9) return;
  const shown = remaining as unknown as Record<string, number> | undefined;
  requireThat(shown !== undefined, `nothing is left of ${limit.kind}`);
  const near = (value: number, stated: number): void =>
    requireNear(value, stated, {
      relative: 1e-6,
      absolute: 1e-9,
      what: `what is left of ${limit.kind}`,
    });
  switch (limit.kind) {
    case "pure":
      return near(shown["epsilon"]!, left);
    case "approximate":
      if (slack !== undefined) return near(shown["rho"]!, left);
      near(shown["epsilon"]!, left);
      return requireNear(shown["delta"]!, leftDelta, { relative: 1e-6, absolute: 1e-20 });
    case "zcdp":
      return near(shown["rho"]!, left);
    case "renyi":
      requireEqual(shown["order"], limit.order);
      return near(shown["epsilon"]!, left);
    case "gaussian":
      return near(shown["mu"]!, Math.sqrt(left));
  }
}
