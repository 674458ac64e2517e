import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { discreteGaussianDelta } from "../../../lib/dp/mechanisms/discrete_gaussian_delta.ts";
import { floatGaussianMechanism } from "../../../lib/dp/mechanisms/float_gaussian_mechanism.ts";
import {
  analyticGaussian,
  analyticGaussianDeviation,
  classicalGaussian,
  integerGaussian,
  vectorGaussian,
} from "../../../lib/dp/mechanisms/gaussian.ts";
import { gaussianDelta } from "../../../lib/core/numeric/gaussian_delta.ts";
import {
  divide,
  multiply,
  type Rational,
  rational,
  subtract,
  toNumber,
} from "../../../lib/core/numeric/rational.ts";
import { discreteGaussian } from "../../../lib/core/random/discrete_gaussian.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const options = {
  query: (rows: readonly number[]) => rows[0]!,
  sensitivity: 1,
  granularity: 2 ** -8,
  relation: replaceOne,
};

Deno.test("analyticGaussianDeviation() is the least that gives delta", () => {
  for (const epsilon of [0.01, 0.5, 1, 5, 20]) {
    for (const delta of [1e-10, 1e-5, 0.01, 0.3]) {
      const deviation = analyticGaussianDeviation({ epsilon, delta });
      assert(gaussianDelta(1 / deviation, epsilon) <= delta);
      assert(gaussianDelta(1 / (deviation * (1 - 1e-9)), epsilon) > delta);
    }
  }
});

Deno.test("analyticGaussianDeviation() needs less noise than the classical formula, and more than it beyond 1", () => {
  const classical = (epsilon: number, delta: number): number =>
    Math.sqrt(2 * Math.log(1.25 / delta)) / epsilon;
  assert(analyticGaussianDeviation({ epsilon: 0.9, delta: 1e-5 }) < classical(0.9, 1e-5));
  // The classical formula fails from ε = 8.45 on at δ = 1e-5, by a factor 153 at ε = 20.
  assert(analyticGaussianDeviation({ epsilon: 8.4, delta: 1e-5 }) < classical(8.4, 1e-5));
  assert(analyticGaussianDeviation({ epsilon: 8.5, delta: 1e-5 }) > classical(8.5, 1e-5));
  assertAlmostEquals(gaussianDelta(1 / classical(20, 1e-5), 20) / 1e-5, 153, 1);
});

Deno.test("classicalGaussian() has the deviation of its theorem and refuses epsilon of 1 and more", () => {
  const { grid } = classicalGaussian({ ...options, epsilon: 0.5, delta: 1e-5 });
  assertEquals(grid.sensitivityInSteps, 256);
  assertAlmostEquals(grid.scaleInSteps / 256, Math.sqrt(2 * Math.log(1.25e5)) / 0.5, 1e-12);
  for (const epsilon of [1, 1.5, 20]) {
    assertThrows(
      () => classicalGaussian({ ...options, epsilon, delta: 1e-5 }),
      RangeError,
      "epsilon must be below 1",
    );
  }
});

Deno.test("discreteGaussianDelta() is the sum over the lattice, for every shift up to its own", () => {
  for (const [deviation, shift, epsilon] of [[3, 2, 0.5], [20, 7, 1], [0.6, 1, 2]] as const) {
    const noise = discreteGaussian({ variance: rational(deviation ** 2) });
    const delta = discreteGaussianDelta({ deviation, shift, epsilon });
    let largest = 0;
    for (let d = 1; d <= shift; d++) {
      let sum = 0;
      for (let y = -60 * shift; y <= 60 * shift; y++) {
        sum += Math.max(
          0,
          Math.exp(noise.logProbability(y)) -
            Math.exp(epsilon + noise.logProbability(y + d)),
        );
      }
      largest = Math.max(largest, sum);
      if (d === shift) assertAlmostEquals(sum / delta, 1, 1e-6);
    }
    assert(delta >= largest * (1 - 1e-12));
  }
});

// Mutant: 0 where δ underflows.
Deno.test("discreteGaussianDelta() is above 0 where it underflows", () => {
  for (const epsilon of [60, 1e4]) {
    assert(discreteGaussianDelta({ deviation: 10, shift: 10, epsilon }) === Number.MIN_VALUE);
  }
});

Deno.test("discreteGaussianDelta() tends to the continuous one on fine grids", () => {
  for (const [epsilon, mu] of [[0.5, 0.3], [1, 1], [3, 0.8]] as const) {
    const shift = 2 ** 16;
    const discrete = discreteGaussianDelta({ deviation: shift / mu, shift, epsilon });
    assertAlmostEquals(discrete / gaussianDelta(mu, epsilon), 1, 1e-6);
  }
});

