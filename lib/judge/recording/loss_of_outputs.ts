import type { Claim } from "../../core/claims/claim.ts";
import {
  concentratedLoss,
  deltaOfLaws,
  LEAST_LOG,
  renyiDivergence,
  type TwoLaws,
} from "./two_laws.ts";
import { leastReached } from "../../core/numeric/least_reached.ts";
import { normalTailQuantile } from "../../core/numeric/normal_tail.ts";

/** Returns the least parameter of a claim of this kind that the left one of each of these pairs of laws keeps: ε, ρ or μ; `Infinity` where none does. */
export function parameterOfLaws(laws: readonly TwoLaws[], claim: Claim): number {
  return Math.max(...laws.map((own) => oneWay(own, claim)));
}

function oneWay(laws: TwoLaws, claim: Claim): number {
  const { left, right } = laws;
  const losses = left.flatMap((log, i) => log < LEAST_LOG ? [] : [log - right[i]!]);
  switch (claim.kind) {
    case "pure":
      return Math.max(0, ...losses);
    case "approximate":
      return leastEpsilon(laws, claim.delta);
    case "renyi":
      return Math.max(0, renyiDivergence(laws, claim.order));
    case "zcdp":
      return Math.max(0, concentratedLoss(laws));
    case "gaussian":
      return leastMu(laws);
  }
}

function leastEpsilon(laws: TwoLaws, delta: number): number {
  if (deltaOfLaws(laws, 0) <= delta) return 0;
  return leastReached((epsilon) => deltaOfLaws(laws, epsilon) <= delta, { most: MOST }) ?? Infinity;
}

/** Returns the least μ by the corners of the trade-off curve: between them it is straight, and that of normal laws is convex (Dong, Roth, Su 2022). */
function leastMu({ left, right }: TwoLaws): number {
  const byLoss = left.map((log, i) => [log, right[i]!] as const)
    .toSorted((a, b) => (b[0] - b[1]) - (a[0] - a[1]));
  let power = 0, error = 0, most = 0;
  for (const [log, other] of byLoss) {
    power += Math.exp(log);
    error += Math.exp(other);
    if (error < power - ROUNDING) {
      most = Math.max(most, quantile(error) - quantile(power));
    }
  }
  return most;
}

function quantile(chance: number): number {
  return chance <= 0 ? Infinity : chance >= 1 ? -Infinity : normalTailQuantile(chance);
}

/** Chances are right up to this. */
const ROUNDING = 1e-12;
/** Parameters above this are infinite. */
const MOST = 2 ** 12;
