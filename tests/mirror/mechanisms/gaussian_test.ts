import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { replaceOne } from "../../../lib/core/relation.ts";
import { discreteGaussianDelta } from "../../../lib/mechanisms/discrete_gaussian_delta.ts";
import {
  analyticGaussian,
  analyticGaussianDeviation,
  classicalGaussian,
  integerGaussian,
  vectorGaussian,
} from "../../../lib/mechanisms/gaussian.ts";
import { gaussianDelta } from "../../../lib/numeric/gaussian_delta.ts";
import { rational } from "../../../lib/numeric/rational.ts";
import { discreteGaussian } from "../../../lib/random/discrete_gaussian.ts";

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

Deno.test("Gaussian mechanisms refuse parameters out of range", () => {
  for (const delta of [0, -1, 1, NaN]) {
    assertThrows(() => analyticGaussian({ ...options, epsilon: 1, delta }), RangeError, "delta");
  }
  for (const sensitivity of [0, -1, NaN, Infinity]) {
    assertThrows(
      () => analyticGaussian({ ...options, epsilon: 1, delta: 1e-5, sensitivity }),
      RangeError,
      "sensitivity",
    );
  }
  for (const granularity of [0, 0.1, 3, NaN]) {
    assertThrows(
      () => analyticGaussian({ ...options, epsilon: 1, delta: 1e-5, granularity }),
      RangeError,
      "granularity",
    );
  }
  const vector = { ...options, query: () => [0], dimension: 1 };
  assertThrows(() => vectorGaussian({ ...vector, rho: 0 }), RangeError, "rho");
  assertThrows(() => vectorGaussian({ ...vector, rho: 1, dimension: 0.5 }), RangeError);
});
