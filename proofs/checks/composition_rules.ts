import {
  advancedComposition,
  advancedEpsilonOfEach,
  corollaryEpsilonOfEach,
} from "../../lib/accounting/advanced_composition.ts";
import { basicComposition } from "../../lib/accounting/basic_composition.ts";
import { groupPrivacy } from "../../lib/accounting/group_privacy.ts";
import { kairouzComposition } from "../../lib/accounting/kairouz_composition.ts";
import { optimalDelta, optimalEpsilon } from "../../lib/accounting/optimal_composition.ts";
import { pureRenyi, renyiEpsilon } from "../../lib/accounting/renyi.ts";
import { share } from "../../lib/accounting/share.ts";
import { subsampledParameters } from "../../lib/accounting/subsampling.ts";
import { zcdpOfClaim } from "../../lib/accounting/zcdp.ts";
import { approximate, gaussian, pure, renyi, zcdp } from "../../lib/core/claim.ts";
import { addRemoveOne, changeEach, replaceOne as relation } from "../../lib/core/relation.ts";
import { requireEqual, requireNear, requireRefused, requireThat } from "../engine/requirement.ts";

/** For rules in closed form. */
export const shipped = {
  kairouzComposition,
  advancedComposition,
  groupPrivacy,
  renyiEpsilon,
  zcdpOfClaim,
  subsampledParameters,
  pureRenyi,
};

/** For rules in closed form. */
export type Rules = typeof shipped;

/** A bound that is rounded up: not below what is stated, and above it by no more than a rounding. */
export function requireUp(value: number, stated: number, what: string, relative = 1e-11): void {
  requireNear(value, stated, { what, relative });
  // The formula here is itself rounded, by less than 16 units in the last place.
  requireThat(value >= stated * (1 - 2 ** -48), () => `${what}: ${value} is below ${stated}`);
}

/** Kahan's sum. */
function compensated(values: readonly number[]): number {
  let sum = 0, carry = 0;
  for (const value of values) {
    const term = value - carry, next = sum + term;
    carry = (next - sum) - term;
    sum = next;
  }
  return sum;
}

