import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { normalTailQuantile } from "../../../lib/core/numeric/normal_tail.ts";
import { divide, multiply, rational, subtract } from "../../../lib/core/numeric/rational.ts";
import { exactLog, isJustAbove } from "../../dp/mechanisms/exact_log.ts";
import {
  confidence,
  confidenceGainProbability,
  confidenceGrowth,
  leastSulqVariance,
  sulqVariance,
} from "../../../lib/papers/breaches/sulq_condition.ts";

Deno.test("SuLQ's condition takes T from 1, δ below 1, and noise of any variance", () => {
  const good = { epsilon: 1, delta: 0.1, queries: 1 };
  for (const make of [sulqVariance, leastSulqVariance]) {
    make(good);
    make({ ...good, delta: 1 - 1e-12 });
    for (const delta of [0, 1, 1.5]) {
      assertThrows(() => make({ ...good, delta }), RangeError, "delta must be");
    }
    for (const queries of [0, 1.5]) {
      assertThrows(() => make({ ...good, queries }), RangeError, "queries must be");
    }
    assertThrows(() => make({ ...good, epsilon: 0 }), RangeError, "epsilon must be");
  }
  for (const queries of [0, 1.5]) {
    assertThrows(() => confidenceGrowth({ queries, variance: 1 }), RangeError, "queries must be");
  }
  confidenceGrowth({ queries: 1, variance: 1e-3 });
  for (const variance of [0, NaN]) {
    assertThrows(() => confidenceGrowth({ queries: 1, variance }), RangeError, "variance must be");
  }
  assertThrows(
    () => confidenceGainProbability({ epsilon: 0, queries: 1, variance: 1 }),
    RangeError,
    "epsilon must be",
  );
  // Next to no noise: the gain is certain, and no more than that.
  assertEquals(confidenceGainProbability({ epsilon: 1e-9, queries: 9, variance: 1e-9 }), 1);
});

/** P(Z > z) of the normal law, from tables (Abramowitz, Stegun 1964, Table 26.1) and by more digits. */
const TAILS = [
  [0, 0.5],
  [1, 0.158655253931457051],
  [2, 0.0227501319481792072],
  [3, 0.00134989803163009453],
  [5, 2.86651571879193912e-7],
] as const;

// Mutants: roundings to the nearest.
Deno.test("chances and variances of SuLQ are rounded up, by as much as may be lost", () => {
  for (const [z, tail] of TAILS) {
    // Mean 1/2, deviation 1.
    const found = confidenceGainProbability({ epsilon: 0.5 + z, queries: 1, variance: 1 });
    assert(found >= tail * (1 + 5e-13) && found <= tail * (1 + 2e-12), `${z}: ${found}`);
  }
  for (let epsilon = 0.013; epsilon < 3; epsilon *= 1.37) {
    for (const queries of [1, 3, 100, 12345]) {
      // At δ = 1/2 half of the gains are above their mean: μ²/2 = ε.
      const even = leastSulqVariance({ epsilon, delta: 0.5, queries });
      const share = even / (queries / (2 * epsilon)) - 1;
      assert(share > 5e-12 && share < 2e-11, `${epsilon}, ${queries}: ${share}`);
      for (const delta of [0.3, 0.01, 1e-5, 1e-9]) {
        const logarithm = exactLog(divide(rational(queries), rational(delta)));
        const exact = divide(
          multiply(rational(8 * queries), multiply(logarithm, logarithm)),
          multiply(rational(epsilon), rational(epsilon)),
        );
        const variance = sulqVariance({ epsilon, delta, queries });
        assert(isJustAbove(variance, exact, { share: 2e-14 }), `${epsilon}, ${queries}, ${delta}`);
        assert(subtract(rational(variance), exact).numerator > 0n);
      }
    }
  }
});

// Mutants: the form of the root that loses digits.
Deno.test("leastSulqVariance() solves μ²/2 + zμ = ε to ten digits, however small ε", () => {
  for (const epsilon of [1e-9, 1e-6, 0.1, 10]) {
    for (const delta of [1e-12, 0.01, 0.2, 0.5, 0.8, 0.99]) {
      const mu = Math.sqrt(7 / leastSulqVariance({ epsilon, delta, queries: 7 }));
      const z = normalTailQuantile(delta);
      // Off by what the rounding of μ and z moves the sum, and ε.
      const apart = Math.abs(mu * mu / 2 + z * mu - epsilon);
      assert(apart <= 1e-10 * (z > 0 ? epsilon : mu * mu / 2 - z * mu), `${epsilon}, ${delta}`);
    }
  }
});

Deno.test("confidence() is the log-odds", () => {
  assertEquals([confidence(0.5), confidence(0), confidence(1)], [0, -Infinity, Infinity]);
  assertAlmostEquals(confidence(0.75), Math.log(3), 1e-15);
});
