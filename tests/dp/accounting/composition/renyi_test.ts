import { assert, assertAlmostEquals, assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import {
  gaussianRenyi,
  laplaceRenyi,
  pureRenyi,
  renyiComposition,
  renyiDelta,
  renyiEpsilon,
  renyiOfClaim,
  zcdpRenyi,
} from "../../../../lib/dp/accounting/composition/renyi.ts";
import { approximate, deltaAt, gaussian, pure, renyi } from "../../../../lib/core/mod.ts";
import { replaceOne } from "../../../../lib/core/relations/relation.ts";
import { epsilons, slacks } from "../arbitraries.ts";

const orders = fc.double({ min: 1.01, max: 50, noNaN: true });

type Density = (x: number) => number;

/** The divergence of order a of two densities on [−reach, reach], by the midpoint rule. */
function integrated(order: number, [p, q, reach]: readonly [Density, Density, number]): number {
  let sum = 0;
  const step = 1e-3;
  for (let x = -reach + step / 2; x < reach; x += step) {
    sum += p(x) ** order * q(x) ** (1 - order) * step;
  }
  return Math.log(sum) / (order - 1);
}

// Mutants: swapping the two exponents; a scale of ε in place of 1/ε.
Deno.test("laplaceRenyi() and gaussianRenyi() are the divergences when integrated", () => {
  for (const order of [1.5, 2, 7]) {
    const laplace = (at: number): Density => (x) => 0.5 * Math.exp(-Math.abs(x - at));
    // At scale 1, ε is the distance.
    assertAlmostEquals(
      laplaceRenyi({ epsilon: 0.7 })(order),
      integrated(order, [laplace(0), laplace(0.7), 40]),
      1e-6,
    );
    const normal = (at: number): Density => (x) =>
      Math.exp(-0.5 * (x - at) ** 2) / Math.sqrt(2 * Math.PI);
    assertAlmostEquals(
      gaussianRenyi({ mu: 0.7 })(order),
      integrated(order, [normal(0), normal(0.7), 12]),
      1e-6,
    );
  }
});

// Mutant: the bound ε²·order/2 alone, which exceeds ε at large orders.
Deno.test("pureRenyi() increases with the order, dominates Laplace, and is at most ε and ε²·order/2", () => {
  fc.assert(
    fc.property(epsilons, orders, (epsilon, order) => {
      const curve = pureRenyi({ epsilon });
      assert(curve(order) <= epsilon * (1 + 1e-11));
      assert(curve(order) <= 0.5 * order * epsilon * epsilon * (1 + 1e-9));
      assert(curve(order + 0.1) >= curve(order) * (1 - 1e-9));
      assert(laplaceRenyi({ epsilon })(order) <= curve(order) * (1 + 1e-9));
    }),
    { seed: 61 },
  );
  // Randomised response at order 2: ln(p²/q + q²/p) with p = 3/4.
  assertAlmostEquals(pureRenyi({ epsilon: Math.log(3) })(2), Math.log(9 / 4 + 1 / 12), 1e-11);
});

// Mutant: averaging.
Deno.test("renyiComposition() adds divergences, and keeps a curve when composed with nothing", () => {
  const curve = gaussianRenyi({ mu: 1 });
  assertStrictEquals(renyiComposition([curve]), curve);
  assertEquals(renyiComposition([])(2), 0);
  const both = renyiComposition([curve, zcdpRenyi({ rho: 0.5 })])(3);
  assert(both >= 3 && both < 3 + 1e-10);
});

// Mutants: the older conversion ε + ln(1/δ)/(order − 1) (6.2 here, not 5.5); the sign of ln(1 − 1/order).
Deno.test("renyiEpsilon() and renyiDelta() are sound for Gaussian noise, near its exact curve, inverse to each other", () => {
  fc.assert(
    fc.property(epsilons, slacks, (mu, delta) => {
      const curve = gaussianRenyi({ mu });
      const epsilon = renyiEpsilon(curve, { delta });
      const exact = deltaAt(gaussian({ mu, relation: replaceOne }), epsilon);
      assert(exact <= delta);
      assert(renyiDelta(curve, { epsilon }) <= delta * (1 + 1e-6) || epsilon === 0);
      assert(renyiEpsilon(curve, { delta: delta / 2 }) >= epsilon);
    }),
    { seed: 62, numRuns: 40 },
  );
  const epsilon = renyiEpsilon(gaussianRenyi({ mu: 1 }), { delta: 1e-6 });
  assert(epsilon > 4.8862 && epsilon < 5.3, `${epsilon}`);
  assert(renyiEpsilon(gaussianRenyi({ mu: 1 }), { delta: 1e-6, orders: [2, 6, 8] }) >= epsilon);
});

// Mutant: letting one order speak for those above it.
Deno.test("renyiOfClaim() says nothing above a claim's order", () => {
  const curve = renyiOfClaim(renyi({ order: 8, epsilon: 0.3, relation: replaceOne }));
  assertEquals([curve(8), curve(2), curve(8.1)], [0.3, 0.3, Infinity]);
  const strong = renyiOfClaim(pure({ epsilon: 0.5, relation: replaceOne }));
  assertEquals(strong(3), pureRenyi({ epsilon: 0.5 })(3));
});

// Mutants: a δ of 0 that is no pure claim; any other δ that is one.
Deno.test("renyiOfClaim() says nothing of an approximate claim unless its δ is 0", () => {
  const claim = (delta: number): number =>
    renyiOfClaim(approximate({ epsilon: 0.5, delta, relation: replaceOne }))(3);
  assertEquals([claim(1e-300), claim(0)], [Infinity, pureRenyi({ epsilon: 0.5 })(3)]);
});
