import {
  advancedComposition,
  advancedEpsilonOfEach,
  corollaryEpsilonOfEach,
} from "../../lib/accounting/advanced_composition.ts";
import { groupPrivacy } from "../../lib/accounting/group_privacy.ts";
import { kairouzComposition } from "../../lib/accounting/kairouz_composition.ts";
import {
  composeMeanConcentrated,
  meanConcentratedEpsilon,
  meanConcentratedOfGaussian,
  meanConcentratedOfPure,
  zcdpOfMeanConcentrated,
} from "../../lib/accounting/mean_concentrated.ts";
import { composeRenyi, gaussianRenyi, renyiDelta, zcdpRenyi } from "../../lib/accounting/renyi.ts";
import { subsampledParameters } from "../../lib/accounting/subsampling.ts";
import { zcdpEpsilon, zcdpOfClaim } from "../../lib/accounting/zcdp.ts";
import { approximate, gaussian, pure, renyi, zcdp } from "../../lib/core/claim.ts";
import { replaceOne as relation } from "../../lib/core/relation.ts";
import { requireThat } from "../engine/requirement.ts";

const U = Number.EPSILON;

/** A bound, what its formula gives in doubles, and the room that its roundings need, relative to it. */
type Rounded = readonly [name: string, bound: number, formula: number, room: number];

const epsilonOf = (claim: unknown): number => (claim as { epsilon: number }).epsilon;

/** Formulas that are rounded up, at generated numbers. */
function formulas(epsilon: number, delta: number): Rounded[] {
  const group = (size: number) => groupPrivacy(approximate({ epsilon, delta, relation }), { size });
  const two = [{ mean: epsilon, spread: epsilon }, { mean: delta, spread: 2 * epsilon }];
  const advanced = advancedComposition({ epsilon, delta }, { count: 9, slack: delta });
  const tanh = advancedComposition({ epsilon }, { count: 9, slack: delta, form: "tanh" });
  const kairouz = kairouzComposition(Array(50).fill({ epsilon: epsilon / 50, delta: delta / 99 }), {
    slack: delta,
  });
  const spread = Math.sqrt(-2 * 9 * Math.log(delta)) * epsilon;
  return [
    [
      "ε of a sample",
      subsampledParameters({ epsilon, delta }, { rate: 0.3 }).epsilon,
      Math.log1p(0.3 * Math.expm1(epsilon)),
      1e-14,
    ],
    [
      "δ of a sample",
      subsampledParameters({ epsilon, delta }, { rate: 0.3 }).delta,
      0.3 * delta,
      U,
    ],
    ["ρ of ε", zcdpOfClaim(pure({ epsilon, relation }))!.rho, 0.5 * epsilon * epsilon, U],
    ["ρ of μ", zcdpOfClaim(gaussian({ mu: epsilon, relation }))!.rho, 0.5 * epsilon * epsilon, U],
    [
      "ε of ρ",
      zcdpEpsilon({ rho: epsilon }, { delta, conversion: "bun-steinke" }),
      epsilon + 2 * Math.sqrt(-epsilon * Math.log(delta)),
      1e-14,
    ],
    ["ε of a group", epsilonOf(group(3)), 3 * epsilon, 1e-14],
    [
      "ε of a group, pure",
      epsilonOf(groupPrivacy(pure({ epsilon, relation }), { size: 3 })),
      3 * epsilon,
      1e-14,
    ],
    [
      "δ of a group",
      (group(3) as { delta: number }).delta,
      delta * Math.expm1(3 * epsilon) / Math.expm1(epsilon),
      1e-14 * (1 + 3 * epsilon),
    ],
    [
      "ρ of a group",
      (groupPrivacy(zcdp({ rho: epsilon, relation }), { size: 3 }) as { rho: number }).rho,
      9 * epsilon,
      1e-14,
    ],
    [
      "μ of a group",
      (groupPrivacy(gaussian({ mu: epsilon, relation }), { size: 3 }) as { mu: number }).mu,
      3 * epsilon,
      1e-14,
    ],
    [
      "a group's divergence",
      epsilonOf(groupPrivacy(renyi({ order: 8, epsilon, relation }), { size: 4 })),
      9 * epsilon,
      1e-14,
    ],
    [
      "the mean loss of ε",
      meanConcentratedOfPure({ epsilon }).mean,
      0.5 * epsilon * Math.expm1(epsilon),
      1e-14,
    ],
    [
      "the mean loss of μ",
      meanConcentratedOfGaussian({ mu: epsilon }).mean,
      0.5 * epsilon * epsilon,
      1e-14,
    ],
    ["a sum of means", composeMeanConcentrated(two).mean, epsilon + delta, 1e-14 + 2 * U],
    [
      "a sum of spreads",
      composeMeanConcentrated(two).spread,
      Math.sqrt(5) * epsilon,
      1e-14 + 2 * U,
    ],
    [
      "ε of a mean",
      meanConcentratedEpsilon(two[0]!, { delta }),
      epsilon + epsilon * Math.sqrt(-2 * Math.log(delta)),
      1e-14,
    ],
    ["ρ of a mean", zcdpOfMeanConcentrated({ mean: epsilon, spread: 0.1 }), epsilon, 1e-14],
    ["advanced ε", advanced.epsilon, spread + 9 * epsilon * Math.expm1(epsilon), 1e-14],
    ["advanced δ", advanced.delta, 9 * delta + delta, 1e-14],
    ["advanced ε by tanh", tanh.epsilon, spread + 9 * epsilon * Math.tanh(epsilon / 2), 1e-14],
    [
      "δ of many parts",
      kairouz.delta,
      -Math.expm1(Math.log1p(-delta) + 50 * Math.log1p(-delta / 99)),
      1e-14 + 100 * U,
    ],
    [
      "a sum of divergences",
      composeRenyi([gaussianRenyi({ mu: epsilon }), zcdpRenyi({ rho: delta })])(3),
      gaussianRenyi({ mu: epsilon })(3) + zcdpRenyi({ rho: delta })(3),
      2 * U,
    ],
    [
      "δ of one divergence",
      renyiDelta((order) => order === 2 ? epsilon / 8 : Infinity, {
        epsilon: 9 * epsilon,
        orders: [2],
      }),
      Math.exp((epsilon / 8 - 9 * epsilon) + Math.log1p(-0.5) - Math.log(2)),
      1e-12,
    ],
  ];
}

