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
import { optimalDelta, optimalEpsilon } from "../../lib/accounting/optimal_composition.ts";
import {
  composeRenyi,
  gaussianRenyi,
  laplaceRenyi,
  pureRenyi,
  renyiDelta,
  renyiEpsilon,
  renyiOfClaim,
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
  zcdpDelta,
  zcdpEpsilon,
  zcdpOfBoundedRange,
  zcdpOfClaim,
} from "../../lib/accounting/zcdp.ts";
import { approximate, gaussian, pure, renyi, zcdp } from "../../lib/core/claim.ts";
import { addRemoveOne, changeEach, replaceOne as relation } from "../../lib/core/relation.ts";
import { gaussLegendre } from "../../lib/exact/gauss_legendre.ts";
import {
  casesOf,
  requireEqual,
  requireNear,
  requireRefused,
  requireThat,
} from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const shipped = {
  kairouzComposition,
  advancedComposition,
  groupPrivacy,
  renyiEpsilon,
  zcdpOfClaim,
  subsampledParameters,
  pureRenyi,
};
type Rules = typeof shipped;

/** A bound that is rounded up: not below what is stated, and above it by no more than a rounding. */
function requireUp(value: number, stated: number, what: string, relative = 1e-11): void {
  requireNear(value, stated, { what, relative });
  // The formula here is itself rounded, by less than 16 units in the last place.
  requireThat(value >= stated * (1 - 2 ** -48), () => `${what}: ${value} is below ${stated}`);
}

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

function requireComposition({ kairouzComposition, advancedComposition }: Rules): void {
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
    const share = shareOf(amount, { parts });
    requireNear(share, amount / parts, { relative: 4e-16 });
    requireThat(
      basicComposition(Array(parts).fill({ epsilon: share })).epsilon <= amount * (1 + 2 ** -52),
      "shares that add up to more",
    );
  }
}