Deno.test("analyticGaussian() raises its deviation where the grid is coarse", () => {
  // With steps as long as the sensitivity the discrete law needs more than the continuous one.
  for (const epsilon of [0.5, 1, 2, 4]) {
    const coarse = analyticGaussian({ ...options, granularity: 1, epsilon, delta: 1e-3 });
    const deviation = coarse.grid.scaleInSteps;
    assert(deviation >= analyticGaussianDeviation({ epsilon, delta: 1e-3 }));
    assert(discreteGaussianDelta({ deviation, shift: 1, epsilon }) <= 1e-3);
  }
});

Deno.test("vectorGaussian() raises the sensitivity for rounding, integerGaussian() does not", () => {
  const dimension = 4, rho = 0.5;
  const { grid } = vectorGaussian({
    ...options,
    query: (rows: readonly number[]) => [0, 0, 0, rows[0]!],
    dimension,
    rho,
  });
  assertAlmostEquals(grid.scaleInSteps, 256 + 2, 1e-6);
  const exact = integerGaussian({
    query: (rows: readonly number[]) => [rows[0]!],
    dimension: 1,
    rho,
    sensitivity: 3,
    relation: replaceOne,
  });
  assertAlmostEquals(exact.grid.scaleInSteps, 3, 1e-9);
  assertThrows(() => exact.check([0.5]), RangeError, "must be integers");
});

/** An upper bound is one in exact fractions, and not far above. */
function assertJustAbove(bound: number, exact: Rational): void {
  assert(subtract(rational(bound), exact).numerator >= 0n, `${bound} is below`);
  const far = multiply(exact, rational(2n ** 50n + 1n, 2n ** 50n));
  assert(subtract(far, rational(bound)).numerator > 0n, `${bound} is far above`);
}

// Mutants: ρ to the nearest double; of one step; of another power of the deviation.
Deno.test("Gaussian mechanisms on a grid keep Δ²/(2σ²)-zCDP by their own σ, rounded up in exact fractions", () => {
  for (const make of [analyticGaussian<number>, classicalGaussian<number>]) {
    for (const epsilon of [0.01, 0.1, 0.3, 0.5, 0.77, 0.99]) {
      for (const granularity of [2 ** -20, 2 ** -8, 0.25, 1]) {
        const mechanism = make({ ...options, sensitivity: 3, epsilon, delta: 1e-5, granularity });
        const { sensitivityInSteps, scaleInSteps } = mechanism.grid;
        const [claim] = mechanism.alsoKeeps!;
        assert(claim?.kind === "zcdp");
        // The noise is drawn with the double nearest to σ².
        const variance = rational(scaleInSteps ** 2);
        assertJustAbove(
          claim.rho,
          divide(rational(BigInt(sensitivityInSteps) ** 2n, 2n), variance),
        );
        // It is the variance of the law of the density too.
        const apart = mechanism.logDensity!(0, [0]) - mechanism.logDensity!(3, [0]);
        const steps = 3 / granularity;
        assertAlmostEquals(apart / (steps ** 2 / 2 / toNumber(variance)), 1, 1e-9);
      }
    }
  }
});

// Mutant: μ to the nearest double.
Deno.test("floatGaussianMechanism() claims μ of at least Δ/σ, in exact fractions, by the σ it draws with", () => {
  for (const epsilon of [0.01, 0.1, 0.3, 0.5, 0.77, 1, 3, 9]) {
    for (const sensitivity of [1, 0.3, 7]) {
      const mechanism = floatGaussianMechanism({ ...options, epsilon, delta: 1e-6, sensitivity });
      const deviation = sensitivity * analyticGaussianDeviation({ epsilon, delta: 1e-6 });
      const [claim] = mechanism.alsoKeeps!;
      assert(claim?.kind === "gaussian");
      assertJustAbove(claim.mu, divide(rational(sensitivity), rational(deviation)));
      // The density is that of a normal law of deviation σ, and so are the draws.
      for (const x of [-2, 0, 0.5, 3]) {
        const log = -0.5 * (x / deviation) ** 2 - Math.log(deviation * Math.sqrt(2 * Math.PI));
        assertAlmostEquals(mechanism.logDensity!(1 + x, [1]), log, 1e-12);
      }
      const draws = 2000, block = mechanism.sampleMany!([1], draws, new SeededSource(1603));
      const variance = block.reduce((sum, x) => sum + (x - 1) ** 2, 0) / draws;
      // The standard deviation of this is √(2/draws)·σ²: five of them.
      assertAlmostEquals(variance / deviation ** 2, 1, 5 * Math.sqrt(2 / draws));
    }
  }
});
