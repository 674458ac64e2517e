import { sumAbove } from "../../lib/accounting/certain_sum.ts";
import { advancedComposition } from "../../lib/accounting/advanced_composition.ts";
import { kairouzComposition } from "../../lib/accounting/kairouz_composition.ts";
import { lifetimeExample } from "../../lib/accounting/lifetime_example.ts";
import { mapMechanism } from "../../lib/accounting/map_mechanism.ts";
import { optimalDelta } from "../../lib/accounting/optimal_composition.ts";
import { privacyFilter } from "../../lib/accounting/privacy_filter.ts";
import { privacyOdometer } from "../../lib/accounting/privacy_odometer.ts";
import { renyiDelta, type renyiEpsilon, zcdpRenyi } from "../../lib/accounting/renyi.ts";
import {
  LogBinomial,
  logDifference,
  logSampledGaussianMoment,
  seriesTerm,
} from "../../lib/accounting/sampled_gaussian_moment.ts";
import {
  poissonSubsampledGaussianRenyi,
  subsampledRenyi,
} from "../../lib/accounting/subsampling.ts";
import { zcdpEpsilon, zcdpOfClaim } from "../../lib/accounting/zcdp.ts";
import { approximate, pure, zcdp } from "../../lib/core/claim.ts";
import { replaceOne as relation } from "../../lib/core/relation.ts";
import { add, rational, subtract, toNumber } from "../../lib/numeric/rational.ts";
import { logNormalTail } from "../../lib/numeric/normal_tail.ts";
import { requireEqual, requireNear, requireRefused, requireThat } from "../engine/requirement.ts";

const U = 2 ** -53;

/** Conversions of curves have the room that their roundings need, and go to the largest order that is stated. */
export function requireConversions(epsilonOf: typeof renyiEpsilon): void {
  for (const order of [2, 20, 300]) {
    for (const delta of [1e-6, 0.4, 0.9]) {
      const bonus = Math.log1p(-1 / order) - Math.log(delta * order) / (order - 1);
      for (const excess of [0.1, 3]) {
        const divergence = Math.abs(bonus) + excess;
        const over = epsilonOf(() => divergence, { delta, orders: [order] }) - (divergence + bonus);
        const room = 1e-12 * (divergence + Math.abs(bonus));
        requireThat(
          over >= 0.9 * room && over <= 1.1 * room + 8 * U * divergence,
          () => `ε at order ${order} and δ = ${delta} has room ${over}, not ${room}`,
        );
      }
    }
  }
  for (const [mu, rate] of [[1, 0.1], [0.3, 0.01]] as const) {
    const curve = poissonSubsampledGaussianRenyi({ mu, rate });
    for (const order of [2, 3, 7.5, 40]) {
      const share = logSampledGaussianMoment(order, { mu, rate }) / (order - 1);
      requireThat(
        curve(order) > share && curve(order) <= share * (1 + 8 * U),
        () => `a divergence of ${curve(order)} is not above ${share}`,
      );
    }
  }
  const sampled = subsampledRenyi(zcdpRenyi({ rho: 1e-3 }), { rate: 0.1 });
  requireThat(sampled(4096) < Infinity, "the largest order has no divergence");
  requireEqual(sampled(4097), Infinity);
  requireThat(
    poissonSubsampledGaussianRenyi({ mu: 0.1, rate: 0.01 })(4096) < Infinity,
    "the largest order of sampled noise has no divergence",
  );
  // Rounded up, but no probability is above 1.
  requireEqual([
    renyiDelta(() => 100, { epsilon: 0, orders: [2] }),
    kairouzComposition(Array(50).fill({ epsilon: 1, delta: 0.99 }), { slack: 0.9 }).delta,
  ], [1, 1]);
  requireEqual(sumAbove([1 - U]), 1);
  const parts = Array(8).fill({ epsilon: 0.02 }), few = 0.5;
  const squares = 8 * 0.02 ** 2, drift = 8 * 0.02 * Math.tanh(0.01);
  const spread = Math.min(
    Math.sqrt(-2 * squares * Math.log(few)),
    Math.sqrt(2 * squares * Math.log(Math.E + Math.sqrt(squares) / few)),
  );
  const over = kairouzComposition(parts, { slack: few }).epsilon / (drift + spread) - 1;
  requireThat(over > 6e-15 && over < 3e-14, () => `ε of eight parts is ${over} above its formula`);
  for (const conversion of ["optimal", "bun-steinke"] as const) {
    requireRefused("a δ of 0", () => zcdpEpsilon({ rho: 1 }, { delta: 0, conversion }), "delta");
  }
  requireRefused(
    "a claim that no constructor made",
    () => zcdpOfClaim({ kind: "pure", epsilon: 1, relation } as never),
  );
}

/** Terms of the series of sampled noise state four roundings of each of their parts, whatever the sign of their power. */
export function requireSeries(): void {
  for (const [mu, rate] of [[1, 0.1], [0.3, 1e-6], [4, 0.9]] as const) {
    for (const order of [1.5, 7.25, 63.5]) {
      for (const k of [0, 1, 5, 80]) {
        for (const side of [1, -1] as const) {
          const { log, off } = seriesTerm(k, { side, order, mu, rate });
          const stay = Math.log(1 - rate), go = Math.log(rate);
          const middle = (stay - go + mu * mu / 2) / mu, power = side === 1 ? k : order - k;
          const reach = Math.abs(power * mu) + Math.abs(middle);
          const size = 5 * (1 + reach) ** 2 +
            2 * (Math.abs(power) + Math.abs(order - power)) * (Math.abs(stay) + Math.abs(go));
          requireNear(off, U * (128 + 8 * size), { relative: 1e-6, what: "the room of a term" });
          requireNear(
            log,
            (order - power) * stay + power * go + 0.5 * power * (power - 1) * mu * mu +
              logNormalTail(side * (power * mu - middle)),
            { relative: 1e-9, absolute: 1e-9, what: "a term" },
          );
        }
      }
    }
  }
}