function requireGroups(groupPrivacy: Rules["groupPrivacy"]): void {
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

function requireConcentrated({ zcdpOfClaim }: Rules): void {
  for (const value of [0.05, 0.8, 3]) {
    const half = value * value / 2;
    requireUp(zcdpOfClaim(pure({ epsilon: value, relation }))!.rho, half, "ε²/2");
    requireUp(zcdpOfClaim(gaussian({ mu: value, relation }))!.rho, half, "μ²/2");
    requireEqual(zcdpOfClaim(zcdp({ rho: value, relation }))!.rho, value);
    requireUp(
      meanConcentratedOfPure({ epsilon: value }).mean,
      value * Math.expm1(value) / 2,
      "ε(e^ε − 1)/2",
    );
    requireEqual(meanConcentratedOfPure({ epsilon: value }).spread, value);
    requireUp(meanConcentratedOfGaussian({ mu: value }).mean, half, "μ²/2");
    requireEqual(meanConcentratedOfGaussian({ mu: value }).spread, value);
    // A choice of range ε: the largest ρ is ε²/8 or less.
    requireThat(
      zcdpOfBoundedRange({ epsilon: value }) <= value * value / 8 * (1 + 1e-12) &&
        zcdpOfBoundedRange({ epsilon: value }) > value * value / 8 * (value > 1 ? 0.5 : 0.99),
      "ε²/8",
    );
  }
  requireEqual(zcdpOfClaim(approximate({ epsilon: 1, delta: 1e-3, relation })), undefined);
  requireEqual(zcdpOfClaim(renyi({ order: 2, epsilon: 1, relation })), undefined);
  requireUp(zcdpOfClaim(approximate({ epsilon: 1, delta: 0, relation }))!.rho, 0.5, "δ = 0");
  const parts = [{ mean: 0.1, spread: 0.3 }, { mean: 0.25, spread: 0.4 }];
  requireUp(composeMeanConcentrated(parts).mean, 0.35, "means");
  requireUp(composeMeanConcentrated(parts).spread, 0.5, "spreads");
  requireEqual(composeMeanConcentrated(parts.slice(0, 1)), parts[0]);
  requireUp(
    meanConcentratedEpsilon(parts[0]!, { delta: 1e-5 }),
    0.1 + 0.3 * Math.sqrt(2 * Math.log(1e5)),
    "μ + τ√(2 ln 1/δ)",
  );
  requireUp(zcdpOfMeanConcentrated({ mean: 0.1, spread: 0.6 }), 0.18, "τ²/2");
  requireUp(zcdpOfMeanConcentrated({ mean: 0.5, spread: 0.6 }), 0.5, "the mean");
  requireUp(zcdpComposition([{ rho: 0.1 }, { rho: 0.25 }, { rho: 0 }]), 0.35, "Σρ");
  for (const [rho, delta] of [[0.01, 1e-6], [0.5, 1e-3], [3, 1e-9], [1e-4, 0.3]] as const) {
    requireUp(
      zcdpEpsilon({ rho }, { delta, conversion: "bun-steinke" }),
      rho + 2 * Math.sqrt(rho * Math.log(1 / delta)),
      "ρ + 2√(ρ ln 1/δ)",
    );
    // Canonne, Kamath, Steinke: the least over α of ρα + ln(1 − 1/α) − ln(δα)/(α − 1), looked for on a fine grid.
    let least = Infinity;
    for (let k = -4000; k <= 4000; k++) {
      const alpha = 1 + Math.exp(k / 300);
      least = Math.min(
        least,
        rho * alpha + Math.log1p(-1 / alpha) - Math.log(delta * alpha) / (alpha - 1),
      );
    }
    const epsilon = zcdpEpsilon({ rho }, { delta });
    requireNear(epsilon, Math.max(0, least), { relative: 2e-5, absolute: 1e-12 });
    requireThat(epsilon <= Math.max(0, least) * (1 + 1e-9) + 1e-12, "the least ε");
    if (epsilon > 0) {
      const back = largestRho({ epsilon, delta });
      requireNear(back, rho, { relative: 1e-9 });
      requireThat(zcdpEpsilon({ rho: back }, { delta }) <= epsilon, "a ρ that is too large");
      requireNear(zcdpDelta({ rho }, { epsilon }), delta, { relative: 1e-6 });
    }
  }
}

const RULE = gaussLegendre(24);

/** ln ∫ exp(log) over the real line, by pieces around 0. */
function logIntegral(log: (x: number) => number, reach: number): number {
  const pieces = 400, half = reach / pieces;
  const values: number[] = [], weights: number[] = [];
  for (let piece = 0; piece < pieces; piece++) {
    RULE.nodes.forEach((node, i) => {
      values.push(log(-reach + half * (2 * piece + 1 + node)));
      weights.push(half * RULE.weights[i]!);
    });
  }
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  return most +
    Math.log(values.reduce((sum, value, i) => sum + weights[i]! * Math.exp(value - most), 0));
}

function requireRenyi({ pureRenyi, renyiEpsilon }: Rules): void {
  for (const order of [1.1, 1.7, 2, 5, 40]) {
    for (const epsilon of [0.03, 0.9, 4]) {
      const p = 1 / (1 + Math.exp(-epsilon)), q = 1 - p;
      const divergence = Math.log(p ** order * q ** (1 - order) + q ** order * p ** (1 - order)) /
        (order - 1);
      requireNear(pureRenyi({ epsilon })(order), divergence, {
        relative: 1e-7,
        what: "randomised response",
      });
      requireThat(pureRenyi({ epsilon })(order) >= divergence * (1 - 1e-9), "rounded up");
      // Laplace: P = Lap(0, 1/ε), Q = Lap(1, 1/ε), in three pieces.
      const a = order,
        closed = Math.log(
          (a * Math.exp((a - 1) * epsilon) + (a - 1) * Math.exp(-a * epsilon)) / (2 * a - 1),
        ) / (a - 1);
      requireNear(laplaceRenyi({ epsilon })(order), closed, { relative: 1e-7, what: "Laplace" });
    }
    for (const mu of [0.1, 2]) {
      requireUp(gaussianRenyi({ mu })(order), order * mu * mu / 2, "αμ²/2");
      requireUp(zcdpRenyi({ rho: mu })(order), order * mu, "αρ");
    }
  }
  for (
    const [curve, far] of [[pureRenyi({ epsilon: 800 }), 800], [
      laplaceRenyi({ epsilon: 800 }),
      800,
    ]] as const
  ) {
    requireNear(curve(3), far, { absolute: 1 });
    requireThat(curve(3) <= far * (1 + 1e-11), "a divergence above ε");
  }
  requireNear(pureRenyi({ epsilon: 500 })(2), 500, { relative: 1e-11 });
  requireNear(laplaceRenyi({ epsilon: 800 })(3), 800 + Math.log(3 / 5) / 2, { relative: 1e-11 });
  const claims = [
    pure({ epsilon: 0.5, relation }),
    approximate({ epsilon: 0.5, delta: 0, relation }),
    gaussian({ mu: 0.5, relation }),
    zcdp({ rho: 0.5, relation }),
  ] as const;
  requireEqual(claims.map((claim) => renyiOfClaim(claim)(3)), [
    pureRenyi({ epsilon: 0.5 })(3),
    pureRenyi({ epsilon: 0.5 })(3),
    gaussianRenyi({ mu: 0.5 })(3),
    zcdpRenyi({ rho: 0.5 })(3),
  ]);
  requireEqual(renyiOfClaim(approximate({ epsilon: 0.5, delta: 0.1, relation }))(2), Infinity);
  const bounded = renyiOfClaim(renyi({ order: 4, epsilon: 0.7, relation }));
  requireEqual([bounded(3), bounded(4), bounded(4.1)], [0.7, 0.7, Infinity]);
  const one = zcdpRenyi({ rho: 0.2 }), other = gaussianRenyi({ mu: 0.3 });
  requireUp(composeRenyi([one, other])(3), one(3) + other(3), "sums of curves");
  requireEqual(composeRenyi([one])(3), one(3));
  for (const orders of [[2], [3, 9], [1.5, 20, 64]]) {
    const divergence = (a: number): number => 0.2 * a;
    for (const delta of [1e-2, 1e-7]) {
      const stated = Math.min(
        ...orders.map((a) => divergence(a) + Math.log1p(-1 / a) - Math.log(delta * a) / (a - 1)),
      );
      requireUp(
        renyiEpsilon(zcdpRenyi({ rho: 0.2 }), { delta, orders }),
        Math.max(0, stated),
        "ε of orders",
        1e-10,
      );
    }
    const epsilon = 1.7;
    const log = Math.min(
      ...orders.map((a) =>
        (a - 1) * (0.2 * a - epsilon) + (a - 1) * Math.log1p(-1 / a) - Math.log(a)
      ),
    );
    requireUp(
      renyiDelta(zcdpRenyi({ rho: 0.2 }), { epsilon, orders }),
      Math.min(1, Math.exp(log)),
      "δ of orders",
      1e-9,
    );
  }
}

function requireSampling({ subsampledParameters }: Rules): void {
  for (const [epsilon, delta, rate] of [[1, 1e-5, 0.1], [4, 0, 0.01], [0.1, 0.2, 0.7]] as const) {
    const found = subsampledParameters({ epsilon, delta }, { rate });
    requireUp(found.epsilon, Math.log(1 + rate * (Math.exp(epsilon) - 1)), "ln(1 + p(e^ε − 1))");
    requireUp(found.delta, rate * delta, "pδ");
  }
  requireEqual(subsampledParameters({ epsilon: 1, delta: 0.1 }, { rate: 1 }), {
    epsilon: 1,
    delta: 0.1,
  });
  // (1/(α − 1))·ln E_Q[((1 − p) + p·e^(μx − μ²/2))^α], and the other way round, by quadrature.
  for (
    const [mu, rate, order] of [[1, 0.1, 2], [0.5, 0.01, 8], [2, 0.3, 3.5], [1, 0.02, 1.5]] as const
  ) {
    const ratio = (x: number): number => Math.log(1 - rate + rate * Math.exp(mu * x - mu * mu / 2));
    const normal = (x: number): number => -x * x / 2 - Math.log(2 * Math.PI) / 2;
    const reach = 12 + order * mu;
    const stated = logIntegral((x) => normal(x) + order * ratio(x), reach) / (order - 1);
    const found = poissonSubsampledGaussianRenyi({ mu, rate })(order);
    requireThat(found >= stated * (1 - 1e-9), "a divergence that is too small");
    requireNear(found, stated, {
      relative: Number.isInteger(order) ? 1e-7 : 0.02,
      what: `order ${order}`,
    });
  }
  requireEqual(poissonSubsampledGaussianRenyi({ mu: 1, rate: 1 })(3), gaussianRenyi({ mu: 1 })(3));
  requireEqual(
    [1, 4097].map((order) => poissonSubsampledGaussianRenyi({ mu: 1, rate: 0.1 })(order)),
    [Infinity, Infinity],
  );
  // Wang, Balle, Kasiviswanathan 2019, Theorem 9, term by term.
  for (const [rho, rate, pureEpsilon] of [[0.05, 0.1, Infinity], [0.4, 0.02, 0.9]] as const) {
    for (const order of [2, 3, 6]) {
      const curve = (a: number): number => a * rho, gap = Math.exp(pureEpsilon) - 1;
      const choose = (k: number): number =>
        Array.from({ length: k }, (_, i) => (order - i) / (i + 1)).reduce((a, b) => a * b, 1);
      let sum = 1 +
        rate ** 2 * choose(2) *
          Math.min(4 * Math.expm1(curve(2)), Math.exp(curve(2)) * Math.min(2, gap ** 2));
      for (let j = 3; j <= order; j++) {
        sum += rate ** j * choose(j) * Math.exp((j - 1) * curve(j)) * Math.min(2, gap ** j);
      }
      const stated = Math.min(curve(order), Math.log(sum) / (order - 1));
      requireNear(subsampledRenyi(zcdpRenyi({ rho }), { rate, pureEpsilon })(order), stated, {
        relative: 1e-8,
        what: `order ${order}`,
      });
    }
    // An order between two counts as the next whole one.
    const curve = subsampledRenyi(zcdpRenyi({ rho }), { rate, pureEpsilon });
    requireEqual([curve(2.5), curve(1.5), curve(5000)], [curve(3), curve(2), Infinity]);
  }
}

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
