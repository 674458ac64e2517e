import { requireKnown } from "../../../core/text/known_options.ts";
import {
  approximate,
  type Claim,
  gaussian,
  pure,
  renyi,
  zcdp,
} from "../../../core/claims/claim.ts";
import { requireClaim } from "../../../core/claims/claim_brand.ts";
import {
  addRemoveOne,
  asserted,
  canonicalRelation,
  type Relation,
  replaceOne,
  sameRow,
} from "../../../core/relations/relation.ts";
import { requireFields, requireInteger } from "../../../core/numeric/require.ts";
import { roundUp } from "../../../core/numeric/round_outward.ts";
import type { Dataset } from "../../../core/relations/dataset.ts";

/** The size of a group, and when its datasets are neighbours if `claim.relation` is one of your own. */
export interface GroupOptions {
  /** Largest distance of the datasets, in neighbouring steps. */
  readonly size: number;
  /** When two datasets are that far apart; known for replace-one, add-remove-one and asserted. */
  readonly relation?: Relation;
}

const RELATIVE_ERROR = 1e-14;

/**
 * Returns the claim that a mechanism satisfies for datasets that are `size` neighbouring steps apart:
 * - ε-DP is size·ε-DP (Dwork, Roth 2014, Theorem 2.2);
 * - (ε, δ)-DP is (size·ε, δ·(e^(size·ε) − 1)/(e^ε − 1))-DP, the sum of δ·e^(iε) along the steps;
 * - ρ-zCDP is size²·ρ-zCDP (Bun, Steinke 2016, Proposition 1.9);
 * - μ-GDP is size·μ-GDP (Dong, Roth, Su 2022);
 * - (order, ε)-Rényi privacy is (order/2^c, 3^c·ε)-Rényi privacy for size ≤ 2^c and order ≥ 2^(c+1)
 *   (Mironov 2017, Proposition 2).
 *
 * A group of one keeps the claim as it is. Losses are rounded up. Not to be confused with composition,
 * which is about many mechanisms and grows more slowly.
 *
 * @throws {RangeError} when size is not a positive integer, when the group's δ would reach 1, when the
 * order is too small, or when the relation has no known groups and none is given.
 *
 * @example
 * ```ts
 * import { pure } from "../../../core/claims/claim.ts";
 * import { replaceOne } from "../../../core/relations/relation.ts";
 * import { groupPrivacy } from "./group_privacy.ts";
 * groupPrivacy(pure({ epsilon: 0.1, relation: replaceOne }), { size: 3 }); // 0.3-DP, up to 3 rows
 * ```
 */
export function groupPrivacy(claim: Claim, options: GroupOptions): Claim {
  const { size, relation: given } = requireFields("groupPrivacy", options, {
    relation: "relation?",
  });
  requireKnown("call groupPrivacy()", options, ["size", "relation"]);
  requireClaim("protect a group", claim);
  requireInteger("protect a group", "size", size, { min: 1 });
  if (size === 1) return claim;
  const relation = given ?? groupRelation(claim.relation, size);
  const up = (value: number): number => roundUp(value, { relativeError: RELATIVE_ERROR });
  switch (claim.kind) {
    case "pure":
      return pure({ epsilon: up(size * claim.epsilon), relation });
    case "approximate":
      return approximate({
        epsilon: up(size * claim.epsilon),
        delta: groupDelta(claim, size),
        relation,
      });
    case "zcdp":
      return zcdp({ rho: up(size * size * claim.rho), relation });
    case "gaussian":
      return gaussian({ mu: up(size * claim.mu), relation });
    case "renyi": {
      const doublings = Math.ceil(Math.log2(size));
      if (claim.order < 2 ** (doublings + 1)) {
        throw new RangeError(
          `Cannot protect a group: order must be at least ${2 ** (doublings + 1)} for this size: ` +
            `current value is ${claim.order}`,
        );
      }
      return renyi({
        order: claim.order / 2 ** doublings, // exact
        epsilon: up(3 ** doublings * claim.epsilon),
        relation,
      });
    }
  }
}

function groupDelta({ epsilon, delta }: { epsilon: number; delta: number }, size: number): number {
  const sum = roundUp((delta * Math.expm1(size * epsilon)) / Math.expm1(epsilon), {
    relativeError: RELATIVE_ERROR * (1 + size * epsilon),
  });
  if (!(sum < 1)) {
    throw new RangeError(
      `Cannot protect a group: the group's delta must be below 1: current value is ${sum}`,
    );
  }
  return sum;
}

/** Datasets that `size` steps of a relation can join. */
function groupRelation(relation: Relation, size: number): Relation {
  const known = GROUPS[relation.name];
  if (relation === asserted) return asserted;
  if (known === undefined || known.relation !== relation) {
    throw new RangeError(
      `Cannot protect a group: relation must be given for groups under ${relation.name}: ` +
        "current value is undefined",
    );
  }
  return canonicalRelation({
    name: `${relation.name}-group-of-${size}`,
    description: `up to ${size} times, ${relation.description}`,
    violation: (left, right) =>
      known.within(left, right, size)
        ? undefined
        : `the two sides must be at most ${size} such steps apart`,
  });
}

interface KnownGroup {
  readonly relation: Relation;
  within(left: Dataset, right: Dataset, size: number): boolean;
}

const GROUPS: Readonly<Record<string, KnownGroup>> = {
  [replaceOne.name]: {
    relation: replaceOne,
    within: (left, right, size) =>
      left.length === right.length &&
      left.filter((row, i) => !sameRow(row, right[i])).length <= size,
  },
  [addRemoveOne.name]: { relation: addRemoveOne, within: editsWithin },
};

/**
 * Returns true if rows can be inserted and deleted at most `size` times to make one dataset of the other:
 * furthest-reaching paths by diagonal (Myers 1986).
 */
function editsWithin(left: Dataset, right: Dataset, size: number): boolean {
  const furthest = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= size; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const below = furthest.get(diagonal + 1) ?? -1, before = furthest.get(diagonal - 1) ?? -1;
      let x = diagonal === -edits || (diagonal !== edits && before < below) ? below : before + 1;
      while (
        x < left.length && x - diagonal < right.length && sameRow(left[x], right[x - diagonal])
      ) x++;
      furthest.set(diagonal, x);
      if (x >= left.length && x - diagonal >= right.length) return true;
    }
  }
  return false;
}
