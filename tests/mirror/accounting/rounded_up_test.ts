import { assert } from "@std/assert";
import fc from "fast-check";
import {
  advancedComposition,
  advancedEpsilonOfEach,
  corollaryEpsilonOfEach,
} from "../../../lib/accounting/advanced_composition.ts";
import { groupPrivacy } from "../../../lib/accounting/group_privacy.ts";
import { kairouzComposition } from "../../../lib/accounting/kairouz_composition.ts";
import {
  composeMeanConcentrated,
  meanConcentratedEpsilon,
  meanConcentratedOfGaussian,
  meanConcentratedOfPure,
  zcdpOfMeanConcentrated,
} from "../../../lib/accounting/mean_concentrated.ts";
import {
  composeRenyi,
  gaussianRenyi,
  laplaceRenyi,
  pureRenyi,
  renyiDelta,
  renyiEpsilon,
  zcdpRenyi,
} from "../../../lib/accounting/renyi.ts";
import { subsampledParameters } from "../../../lib/accounting/subsampling.ts";
import { zcdpEpsilon, zcdpOfBoundedRange, zcdpOfClaim } from "../../../lib/accounting/zcdp.ts";
import { approximate, gaussian, pure, zcdp } from "../../../lib/core/claim.ts";
import { replaceOne } from "../../../lib/core/relation.ts";
import { type BigNumber, bigNumber as big } from "../numeric/big_number.ts";

/**
 * Closed forms beside 80 digits: what is claimed is at least the exact number, and above it by no more than a
 * stated share. Mutants: a result rounded to nearest; any term, factor or constant of a form.
 */

/** What 80 digits may be wrong where half of them cancel. */
const LEFT_OVER = big(1e-40);
const { exp, log, sqrt } = {
  exp: (x: BigNumber): BigNumber => x.exp(),
  log: (x: BigNumber): BigNumber => x.ln(),
  sqrt: (x: BigNumber): BigNumber => x.sqrt(),
};
const half = big(0.5);

/** Fails unless value is in [exact, exact·(1 + room)]. */
function assertAbove(value: number, exact: BigNumber, room: number): void {
  assert(
    big(value).gte(exact.times(big(1).minus(LEFT_OVER))),
    `${value} is below ${exact.toString()}`,
  );
  assert(big(value).lte(exact.times(1 + room)), `${value} is far above ${exact.toString()}`);
}

/** Fails unless value is in [exact·(1 − room), exact]. */
function assertBelow(value: number, exact: BigNumber, room: number): void {
  assert(
    big(value).lte(exact.times(big(1).plus(LEFT_OVER))),
    `${value} is above ${exact.toString()}`,
  );
  assert(big(value).gte(exact.times(1 - room)), `${value} is far below ${exact.toString()}`);
}

const scale = (low: number, high: number): fc.Arbitrary<number> =>
  fc.double({ min: Math.log(low), max: Math.log(high), noNaN: true }).map(Math.exp);
const epsilons = scale(1e-6, 50), deltas = scale(1e-15, 0.5), rates = scale(1e-6, 0.999);
const counts = fc.integer({ min: 2, max: 1000 }), orders = scale(1e-3, 1e4).map((x) => 1 + x);
const options = { seed: 1510, numRuns: 150 };

Deno.test("subsampledParameters() is ln(1 + rate·(e^ε − 1)) rounded up", () => {
  fc.assert(
    fc.property(epsilons, rates, (epsilon, rate) => {
      const sampled = subsampledParameters({ epsilon }, { rate });
      const exact = log(big(1).plus(big(rate).times(exp(big(epsilon)).minus(1))));
      // Beyond the exact value, but never beyond ε itself.
      if (sampled.epsilon < epsilon) assertAbove(sampled.epsilon, exact, 1e-13);
    }),
    options,
  );
});