/** Every bound of a closed form is above it by the room that its roundings need, and by little more. */
export function requireRoundedUp(
  rounded: (bound: number) => number = (bound) => bound,
): void {
  for (const epsilon of [0.01, 0.1, 0.37, 1.3]) {
    for (const delta of [1e-9, 1e-5, 1e-3]) {
      for (const [name, bound, formula, room] of formulas(epsilon, delta)) {
        const above = rounded(bound) / formula - 1;
        // The formula's own roundings, and those of the comparison.
        requireThat(
          above >= room - 8 * U - room / 2 && above > 0 && above <= 3 * room + 16 * U,
          `${name} at ${epsilon} and ${delta} is ${above} above its formula, with room of ${room}`,
        );
      }
      for (const count of [1, 50]) {
        const each = advancedEpsilonOfEach({ epsilon, count, slack: delta });
        const whole = (one: number): number =>
          Math.sqrt(-2 * count * Math.log(delta)) * one + count * one * Math.expm1(one);
        const below = 1 - whole(rounded(each)) / epsilon;
        requireThat(below > 0 && below < 1e-13, `ε of each is ${below} below`);
        if (epsilon > 1) continue;
        const half = epsilon / (2 * Math.sqrt(-2 * count * Math.log(delta)));
        const under = 1 - rounded(corollaryEpsilonOfEach({ epsilon, count, slack: delta })) / half;
        requireThat(under > 5e-15 && under < 3e-14, `the corollary’s ε is ${under} below`);
      }
    }
  }
}
