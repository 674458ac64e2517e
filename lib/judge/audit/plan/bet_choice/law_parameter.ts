import type { Claim } from "../../../../core/claims/claim.ts";
import { normalTailQuantile } from "../../../../core/numeric/normal_tail.ts";
import { type LeafLaw, mirrored } from "../../kernel/betting/leaf_law.ts";
import { largestParameter } from "../../kernel/betting/largest_parameter.ts";

/** Orders at which concentrated claims are looked at, and bet on. */
export const CONCENTRATED_ORDERS: readonly number[] = [1.05, 1.5, 2.5, 5, 12, 33];

/**
 * Returns the least parameter with which a claim of this kind (and this δ or order) holds for a law; concentrated claims at some
 * orders.
 */
export function parameterOfLaw(law: LeafLaw, claim: Claim): number {
  return Math.max(...[law, mirrored(law)].map((own) => parameterOneWay(own, claim)));
}

function parameterOneWay(law: LeafLaw, claim: Claim): number {
  switch (claim.kind) {
    case "pure":
    case "approximate": {
      const delta = claim.kind === "pure" ? 0 : claim.delta;
      return largestParameter((epsilon) => excessOf(law, epsilon) > delta, claim.epsilon);
    }
    case "renyi":
      return divergenceOf(law, claim.order);
    case "zcdp":
      return Math.max(...CONCENTRATED_ORDERS.map((order) => divergenceOf(law, order) / order));
    case "gaussian":
      return gaussianMu(law);
  }
}

/** Returns the largest P(S) − e^epsilon·Q(S) over sets S of cells. */
function excessOf({ left, right }: LeafLaw, epsilon: number): number {
  const growth = Math.exp(epsilon);
  return right.reduce(
    (sum, p, i) => sum + Math.max(0, p - (left[i]! === 0 ? 0 : growth * left[i]!)),
    0,
  );
}

/** Returns D_order of the right law from the left one. */
function divergenceOf({ left, right }: LeafLaw, order: number): number {
  const sum = right.reduce(
    (total, p, i) => p === 0 ? total : total + p * Math.exp((order - 1) * Math.log(p / left[i]!)),
    0,
  );
  return Math.log(sum) / (order - 1);
}

/** Returns the largest distance of the two normal quantiles over sets of the cells of largest ratio. */
function gaussianMu({ left, right }: LeafLaw): number {
  const order = [...left.keys()].sort((a, b) => right[b]! * left[a]! - right[a]! * left[b]!);
  let p = 0, q = 0, most = 0;
  for (const i of order) {
    p += right[i]!;
    q += left[i]!;
    if (p > 0 && p < 1 && q > 0 && q < 1) {
      most = Math.max(most, normalTailQuantile(q) - normalTailQuantile(p));
    }
  }
  return most;
}