/** For rules in closed form. */
export function requireComposition({ kairouzComposition, advancedComposition }: Rules): void {
  const families = [
    [{ epsilon: 0.1 }, { epsilon: 0.2, delta: 1e-3 }, ...Array(98).fill({ epsilon: 0.1 })],
    Array(5).fill({ epsilon: 1.3, delta: 0.01 }),
    [{ epsilon: 0.7, delta: 0.2 }],
    Array(3000).fill({ epsilon: 0.013 }),
  ];
  for (const parts of families as { epsilon: number; delta?: number }[][]) {
    const sum = compensated(parts.map(({ epsilon }) => epsilon));
    const deltas = parts.reduce((total, { delta = 0 }) => total + delta, 0);
    const basic = basicComposition(parts);
    requireUp(basic.epsilon, sum, "Σε");
    requireUp(basic.delta, deltas, "Σδ");
    for (const slack of [0.4, 1e-3, 1e-8]) {
      let drift = 0, squares = 0, lost = slack;
      for (const { epsilon, delta = 0 } of parts) {
        drift += epsilon * (Math.exp(epsilon) - 1) / (Math.exp(epsilon) + 1);
        squares += epsilon ** 2;
        lost += (1 - lost) * delta;
      }
      const spread = Math.min(
        Math.sqrt(2 * squares * Math.log(1 / slack)),
        Math.sqrt(2 * squares * Math.log(Math.E + Math.sqrt(squares) / slack)),
      );
      const total = kairouzComposition(parts, { slack });
      requireUp(total.epsilon, Math.min(sum, drift + spread), "ε of Kairouz et al.", 1e-10);
      requireNear(total.delta, lost, { what: "δ of Kairouz et al.", relative: 1e-11 });
    }
  }
  requireEqual(kairouzComposition([], { slack: 0.1 }).epsilon, 0);
  requireEqual(basicComposition([{ epsilon: 1, delta: 0.7 }, { epsilon: 1, delta: 0.7 }]).delta, 1);
  for (
    const [epsilon, count, slack, delta] of [[0.1, 100, 1e-6, 0], [0.3, 7, 0.01, 1e-4], [
      1,
      1,
      0.5,
      0.1,
    ]] as const
  ) {
    const root = Math.sqrt(2 * count * Math.log(1 / slack)) * epsilon;
    const found = advancedComposition({ epsilon, delta }, { count, slack });
    requireUp(found.epsilon, root + count * epsilon * Math.expm1(epsilon), "ε′ of Dwork and Roth");
    requireUp(found.delta, count * delta + slack, "kδ + δ′");
    requireUp(advancedComposition({ epsilon }, { count, slack }).delta, slack, "δ′ alone");
    requireUp(
      advancedComposition({ epsilon, delta }, { count, slack, form: "tanh" }).epsilon,
      root + count * epsilon * Math.tanh(epsilon / 2),
      "ε′ with the smaller drift",
    );
    for (const form of ["dwork-roth", "tanh"] as const) {
      const each = advancedEpsilonOfEach({ epsilon, count, slack, form });
      requireThat(
        advancedComposition({ epsilon: each }, { count, slack, form }).epsilon <= epsilon,
        "a share that is too large",
      );
      requireNear(
        advancedComposition({ epsilon: each * (1 + 1e-12) }, { count, slack, form }).epsilon,
        epsilon,
        { relative: 1e-11 },
      );
    }
  }
  requireEqual(advancedComposition({ epsilon: 1, delta: 0.1 }, { count: 0, slack: 0.1 }), {
    epsilon: 0,
    delta: 0,
  });
  requireEqual(advancedComposition({ epsilon: 1, delta: 0.5 }, { count: 3, slack: 0.1 }).delta, 1);
  // ε/(2·√(2k·ln(1/δ′))), where it follows from the theorem.
  requireNear(
    corollaryEpsilonOfEach({ epsilon: 1, count: 100, slack: 1e-6 }),
    1 / (2 * Math.sqrt(200 * Math.log(1e6))),
    { relative: 1e-12 },
  );
  requireRefused(
    "a slack for which the corollary does not follow",
    () => corollaryEpsilonOfEach({ epsilon: 1, count: 1, slack: 0.9 }),
    "slack must be small",
  );
  // The least ε of a composition is where its δ is reached.
  for (const part of [{ epsilon: 0.2, count: 30 }, { epsilon: 1, delta: 1e-4, count: 4 }]) {
    const epsilon = optimalEpsilon([part], { delta: 2e-3 })!;
    requireThat(
      optimalDelta([part], { epsilon: epsilon * (1 + 1e-9) }) <= 2e-3 * (1 + 1e-9),
      "δ at the least ε",
    );
    requireThat(optimalDelta([part], { epsilon: epsilon * 0.9999 }) > 2e-3, "δ below the least ε");
  }
  for (const [amount, parts] of [[1, 3], [0.1, 7], [5, 1], [1e-300, 9]] as const) {
    const each = share(amount, parts);
    requireNear(each, amount / parts, { relative: 4e-16 });
    requireThat(
      basicComposition(Array(parts).fill({ epsilon: each })).epsilon <= amount * (1 + 2 ** -52),
      "shares that add up to more",
    );
  }
}

/** Rows that are inserted and deleted: of all lists of up to five rows of two kinds, by their longest common part. */
function requireEdits(groupPrivacy: Rules["groupPrivacy"]): void {
  const lists = Array.from({ length: 63 }, (_, i) => (i + 1).toString(2).slice(1));
  const common = (a: string, b: string): number => {
    let last = new Array<number>(b.length + 1).fill(0);
    for (const letter of a) {
      const next = [0];
      for (let j = 0; j < b.length; j++) {
        next.push(letter === b[j] ? last[j]! + 1 : Math.max(last[j + 1]!, next[j]!));
      }
      last = next;
    }
    return last[b.length]!;
  };
  const groups = [2, 3, 5].map((size) => ({
    size,
    relation: groupPrivacy(pure({ epsilon: 1, relation: addRemoveOne }), { size }).relation,
  }));
  for (const a of lists) {
    for (const b of lists) {
      const edits = a.length + b.length - 2 * common(a, b);
      for (const { size, relation } of groups) {
        requireThat(
          (relation.violation([...a], [...b]) === undefined) === edits <= size,
          () => `${a} and ${b}, ${edits} edits apart, in a group of ${size}`,
        );
      }
    }
  }
}

