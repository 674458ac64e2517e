import {
  advancedComposition,
  advancedEpsilonOfEach,
  corollaryEpsilonOfEach,
} from "../../lib/accounting/advanced_composition.ts";
import { basicComposition } from "../../lib/accounting/basic_composition.ts";
import { groupPrivacy } from "../../lib/accounting/group_privacy.ts";
import { kairouzComposition } from "../../lib/accounting/kairouz_composition.ts";
import {
  composeMeanConcentrated,
  meanConcentratedEpsilon,
  meanConcentratedOfGaussian,
  meanConcentratedOfPure,
  zcdpOfMeanConcentrated,
} from "../../lib/accounting/mean_concentrated.ts";
import { optimalDelta } from "../../lib/accounting/optimal_composition.ts";
import {
  gaussianRenyi,
  laplaceRenyi,
  pureRenyi,
  renyiDelta,
  renyiEpsilon,
  zcdpRenyi,
} from "../../lib/accounting/renyi.ts";
import { shareOf } from "../../lib/accounting/share_of.ts";
import {
  poissonSubsampledGaussianRenyi,
  subsampledParameters,
  subsampledRenyi,
} from "../../lib/accounting/subsampling.ts";
import {
  largestRho,
  zcdpComposition,
  zcdpEpsilon,
  zcdpOfBoundedRange,
  zcdpOfClaim,
} from "../../lib/accounting/zcdp.ts";
import { approximate, zcdp } from "../../lib/core/claim.ts";
import { casesOf, requireRefused } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";
import {
  requireComposition,
  requireGroups,
  type Rules,
  shipped,
} from "../checks/composition_rules.ts";
import { requireConcentrated, requireRenyi, requireSampling } from "../checks/renyi_rules.ts";

/** Formulas of composition and of conversion. */
export const rulesInClosedForm = theorem<Rules>({
  id: "composition/rules_in_closed_form",
  statement:
    "The shipped rules of composition, of groups, of sampling and of conversion between (ε, δ), zCDP, mean-concentrated and Rényi privacy give what " +
    "their theorems state, rounded up, and refuse numbers that these do not cover.",
  citation:
    "Dwork, Roth 2014, Theorems 2.2, 3.16 and 3.20; Kairouz, Oh, Viswanath 2015, Theorem 3.4; Bun, Steinke 2016; Mironov 2017; Canonne, Kamath, Steinke 2020; Dwork, Rothblum 2016; Wang, Balle, Kasiviswanathan 2019",
  source: "lib/accounting",
  kind: "sampled",
  checked:
    "each rule at three to thirty settings by its printed formula; Rényi divergences of Laplace and of sampled Gaussian noise by quadrature; each option out of range",
  subject: shipped,
  check: (of) =>
    casesOf({
      "composition": () => requireComposition(of),
      "groups": () => requireGroups(of.groupPrivacy),
      "concentrated privacy": () => requireConcentrated(of),
      "Rényi divergences": () => requireRenyi(of),
      "sampling": () => requireSampling(of),
      "numbers out of range": requireRanges,
    }),
  mutants: {
    "the largest ε in place of all": {
      ...shipped,
      kairouzComposition: (parts, options) => kairouzComposition(parts.slice(0, 1), options),
    },
    "δ′ not added": {
      ...shipped,
      advancedComposition: (part, options) => ({
        ...advancedComposition(part, options),
        delta: options.count * (part.delta ?? 0),
      }),
    },
    "a group's δ k times as large": {
      ...shipped,
      groupPrivacy: (claim, options) =>
        claim.kind === "approximate" && options.size > 1
          ? approximate({
            ...claim,
            epsilon: options.size * claim.epsilon,
            delta: options.size * claim.delta,
          })
          : groupPrivacy(claim, options),
    },
    "ρ of ε²": {
      ...shipped,
      zcdpOfClaim: (claim) =>
        claim.kind === "pure"
          ? zcdp({ rho: claim.epsilon ** 2, relation: claim.relation })
          : zcdpOfClaim(claim),
    },
    "p·ε for a sample": {
      ...shipped,
      subsampledParameters: ({ epsilon, delta = 0 }, { rate }) => ({
        epsilon: rate * epsilon,
        delta: rate * delta,
      }),
    },
    "the simpler conversion": {
      ...shipped,
      renyiEpsilon: (curve, { delta, orders }) =>
        Math.min(...(orders ?? [2, 4, 8]).map((a) => curve(a) - Math.log(delta) / (a - 1))),
    },
    "a pure claim's divergence is ε": { ...shipped, pureRenyi: ({ epsilon }) => () => epsilon },
  },
});