Deno.test("groupPrivacy() multiplies ε and μ by the size, ρ by its square, sums δ, rounded up", () => {
  const relation = replaceOne;
  fc.assert(
    fc.property(scale(1e-6, 2), fc.integer({ min: 2, max: 9 }), (value, size) => {
      const group = <K extends { kind: string }>(claim: K): K =>
        groupPrivacy(claim as never, { size }) as never;
      assertAbove(group(pure({ epsilon: value, relation })).epsilon, big(value).times(size), 1e-13);
      assertAbove(group(gaussian({ mu: value, relation })).mu, big(value).times(size), 1e-13);
      assertAbove(group(zcdp({ rho: value, relation })).rho, big(value).times(size ** 2), 1e-13);
      const delta = 1e-12, parts = group(approximate({ epsilon: value, delta, relation }));
      assertAbove(parts.epsilon, big(value).times(size), 1e-13);
      let sum = big(0);
      for (let k = 0; k < size; k++) sum = sum.plus(exp(big(value).times(k)));
      assertAbove(parts.delta, sum.times(big(delta)), 1e-12);
    }),
    options,
  );
});

Deno.test("advancedComposition() and kairouzComposition() are their closed forms rounded up", () => {
  fc.assert(
    fc.property(epsilons, deltas, deltas, counts, (epsilon, delta, slack, count) => {
      const e = big(epsilon), root = sqrt(big(-2).times(count).times(log(big(slack)))).times(e);
      for (const form of ["dwork-roth", "tanh"] as const) {
        const total = advancedComposition({ epsilon, delta }, { count, slack, form });
        const growth = exp(e),
          drift = form === "tanh" ? growth.minus(1).div(growth.plus(1)) : growth.minus(1);
        assertAbove(total.epsilon, root.plus(drift.times(e).times(count)), 1e-13);
        const sum = big(delta).times(count).plus(big(slack));
        if (total.delta < 1) assertAbove(total.delta, sum, 1e-13);
        else assert(sum.gte(1 - 1e-13));
      }
      const parts = Array.from({ length: count }, () => ({ epsilon, delta }));
      const total = kairouzComposition(parts, { slack });
      const kept = log(big(1).minus(delta)).times(count).plus(log(big(1).minus(slack)));
      if (total.delta < 1) assertAbove(total.delta, big(1).minus(exp(kept)), 1e-11);
      const growth = exp(e), squares = e.times(e).times(count);
      const drift = growth.minus(1).div(growth.plus(1)).times(e).times(count);
      const other = sqrt(
        squares.times(2).times(log(exp(big(1)).plus(sqrt(squares).div(big(slack))))),
      );
      const spread = root.lt(other) ? root : other, basic = e.times(count);
      const exact = drift.plus(spread).lt(basic) ? drift.plus(spread) : basic;
      assertAbove(total.epsilon, exact, 1e-11);
    }),
    { ...options, numRuns: 60 },
  );
});

Deno.test("advancedEpsilonOfEach() and corollaryEpsilonOfEach() share a loss that composes to no more", () => {
  fc.assert(
    fc.property(epsilons, scale(1e-15, 1e-3), counts, (epsilon, slack, count) => {
      const each = big(advancedEpsilonOfEach({ epsilon, count, slack }));
      const root = sqrt(big(-2).times(count).times(log(big(slack))));
      const total = root.times(each).plus(exp(each).minus(1).times(each).times(count));
      assert(total.lte(big(epsilon)) && total.gte(epsilon * (1 - 1e-12)));
      if (epsilon <= 1) {
        const half = corollaryEpsilonOfEach({ epsilon, count, slack });
        assertBelow(half, big(epsilon).div(root.times(2)), 1e-13);
      }
    }),
    options,
  );
});

Deno.test("mean-concentrated privacy is its closed forms rounded up", () => {
  fc.assert(
    fc.property(epsilons, epsilons, deltas, (epsilon, mu, delta) => {
      const one = meanConcentratedOfPure({ epsilon }), other = meanConcentratedOfGaussian({ mu });
      const e = big(epsilon), m = big(mu);
      assertAbove(one.mean, half.times(e).times(exp(e).minus(1)), 1e-13);
      assertAbove(one.spread, e, 0);
      assertAbove(other.mean, half.times(m).times(m), 1e-13);
      assertAbove(other.spread, m, 0);
      const both = composeMeanConcentrated([one, other]);
      assertAbove(both.mean, big(one.mean).plus(big(other.mean)), 1e-13);
      assertAbove(both.spread, sqrt(e.times(e).plus(m.times(m))), 1e-13);
      const tail = sqrt(big(-2).times(log(big(delta)))).times(big(both.spread));
      assertAbove(meanConcentratedEpsilon(both, { delta }), tail.plus(big(both.mean)), 1e-13);
      const spread = half.times(big(both.spread)).times(big(both.spread));
      const rho = spread.gt(both.mean) ? spread : big(both.mean);
      assertAbove(zcdpOfMeanConcentrated(both), rho, 1e-13);
    }),
    options,
  );
});

