import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { tradeOff } from "../../../../lib/core/claims/trade_off/trade_off.ts";
import {
  approximate,
  type Claim,
  deltaAt,
  gaussian,
  pure,
  renyi,
  zcdp,
} from "../../../../lib/core/mod.ts";
import { replaceOne as relation } from "../../../../lib/core/relations/relation.ts";

const claims: readonly Claim[] = [
  pure({ epsilon: 0.1, relation }),
  pure({ epsilon: 3, relation }),
  approximate({ epsilon: 1, delta: 0.05, relation }),
  gaussian({ mu: 0.3, relation }),
  gaussian({ mu: 3, relation }),
  renyi({ order: 2, epsilon: 0.5, relation }),
  renyi({ order: 30, epsilon: 2, relation }),
  zcdp({ rho: 0.01, relation }),
  zcdp({ rho: 1, relation }),
];
const functions = claims.map((claim) => ({ claim, allowed: tradeOff(claim) }));
/** Both ends of (0, 1) as well as its middle. */
const share = fc.double({ min: -12, max: 12, noNaN: true }).map((t) => 1 / (1 + Math.exp(-t)));
const any = fc.constantFrom(...functions);

Deno.test("tradeOff() is convex, increasing and at most u", () => {
  fc.assert(
    fc.property(
      any,
      share,
      share,
      fc.double({ min: 0, max: 1, noNaN: true }),
      ({ allowed }, a, b, mix) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const [atLow, atHigh] = [allowed(low), allowed(high)];
        assert(atLow >= 0 && atLow <= low * (1 + 1e-12) && atHigh >= atLow);
        const middle = allowed(mix * low + (1 - mix) * high);
        assert(middle <= (mix * atLow + (1 - mix) * atHigh) * (1 + 1e-9) + 1e-15);
      },
    ),
    { seed: 21, numRuns: 2000 },
  );
});

Deno.test("tradeOff() is symmetric: what S may do, the rest may do the other way round", () => {
  fc.assert(
    fc.property(any, share, ({ claim, allowed }, u) => {
      const q = allowed(u);
      if (q < 1e-9 || u > 1 - 1e-6) return;
      const mirrored = allowed(1 - q);
      // Rényi curves come from tangents, 0.05 apart in logit.
      const relative = claim.kind === "renyi" || claim.kind === "zcdp" ? 2e-3 : 1e-9;
      assertAlmostEquals(mirrored, 1 - u, relative * Math.min(u, 1 - u) + 1e-12 / q);
    }),
    { seed: 22, numRuns: 2000 },
  );
});

Deno.test("tradeOff() agrees with deltaAt(): u − e^ε q reaches δ(ε), and never passes it", () => {
  // 0.002 in logit is at most 0.0005 in u: that much can be missed next to a corner.
  const us = Array.from({ length: 14_001 }, (_, i) => 1 / (1 + Math.exp(14 - 0.002 * i)));
  for (const { claim, allowed } of functions) {
    const qs = us.map(allowed);
    // The Rényi conversion of deltaAt() is not tight, and their curve is made of tangents from below.
    const concentrated = claim.kind === "renyi" || claim.kind === "zcdp";
    for (const epsilon of [0, 0.05, 0.1, 0.5, 1, 2, 4]) {
      const delta = deltaAt(claim, epsilon), growth = Math.exp(epsilon);
      const reached = us.reduce((most, u, i) => Math.max(most, u - growth * qs[i]!), 0);
      const name = `${claim.kind} at ${epsilon}: ${reached}, ${delta}`;
      assert(reached <= delta + 1e-9 + (concentrated ? 1e-2 * delta : 0), name);
      if (!concentrated) assert(reached >= delta - 1e-3, name);
      else if (delta < 1 && delta > 1e-9) assert(reached >= 0.2 * delta, name);
    }
  }
});

Deno.test("tradeOff() of a Rényi claim allows no q that the divergences forbid by a hair, and is tight", () => {
  for (const [order, bound] of [[1.2, 0.02], [3, 0.7], [20, 2]] as const) {
    const allowed = tradeOff(renyi({ order, epsilon: bound, relation }));
    const divergence = (p: number, q: number): number =>
      Math.log(p ** order * q ** (1 - order) + (1 - p) ** order * (1 - q) ** (1 - order)) /
      (order - 1);
    for (let i = 1; i < 1000; i++) {
      const u = i / 1000, q = allowed(u);
      const worst = (at: number): number => Math.max(divergence(u, at), divergence(at, u));
      assert(worst(q) >= bound, `not sound at ${u}`);
      assert(
        worst(q * (1 + 1e-3)) <= bound * (1 + 1e-2),
        `not tight at ${u}: ${worst(q * (1 + 1e-3))}`,
      );
    }
  }
});

Deno.test("tradeOff() of a zCDP claim contains the Gaussian mechanism that it describes", () => {
  for (const mu of [0.1, 0.5, 1, 3]) {
    const exact = tradeOff(gaussian({ mu, relation }));
    const concentrated = tradeOff(zcdp({ rho: mu * mu / 2, relation }));
    for (let t = -14; t <= 14; t += 0.1) {
      const u = 1 / (1 + Math.exp(-t));
      assert(concentrated(u) <= exact(u), `mu ${mu}, u ${u}`);
    }
  }
});

Deno.test("tradeOff() has closed forms at the ends", () => {
  for (const { claim, allowed } of functions) {
    assertEquals(allowed(0), 0);
    const missing = claim.kind === "approximate" ? claim.delta : 0;
    assertAlmostEquals(allowed(1), 1 - missing, 1e-6);
  }
  assertEquals(tradeOff(pure({ epsilon: 2000, relation }))(1), 1);
});
