import {
  composeMeanConcentrated,
  meanConcentratedEpsilon,
  meanConcentratedOfGaussian,
  meanConcentratedOfPure,
  zcdpOfMeanConcentrated,
} from "../../lib/accounting/mean_concentrated.ts";
import {
  composeRenyi,
  gaussianRenyi,
  laplaceRenyi,
  renyiDelta,
  renyiOfClaim,
  zcdpRenyi,
} from "../../lib/accounting/renyi.ts";
import {
  poissonSubsampledGaussianRenyi,
  subsampledRenyi,
} from "../../lib/accounting/subsampling.ts";
import {
  largestRho,
  zcdpComposition,
  zcdpDelta,
  zcdpEpsilon,
  zcdpOfBoundedRange,
} from "../../lib/accounting/zcdp.ts";
import { approximate, gaussian, pure, renyi, zcdp } from "../../lib/core/claim.ts";
import { replaceOne as relation } from "../../lib/core/relation.ts";
import { gaussLegendre } from "../../lib/exact/gauss_legendre.ts";
import { requireEqual, requireNear, requireThat } from "../engine/requirement.ts";
import { requireUp, type Rules } from "./composition_rules.ts";

/** For rules in closed form. */
export function requireConcentrated({ zcdpOfClaim }: Rules): void {
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

/** For rules in closed form. */
export function requireRenyi({ pureRenyi, renyiEpsilon }: Rules): void {
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
  // Orders so large that one exponential is nothing beside the other, at an ε that is not.
  for (const [epsilon, order] of [[1, 800], [0.5, 2000], [3, 240]] as const) {
    requireUp(
      pureRenyi({ epsilon })(order),
      epsilon - Math.log(1 + Math.exp(-epsilon)) / (order - 1),
      "randomised response at a large order",
    );
    requireUp(
      laplaceRenyi({ epsilon })(order),
      epsilon + Math.log(order / (2 * order - 1)) / (order - 1),
      "Laplace at a large order",
    );
  }
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

/** For rules in closed form. */
export function requireSampling({ subsampledParameters }: Rules): void {
  for (const [epsilon, delta, rate] of [[1, 1e-5, 0.1], [4, 0, 0.01], [0.1, 0.2, 0.7]] as const) {
    const found = subsampledParameters({ epsilon, delta }, { rate });
    requireUp(found.epsilon, Math.log(1 + rate * (Math.exp(epsilon) - 1)), "ln(1 + p(e^ε − 1))");
    requireUp(found.delta, rate * delta, "pδ");
  }
  // A sample of nearly all is no worse than all of them, by no rounding.
  for (const epsilon of [1e-9, 0.3, 1, 5, 40]) {
    for (const rate of [1 - 2 ** -53, 1 - 2 ** -48]) {
      requireThat(subsampledParameters({ epsilon }, { rate }).epsilon <= epsilon, "a sample's ε");
    }
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
  for (
    const [rho, rate, pureEpsilon] of [[0.05, 0.1, Infinity], [0.4, 0.02, 0.9], [
      0.4,
      0.1,
      0.3,
    ], [0.4, 0.9, Infinity]] as const
  ) {
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