// Mutants: the moment as a sum of exponentials, whose digits cancel for a small ε (nothing is left below 1e-8).
Deno.test("Rényi curves are their closed forms rounded up, at every order", () => {
  fc.assert(
    fc.property(scale(1e-12, 2000), orders, (value, order) => {
      const v = big(value), a = big(order), less = a.minus(1);
      assertAbove(gaussianRenyi({ mu: value })(order), half.times(a).times(v).times(v), 1e-11);
      assertAbove(zcdpRenyi({ rho: value })(order), a.times(v), 1e-11);
      const both = composeRenyi([gaussianRenyi({ mu: value }), zcdpRenyi({ rho: value })]);
      assertAbove(both(order), half.times(v).plus(1).times(a).times(v), 1e-11);
      const twice = a.times(2).minus(1);
      const laplace = log(
        a.div(twice).times(exp(less.times(v))).plus(
          less.div(twice).times(exp(a.negated().times(v))),
        ),
      ).div(less);
      assertAbove(laplaceRenyi({ epsilon: value })(order), laplace, 1e-11);
      // Randomised response: Σ p^a·q^(1 − a).
      const truth = log(big(1).plus(exp(v.negated()))).negated(), lie = truth.minus(v);
      const rest = big(1).minus(a);
      const sum = exp(a.times(truth).plus(rest.times(lie)))
        .plus(exp(a.times(lie).plus(rest.times(truth))));
      assertAbove(pureRenyi({ epsilon: value })(order), log(sum).div(less), 1e-11);
    }),
    options,
  );
});

Deno.test("renyiEpsilon() and renyiDelta() of one order are the conversion rounded up", () => {
  fc.assert(
    fc.property(scale(1e-3, 10), orders, deltas, scale(1e-3, 20), (rho, order, delta, epsilon) => {
      const curve = (): number => rho, a = big(order), less = a.minus(1);
      const shrink = log(less.div(a));
      const exact = big(rho).plus(shrink).minus(log(a.times(delta)).div(less));
      const value = renyiEpsilon(curve, { delta, orders: [order] });
      if (value > 0) {
        assert(exact.lte(big(value)), `${value} is below ${exact.toString()}`);
        assert(exact.gte(value - 1e-9 * (1 + value + 1 / (order - 1))));
      } else assert(exact.lte(0));
      const tail = exp(
        less.times(big(rho).minus(big(epsilon))).plus(less.times(shrink)).minus(log(a)),
      );
      const bound = renyiDelta(curve, { epsilon, orders: [order] });
      if (bound < 1) assertAbove(bound, tail, 1e-9 * order * (1 + rho + epsilon));
      else assert(tail.gte(1 - 1e-9));
    }),
    options,
  );
});

Deno.test("zCDP of claims, of bounded ranges and at a δ are their closed forms rounded up", () => {
  const relation = replaceOne;
  fc.assert(
    fc.property(epsilons, deltas, (value, delta) => {
      const v = big(value), square = v.times(v);
      assertAbove(zcdpOfClaim(pure({ epsilon: value, relation }))!.rho, square.div(2), 1e-15);
      assertAbove(zcdpOfClaim(gaussian({ mu: value, relation }))!.rho, square.div(2), 1e-15);
      assertAbove(zcdpOfBoundedRange({ epsilon: value }), square.div(8), 1e-15);
      const simple = v.plus(sqrt(v.times(log(big(delta))).negated()).times(2));
      const conversion = "bun-steinke";
      assertAbove(zcdpEpsilon({ rho: value }, { delta, conversion }), simple, 1e-13);
      assert(zcdpEpsilon({ rho: value }, { delta }) <= simple.toNumber() * (1 + 1e-13));
    }),
    options,
  );
});