function requireRanges(): void {
  const half = { epsilon: 0.5 };
  const bad = [0, -1, NaN, Infinity];
  for (const value of [...bad, 1]) {
    requireRefused(
      `slack of ${value}`,
      () => kairouzComposition([half], { slack: value }),
      "slack",
    );
    requireRefused(
      `slack of ${value}`,
      () => advancedComposition(half, { count: 2, slack: value }),
      "slack",
    );
  }
  for (const epsilon of [-0.1, NaN, Infinity]) {
    for (
      const run of [
        () => basicComposition([{ epsilon }]),
        () => kairouzComposition([{ epsilon }], { slack: 0.1 }),
        () => advancedComposition({ epsilon }, { count: 1, slack: 0.1 }),
        () => optimalDelta([{ epsilon, count: 1 }], { epsilon: 1 }),
        () => subsampledParameters({ epsilon }, { rate: 0.5 }),
      ]
    ) {
      requireRefused(`ε of ${epsilon}`, run);
    }
  }
  for (const delta of [-0.1, 1, NaN]) {
    for (
      const run of [
        () => basicComposition([{ epsilon: 1, delta }]),
        () => advancedComposition({ epsilon: 1, delta }, { count: 1, slack: 0.1 }),
        () => zcdpEpsilon({ rho: 1 }, { delta }),
        () => renyiEpsilon(zcdpRenyi({ rho: 1 }), { delta }),
        () => meanConcentratedEpsilon({ mean: 1, spread: 1 }, { delta }),
      ]
    ) {
      requireRefused(`δ of ${delta}`, run);
    }
  }
  for (const value of bad) {
    for (
      const run of [
        () => zcdpEpsilon({ rho: value }, { delta: 0.1 }),
        () => largestRho({ epsilon: value, delta: 0.1 }),
        () => gaussianRenyi({ mu: value }),
        () => zcdpRenyi({ rho: value }),
        () => laplaceRenyi({ epsilon: value }),
        () => pureRenyi({ epsilon: value }),
        () => meanConcentratedOfPure({ epsilon: value }),
        () => meanConcentratedOfGaussian({ mu: value }),
        () => zcdpOfBoundedRange({ epsilon: value }),
        () => shareOf(value, { parts: 2 }),
        () => advancedEpsilonOfEach({ epsilon: value, count: 2, slack: 0.1 }),
        () => corollaryEpsilonOfEach({ epsilon: value, count: 2, slack: 0.1 }),
        () => subsampledParameters(half, { rate: value }),
        () => poissonSubsampledGaussianRenyi({ mu: value, rate: 0.5 }),
        () => subsampledRenyi(zcdpRenyi({ rho: 1 }), { rate: value }),
        () => renyiEpsilon(zcdpRenyi({ rho: 1 }), { delta: value }),
      ]
    ) requireRefused(`a number of ${value}`, run);
  }
  for (
    const run of [
      () => subsampledParameters(half, { rate: 1.01 }),
      () => corollaryEpsilonOfEach({ epsilon: 1.01, count: 2, slack: 0.1 }),
      () => zcdpComposition([{ rho: -1 }]),
      () => composeMeanConcentrated([{ mean: -1, spread: 1 }]),
      () => composeMeanConcentrated([{ mean: 1, spread: -1 }]),
      () => zcdpOfMeanConcentrated({ mean: NaN, spread: 1 }),
      () => renyiDelta(zcdpRenyi({ rho: 1 }), { epsilon: -1 }),
      () => shareOf(1, { parts: 0 }),
      () => advancedComposition(half, { count: -1, slack: 0.1 }),
      () => advancedEpsilonOfEach({ epsilon: 1, count: 0, slack: 0.1 }),
      () => corollaryEpsilonOfEach({ epsilon: 1, count: 0, slack: 0.1 }),
      () => optimalDelta([{ epsilon: 1, count: 1.5 }], { epsilon: 1 }),
    ]
  ) requireRefused("an option out of range", run);
}
