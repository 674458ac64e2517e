import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { confidenceGainProbability } from "../../../lib/papers/breaches/sulq_condition.ts";
import { sulqAccounting, sulqRho } from "../../../lib/papers/sulq/sulq_accounting.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";

// Mutants: no rounding up; queries or sensitivity left out; 2R taken once.
Deno.test("sulqRho() is at least queries·squaredSensitivity/(2R) in fractions, and hardly more", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1e-9, max: 1e15, noNaN: true }),
      fc.integer({ min: 1, max: 1e9 }),
      fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
      (variance, queries, squaredSensitivity) => {
        const rho = rational(sulqRho({ variance, queries, squaredSensitivity }));
        const [r, s] = [rational(variance), rational(squaredSensitivity)];
        // rho·2R·(denominators) against queries·s, both as integers.
        const left = rho.numerator * 2n * r.numerator * s.denominator;
        const right = BigInt(queries) * s.numerator * r.denominator * rho.denominator;
        assert(left >= right && left * 10n ** 14n <= right * (10n ** 14n + 1n));
      },
    ),
    { seed: 2104, numRuns: 2000 },
  );
  assertAlmostEquals(sulqRho({ variance: 2, queries: 3 }), 0.75, 1e-14);
});

Deno.test("sulqRho() refuses numbers out of range by name", () => {
  const right = { variance: 1, queries: 1, squaredSensitivity: 1 };
  for (
    const [wrong, name] of [
      [{ variance: 0 }, "variance"],
      [{ variance: -1, queries: 1 }, "variance"],
      [{ queries: 0 }, "queries"],
      [{ queries: 1.5 }, "queries"],
      [{ squaredSensitivity: 0 }, "squaredSensitivity"],
      [{ squaredSensitivity: -2 }, "squaredSensitivity"],
      [{ squaredSensitivity: NaN }, "squaredSensitivity"],
    ] as const
  ) {
    assertThrows(
      () => sulqRho({ ...right, ...wrong }),
      RangeError,
      `Cannot account for SuLQ: ${name}`,
    );
  }
});

// The condition as printed: R > 8T·ln²(T/δ)/ε², so that its ε is √(8T/R)·ln(T/δ).
Deno.test("sulqAccounting() gives the ε at the edge of the condition, from far below 1 to far above", () => {
  for (
    const [variance, queries, delta] of [[1e9, 10, 1e-6], [1e5, 100, 1e-3], [20, 5, 0.01], [
      0.01,
      300,
      0.2,
    ]] as const
  ) {
    const { published } = sulqAccounting({ variance, queries }, { delta });
    const edge = Math.sqrt(8 * queries / variance) * Math.log(queries / delta);
    assert(published.epsilon >= edge * (1 - 1e-15), `${published.epsilon} ${edge}`);
    assertAlmostEquals(published.epsilon, edge, 2e-12 * edge);
    assertEquals(published.delta, delta);
  }
});

// Mutants: one of both conditions alone.
Deno.test("sulqAccounting()'s exact gain keeps the probability of a larger gain within δ, and no ε below does", () => {
  for (
    const [variance, queries, delta] of [[1e9, 10, 1e-6], [1e5, 100, 1e-3], [20, 5, 0.01]] as const
  ) {
    const { exactGain, concentrated, rho } = sulqAccounting({ variance, queries }, { delta });
    const chance = (epsilon: number): number =>
      confidenceGainProbability({ epsilon, queries, variance });
    assert(chance(exactGain.epsilon) <= delta);
    assert(chance(exactGain.epsilon * (1 - 1e-9)) > delta * (1 - 1e-6), `${exactGain.epsilon}`);
    assertEquals(exactGain.delta, delta);
    // Differential privacy averages over the gains beyond ε, the paper counts them.
    assert(concentrated.epsilon < exactGain.epsilon);
    assertEquals([concentrated.delta, rho], [delta, sulqRho({ variance, queries })]);
  }
});