/** For rules in closed form. */
export function requireGroups(groupPrivacy: Rules["groupPrivacy"]): void {
  for (const size of [1, 2, 3, 5]) {
    const group = (claim: Parameters<typeof groupPrivacy>[0]): Record<string, unknown> =>
      groupPrivacy(claim, { size }) as never;
    requireUp(group(pure({ epsilon: 0.7, relation }))["epsilon"] as number, 0.7 * size, "kε");
    requireUp(group(zcdp({ rho: 0.3, relation }))["rho"] as number, 0.3 * size ** 2, "k²ρ");
    requireUp(group(gaussian({ mu: 0.4, relation }))["mu"] as number, 0.4 * size, "kμ");
    const both = group(approximate({ epsilon: 0.5, delta: 1e-4, relation }));
    let delta = 0;
    for (let k = 0; k < size; k++) delta += 1e-4 * Math.exp(0.5 * k);
    requireUp(both["epsilon"] as number, 0.5 * size, "kε");
    requireUp(both["delta"] as number, delta, "δ·Σe^(jε)");
    const doublings = Math.ceil(Math.log2(size));
    const curve = group(renyi({ order: 16, epsilon: 0.2, relation }));
    requireEqual(curve["order"], 16 / 2 ** doublings, "order");
    requireUp(curve["epsilon"] as number, 0.2 * 3 ** doublings, "3^c·ε");
    requireEqual(
      (group(pure({ epsilon: 1, relation }))["relation"] as { name: string }).name,
      size === 1 ? relation.name : `replace-one-group-of-${size}`,
    );
  }
  requireRefused(
    "an order that is too small",
    () => groupPrivacy(renyi({ order: 7.9, epsilon: 0.1, relation }), { size: 3 }),
    "order must be at least 8",
  );
  groupPrivacy(renyi({ order: 8, epsilon: 0.1, relation }), { size: 3 });
  requireRefused(
    "a δ of 1",
    () => groupPrivacy(approximate({ epsilon: 2, delta: 0.1, relation }), { size: 4 }),
    "delta must be below 1",
  );
  requireRefused(
    "a group of none",
    () => groupPrivacy(pure({ epsilon: 1, relation }), { size: 0 }),
  );
  requireRefused(
    "another relation",
    () => groupPrivacy(pure({ epsilon: 1, relation: changeEach({ by: 1 }) }), { size: 2 }),
    "relation must be given",
  );
  requireEdits(groupPrivacy);
  // Which datasets are a group apart.
  const replaced = groupPrivacy(pure({ epsilon: 1, relation }), { size: 2 }).relation;
  const added = groupPrivacy(pure({ epsilon: 1, relation: addRemoveOne }), { size: 2 }).relation;
  const apart = (of: typeof relation, left: number[], right: number[]): boolean =>
    of.violation(left, right) === undefined;
  requireEqual([
    apart(replaced, [1, 2, 3], [1, 9, 8]),
    apart(replaced, [1, 2, 3], [7, 9, 8]),
    apart(replaced, [1], [1, 2]),
    apart(replaced, [1, 2], [1, 2]),
  ], [true, false, false, true]);
  requireEqual(
    [
      [[1, 2], [1, 2, 3, 4]],
      [[1, 2], [2, 5]],
      [[], [1, 2]],
      [[1, 2, 3], [3]],
      [[1, 2, 3], [4, 5, 1, 2]],
      [[], [1, 2, 3]],
      [[1, 2], [3, 4]],
      [[1, 2, 3, 4], [2, 3, 4, 5]],
    ].map(([left, right]) => apart(added, left!, right!)),
    [true, true, true, true, false, false, false, true],
  );
}