/** Logarithms of binomial coefficients state four roundings of the parts of each step, below 1 as above. */
export function requireBinomials(): void {
  for (const order of [1.5, 7.25, 40]) {
    const choose = new LogBinomial(order);
    let log = 0, off = 0;
    for (let k = 1; k <= 60 && k !== order + 1; k++) {
      choose.step(k);
      const more = Math.log(Math.abs(order - k + 1)), less = Math.log(k);
      log += more - less;
      off += 4 * U * (Math.abs(more) + less + Math.abs(log));
      requireNear(choose.log, log, { absolute: 1e-12, what: "ln of a binomial coefficient" });
      requireNear(choose.off, off, { relative: 1e-9, what: "the room of a binomial coefficient" });
    }
  }
}

/** The published lifetime, and others, by sums over all answers. */
export function requireLifetimes(): void {
  const published = lifetimeExample();
  requireNear(published.theoremEpsilon, 1.0143, { absolute: 5e-5, what: "ε′ of the theorem" });
  requireNear(published.theoremParts, 812.3, { absolute: 0.05, what: "parts of the theorem" });
  requireNear(published.corollaryParts, 1600, { absolute: 1, what: "parts of the corollary" });
  requireEqual([published.tailParts, published.deltaParts], [768, 716], "least parts");
  for (
    const [count, epsilon, publishedParts] of [[60, 0.5, 40], [60, 0.5, 40.5], [
      30,
      0.8,
      9,
    ]] as const
  ) {
    const found = lifetimeExample({ count, epsilon, slack: 1e-3, publishedParts });
    const each = 1 / publishedParts, lie = 1 / (1 + Math.exp(each));
    let chance = (1 - lie) ** count, tail = 0;
    for (let lies = 0; lies <= count; lies++) {
      if ((count - 2 * lies) / publishedParts > epsilon) tail += chance;
      chance *= (count - lies) / (lies + 1) * lie / (1 - lie);
    }
    requireNear(found.tail, tail, { relative: 1e-9, what: "the chance of a larger loss" });
    requireNear(found.delta, optimalDelta([{ epsilon: each, count }], { epsilon }));
    requireNear(
      found.theoremEpsilon,
      advancedComposition({ epsilon: each }, { count, slack: 1e-3 }).epsilon,
    );
    requireThat(
      Number.isInteger(found.tailParts) && Number.isInteger(found.deltaParts),
      "parts that are no whole number",
    );
  }
}

/** What a difference of sums may be off by is on its safe side, in either sum. */
export function requireDifferences(): void {
  for (const off of [1e-3, 1e-6]) {
    const stated = (more: number, less: number): number =>
      Math.log(Math.exp(more) - Math.exp(-1 - less));
    const found = logDifference([{ log: 0, off }], [{ log: -1, off }]);
    // Each of both by most of what it may be off.
    requireThat(
      found >= stated(off, off) - 4 * U && found <= stated(off, off) + 1e-13,
      () => `a difference of ${found}, not ${stated(off, off)}`,
    );
  }
}

/** Readings, remainders and releases at their edges. */
export function requireEdges(): void {
  const slack = 1e-6, tuned = 0.25;
  // Σρ is not below the exact sum of the doubles, and next to it.
  let odometer = privacyOdometer({ slack, tunedFor: [tuned] }), exact = rational(0);
  for (let k = 1; k <= 40; k++) {
    const rho = 0.1 / k;
    odometer = odometer.after(zcdp({ rho, relation }));
    exact = add(exact, rational(rho));
    const over = toNumber(subtract(rational(odometer.rho), exact)) / odometer.rho;
    requireThat(over >= 0 && over <= 4 * k * U, `Σρ is ${over} above the sum`);
  }
  for (const rho of [0.01, 0.25, 3]) {
    const reading = privacyOdometer({ slack, tunedFor: [tuned] }).after(zcdp({ rho, relation }));
    const rarity = Math.log(1 / slack), slope = Math.sqrt(rarity / tuned);
    const over = reading.epsilon / (reading.rho + slope * reading.rho + rarity / slope) - 1;
    requireThat(over >= 5e-15 && over <= 4e-14, () => `a reading is ${over} above its formula`);
  }
  // All of ε is spent, and some δ is left: nothing can be claimed.
  const limit = approximate({ epsilon: 1, delta: 1e-6, relation });
  const spent = privacyFilter(limit).after(approximate({ epsilon: 1, delta: 5e-7, relation }))!;
  requireEqual(spent.remaining, undefined);
  requireEqual(
    lifetimeExample(),
    lifetimeExample({ count: 10_000, epsilon: 1, slack: Math.exp(-32), publishedParts: 801 }),
    "the published example",
  );
  const plain = { name: "plain", claim: pure({ epsilon: 1, relation }), sample: () => 1 };
  const mapped = mapMechanism(plain, { name: "mapped", transform: (x: number) => x });
  requireThat(!("check" in mapped), "a check that the mechanism lacks");
}