// Mutants: room for the roundings of one term only, where two large ones cancel.
Deno.test("renyiEpsilon() of one order is rounded up where its terms are large or cancel", () => {
  fc.assert(
    fc.property(scale(1e3, 1e9), scale(2, 100), scale(1e-9, 1e-3), (rho, order, rest) => {
      const a = big(order), less = a.minus(1);
      const shrink = (delta: number): BigNumber =>
        log(less.div(a)).minus(log(a.times(delta)).div(less));
      const large = renyiEpsilon(() => rho, { delta: 0.4, orders: [order] });
      assertAbove(large, big(rho).plus(shrink(0.4)), 1e-11);
      // A δ of nearly 1 makes the second term negative.
      const bonus = shrink(0.9), near = -bonus.toNumber() * (1 + rest);
      const small = renyiEpsilon(() => near, { delta: 0.9, orders: [order] });
      assert(big(near).plus(bonus).lte(small), `${small}`);
    }),
    options,
  );
});

// Mutants: a search that ends too early, or that one order which is no number puts off.
Deno.test("renyiEpsilon() and renyiDelta() are the least over a fine grid of orders", () => {
  fc.assert(
    fc.property(scale(1e-12, 1e6), deltas, (rho, delta) => {
      const curve = zcdpRenyi({ rho });
      const grid = Array.from({ length: 2801 }, (_, i) => 1 + Math.exp(-12 + i / 100));
      const epsilon = renyiEpsilon(curve, { delta });
      assert(epsilon <= renyiEpsilon(curve, { delta, orders: grid }) * (1 + 1e-9));
      const at = 2 * epsilon + 1e-300;
      assert(
        renyiDelta(curve, { epsilon: at }) <=
          renyiDelta(curve, { epsilon: at, orders: grid }) * (1 + 1e-7),
      );
    }),
    { ...options, numRuns: 40 },
  );
  const curve = zcdpRenyi({ rho: 0.1 }),
    partly = (order: number): number => order < 1.5 ? NaN : curve(order);
  assert(renyiEpsilon(partly, { delta: 1e-6 }) === renyiEpsilon(curve, { delta: 1e-6 }));
});

Deno.test("composeRenyi() is rounded up for 3,000 parts, and renyiDelta() ends at 1", () => {
  for (const value of [0.7, 0.9, 1.1, 1.3]) {
    const sum = composeRenyi(Array.from({ length: 3000 }, () => () => value))(2);
    assertAbove(sum, big(value).times(3000), 1e-11);
  }
  assert(composeRenyi([() => 0.1, () => 0.2, () => 0.7])(2) > 1);
  assert(renyiDelta(zcdpRenyi({ rho: 100 }), { epsilon: 0 }) === 1);
});

// Mutant: a divergence that underflows counted as none, so that any number of runs is free.
Deno.test("Rényi curves are above 0 for every mechanism that is not constant", () => {
  const tiny = 1e-200;
  for (
    const curve of [
      gaussianRenyi({ mu: tiny }),
      zcdpRenyi({ rho: Number.MIN_VALUE }),
      laplaceRenyi({ epsilon: tiny }),
      pureRenyi({ epsilon: tiny }),
    ]
  ) {
    for (const order of [1 + 1e-9, 2, 1e6]) assert(curve(order) > 0 && curve(order) < 1e-180);
  }
});

// Mutants: no room for the rounding of size·ε, which e^(size·ε) multiplies.
Deno.test("groupPrivacy() rounds δ up for every size and ε", () => {
  const relation = replaceOne;
  fc.assert(
    fc.property(
      scale(1e-6, 0.7),
      scale(1e-300, 1e-280),
      fc.integer({ min: 2, max: 900 }),
      (epsilon, delta, size) => {
        const group = groupPrivacy(approximate({ epsilon, delta, relation }), { size });
        const e = big(epsilon), growth = exp(e.times(size)).minus(1).div(exp(e).minus(1));
        if (group.kind === "approximate") {
          assertAbove(
            group.delta,
            growth.times(big(delta)),
            2e-14 * (1 + size * epsilon),
          );
        }
      },
    ),
    { ...options, numRuns: 400 },
  );
});
