import { assert } from "@std/assert";
import fc from "fast-check";
import {
  gaussianRenyi,
  laplaceRenyi,
  pureRenyi,
  renyiComposition,
  renyiDelta,
  renyiEpsilon,
  zcdpRenyi,
} from "../../../lib/dp/accounting/composition/renyi.ts";
import { type BigNumber, bigNumber as big } from "../../core/numeric/big_number.ts";
import { assertAbove, deltas, exp, half, log, options, orders, scale } from "./rounded_up_cases.ts";

// Mutants: the moment as a sum of exponentials, whose digits cancel for a small ε (nothing is left below 1e-8).
Deno.test("Rényi curves are their closed forms rounded up, at every order", () => {
  fc.assert(
    fc.property(scale(1e-12, 2000), orders, (value, order) => {
      const v = big(value), a = big(order), less = a.minus(1);
      assertAbove(gaussianRenyi({ mu: value })(order), half.times(a).times(v).times(v), 1e-11);
      assertAbove(zcdpRenyi({ rho: value })(order), a.times(v), 1e-11);
      const both = renyiComposition([gaussianRenyi({ mu: value }), zcdpRenyi({ rho: value })]);
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

// Mutants: a margin for the roundings of one term only, where two large ones cancel.
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

Deno.test("renyiComposition() is rounded up for 3,000 parts, and renyiDelta() ends at 1", () => {
  for (const value of [0.7, 0.9, 1.1, 1.3]) {
    const sum = renyiComposition(Array.from({ length: 3000 }, () => () => value))(2);
    assertAbove(sum, big(value).times(3000), 1e-11);
  }
  assert(renyiComposition([() => 0.1, () => 0.2, () => 0.7])(2) > 1);
  assert(renyiDelta(zcdpRenyi({ rho: 100 }), { epsilon: 0 }) === 1);
});

// Mutant: 0 where δ underflows, which promises more than the curve does.
Deno.test("renyiDelta() is above 0 where it underflows", () => {
  for (const epsilon of [100, 1e4, 1e300]) {
    assert(renyiDelta(zcdpRenyi({ rho: 0.5 }), { epsilon }) === Number.MIN_VALUE);
    assert(renyiDelta(zcdpRenyi({ rho: 0.5 }), { epsilon, orders: [50] }) === Number.MIN_VALUE);
  }
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
