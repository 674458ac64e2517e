import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  amountDown,
  amountUp,
  pureAmountUp,
} from "../../../../lib/judge/exact/alignment/noise_divergence.ts";
import { normalTail, normalTailQuantile } from "../../../../lib/core/numeric/normal_tail.ts";

const ORDERS = [1.01, 1.5, 2, 4, 16, 64];
const SHIFTS = [1e-3, 0.1, 0.5, 1, 2, 5];

/** The Rényi divergence of Laplace noise at 0 from that at x, by Simpson's rule between its kinks. */
function divergence(order: number, x: number): number {
  const moment = (y: number): number =>
    0.5 * Math.exp(-order * Math.abs(y) + (order - 1) * Math.abs(y - x));
  let sum = 0;
  for (const [from, to] of [[-40, 0], [0, x], [x, x + 40]] as const) {
    const parts = 20_000, width = (to - from) / parts;
    for (let i = 0; i <= parts; i++) {
      sum += moment(from + i * width) * width * (i === 0 || i === parts ? 1 : i % 2 === 0 ? 2 : 4) /
        3;
    }
  }
  return Math.log(sum) / (order - 1);
}

// Mutants: ε for the divergence; a term left out; squares that are not added.
Deno.test("amountUp() is what two places of Laplace noise tell, at every order", () => {
  for (const x of SHIFTS) {
    const noise = { laplace: [x], muSquared: 0 };
    const rho = amountUp({ kind: "zcdp" }, noise);
    for (const order of ORDERS) {
      const known = divergence(order, x);
      assertAlmostEquals(amountUp({ kind: "renyi", order }, noise), known, 1e-8 + 1e-8 * known);
      assert(known <= order * rho * (1 + 1e-8) + 1e-8, `${x} at ${order}`);
    }
    // The limit at order 1 attains it.
    assertAlmostEquals(rho, x + Math.exp(-x) - 1, 1e-10);
    assertAlmostEquals(divergence(1.0001, x), rho, 3e-4);
  }
  const two = { laplace: [1, 2], muSquared: 0.25 };
  for (const kind of [{ kind: "zcdp" }, { kind: "renyi", order: 3 }] as const) {
    const sum = amountUp(kind, { laplace: [1], muSquared: 0 }) +
      amountUp(kind, { laplace: [2], muSquared: 0.25 });
    assertAlmostEquals(amountUp(kind, two), sum, 1e-9);
  }
});

// Mutants: μ where the trade-off function has its kinks.
Deno.test("amountUp() is the least μ of Laplace noise, and pureAmountUp() that of randomised response", () => {
  const below = (mu: number, tradeOff: (a: number) => number): boolean => {
    for (let k = 1; k < 2000; k++) {
      const a = k / 2000;
      // Φ(Φ⁻¹(1 − a) − μ), and Φ⁻¹(1 − a) is the quantile of the tail a.
      const gaussian = normalTail(mu - normalTailQuantile(a));
      if (gaussian > tradeOff(a) + 1e-12) return false;
    }
    return true;
  };
  for (const x of [0.1, 0.5, 1, 2, 5]) {
    const laplace = (a: number): number =>
      a < Math.exp(-x) / 2
        ? 1 - Math.exp(x) * a
        : a < 0.5
        ? Math.exp(-x) / (4 * a)
        : Math.exp(-x) * (1 - a);
    const mu = amountUp({ kind: "gaussian" }, { laplace: [x], muSquared: 0 });
    assert(below(mu, laplace) && !below(0.99 * mu, laplace), `${x}: ${mu}`);
    const response = (a: number): number =>
      Math.max(0, 1 - Math.exp(x) * a, Math.exp(-x) * (1 - a));
    const pure = pureAmountUp({ kind: "gaussian" }, x);
    assert(below(pure, response) && !below(0.99 * pure, response), `${x}: ${pure}`);
    assert(mu < pure);
  }
});

// Mutants: ε²/2; an ε that underflows.
Deno.test("pureAmountUp() is what randomised response tells", () => {
  for (const epsilon of [1e-3, 0.1, 1, 3, 8]) {
    const p = 1 / (1 + Math.exp(-epsilon)), q = 1 / (1 + Math.exp(epsilon));
    const rho = pureAmountUp({ kind: "zcdp" }, epsilon);
    assertAlmostEquals(rho, (p - q) * epsilon, 1e-9);
    for (const order of ORDERS) {
      const known = Math.log(p ** order * q ** (1 - order) + q ** order * p ** (1 - order)) /
        (order - 1);
      assertAlmostEquals(pureAmountUp({ kind: "renyi", order }, epsilon), known, 1e-9 * order);
      assert(known <= order * rho + 1e-9, `${epsilon} at ${order}`);
    }
  }
  assertEquals(pureAmountUp({ kind: "gaussian" }, 1000), Infinity);
  assertEquals(pureAmountUp({ kind: "renyi", order: 2 }, 1000) >= 1000, true);
});

Deno.test("amountDown() is at most what amountUp() is, and near it for one draw", () => {
  for (const x of [1e-6, 1e-3, 1, 100, 3000]) {
    for (
      const kind of [{ kind: "zcdp" }, { kind: "gaussian" }, { kind: "renyi", order: 2 }] as const
    ) {
      const noise = { laplace: [x], muSquared: 0 };
      const up = amountUp(kind, noise), down = amountDown(kind, noise);
      assert(down <= up && down > 0, `${kind.kind} at ${x}`);
      if (x <= 1000) assert(up - down <= 1e-10 * up + 3e-14, `${kind.kind} at ${x}`);
    }
  }
  // Of several draws each alone shows its μ.
  const several = { laplace: [1, 1], muSquared: 4 };
  assertAlmostEquals(amountDown({ kind: "gaussian" }, several), 2, 1e-9);
});
