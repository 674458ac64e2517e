import { assert } from "@std/assert";
import { renyiTradeOff } from "../../../../lib/core/claims/trade_off/renyi_trade_off.ts";

const BOUNDS = [[1.2, 0.02], [2, 1], [3, 0.7], [20, 2]] as const;

/** D_order of Bernoulli(u) from Bernoulli(q), with 1 − u and 1 − q given beside them, for they may be near 0. */
function divergence(
  order: number,
  [u, otherU]: readonly [number, number],
  [q, otherQ]: readonly [number, number],
): number {
  const power = (a: number, b: number): number => order * Math.log(a) + (1 - order) * Math.log(b);
  const x = power(u, q), y = power(otherU, otherQ), most = Math.max(x, y);
  return (most + Math.log1p(Math.exp(Math.min(x, y) - most))) / (order - 1);
}

/** The larger of both ways round. */
function worst(order: number, u: readonly [number, number], q: readonly [number, number]): number {
  return Math.max(divergence(order, u, q), divergence(order, q, u));
}

const at = (t: number): [number, number] => [1 / (1 + Math.exp(-t)), 1 / (1 + Math.exp(t))];

// Mutants: bounds that are not widened; tangents twice as far apart, or none where 1 − u is what is allowed.
Deno.test("renyiTradeOff() lies a little below what is allowed, by more than rounding can hide", () => {
  for (const [order, bound] of BOUNDS) {
    const allowed = renyiTradeOff([{ order, bound }]);
    const excess = (t: number): number => {
      const u = at(t), q = allowed(u[0]);
      return worst(order, u, [q, 1 - q]) / bound - 1;
    };
    let least = Infinity, closest = 0;
    for (let t = -6; t <= 2; t += 0.001) {
      const here = excess(t);
      assert(here > 4e-10, `order ${order} at ${t}: ${here}`);
      if (here < least) [least, closest] = [here, t];
    }
    // Next to a tangent's point.
    let low = closest - 0.001, high = closest + 0.001;
    for (let i = 0; i < 60; i++) {
      const a = low + (high - low) / 3, b = high - (high - low) / 3;
      if (excess(a) < excess(b)) high = b;
      else low = a;
    }
    const tangent = excess((low + high) / 2);
    assert(tangent > 4e-10 && tangent < 4e-9, `order ${order}: ${tangent}`);
  }
});

/** The least q that is allowed, by bisection of its logit. */
function exactLeast(order: number, bound: number, t: number): number {
  let low = t - 200, high = t;
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (worst(order, at(t), at(middle)) > bound) low = middle;
    else high = middle;
  }
  return at(high)[0];
}

// For orders of 2 and more q bends no more than u², of which tangents h apart in logit miss (h/2)².
Deno.test("renyiTradeOff() misses what tangents 0.05 apart miss, 0.5 where u is below e^−12", () => {
  for (const [order, bound] of BOUNDS.slice(1)) {
    const allowed = renyiTradeOff([{ order, bound }]);
    for (let t = -30; t <= 6; t += 0.013) {
      const exact = exactLeast(order, bound, t);
      if (exact < 1e-300) continue;
      const missed = 1 - allowed(at(t)[0]) / exact;
      assert(missed <= (t < -10 ? 0.065 : 6.5e-4), `order ${order} at ${t}: ${missed}`);
      // Where q is about 1 − u it bends least: a tangent that lacks there shows here.
      const fromCentre = t + Math.log(exact / (1 - exact));
      assert(missed <= 1e-4 || Math.abs(fromCentre) > 0.1, `order ${order} at ${t}: ${missed}`);
    }
  }
});

// Mutants: mirrored tangents that are where 1 − q is rounded to.
Deno.test("renyiTradeOff() is sound where 1 − u is so small that doubles near 1 tell few apart", () => {
  for (const [order, bound] of BOUNDS) {
    const allowed = renyiTradeOff([{ order, bound }]);
    for (let k = 1; k < 2 ** 17; k += k < 2 ** 10 ? 1 : 7) {
      // 1 − u is exactly this, and 1 − q what is left of q.
      const otherU = k * 2 ** -53, u = 1 - otherU, q = allowed(u);
      assert(1 - u === otherU);
      const reached = worst(order, [u, otherU], [q, 1 - q]);
      assert(reached >= bound * (1 - 1e-9), `order ${order}, 1 − u = ${otherU}: ${reached}`);
    }
  }
});

Deno.test("renyiTradeOff() is a number from 0 to u for bounds of any size", () => {
  for (const [order, bound] of [[1.001, 5], [1000, 1e-3], [2, 1e-6], [2, 600], [1.5, 2000]]) {
    const allowed = renyiTradeOff([{ order: order!, bound: bound! }]);
    for (const u of [0, 1e-300, 1e-16, 1e-6, 0.3, 0.5, 0.7, 1 - 1e-9, 1]) {
      const q = allowed(u);
      assert(q >= 0 && q <= u * (1 + 1e-12) + 1e-300, `order ${order} at ${u}: ${q}`);
    }
  }
});
