import { assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { rational } from "../../../lib/core/numeric/rational.ts";
import {
  discreteGaussian,
  drawDiscreteGaussian,
} from "../../../lib/core/random/discrete_gaussian.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { withExactly } from "./exact_words.ts";
import { assertFollows, assertNormalised } from "./integer_noise_laws.ts";

Deno.test("discreteGaussian() states probabilities that sum to 1", () => {
  for (const [variance, reach] of [[0.01, 5], [1, 40], [4.5, 60], [9999, 2000]] as const) {
    assertNormalised(discreteGaussian({ variance: rational(variance) }), reach);
  }
});

Deno.test("discreteGaussian() states tails of wide laws to nine digits", () => {
  // Σ over a wide lattice against direct summation.
  const deviation = 1500;
  const noise = discreteGaussian({ variance: rational(deviation ** 2) });
  for (const from of [1, 100, 3000, 9000]) {
    let sum = 0;
    for (let x = from + 20 * deviation; x >= from; x--) sum += Math.exp(noise.logProbability(x));
    assertAlmostEquals(Math.exp(noise.logUpperTail(from)) / sum, 1, 1e-9);
  }
});

// Each check has false-alarm rate 1e-6; seeds were fixed before the first run.
Deno.test("discreteGaussian() follows its law when variances are narrow, wide and fractional", () => {
  const cases = [
    [rational(1, 7), 1],
    [rational(1), 1],
    [rational(37, 3), 1],
    [rational(127 ** 2), 11],
    [rational(1000 ** 2), 81],
    [rational(2n ** 41n, 3n), 80000],
    [rational(2n ** 74n), 2 ** 33],
  ] as const;
  for (const [variance, cell] of cases) {
    const noise = discreteGaussian({ variance });
    const draws = noise.fill(new SeededSource(41), new Float64Array(200_000));
    assertFollows(noise, { draws, cell, cells: 101 });
  }
});

Deno.test("drawDiscreteGaussian() thins Laplace draws of scale ⌊σ⌋ + 1", () => {
  // σ² = 29/2 gives scale 4. These words draw 2 from it: two bits, a coin of e^(−2/4), one of e⁻¹, a sign.
  const ones = 2 ** 32 - 1, laplace = [2 ** 31, ones, 0, ones, 0], variance = rational(29, 2);
  const draw = (words: readonly number[]): bigint =>
    withExactly(words, (source) => drawDiscreteGaussian(source, { variance }));
  // It is kept with probability e^(−γ), γ = (2 − σ²/4)²/(2σ²) = 169/1856.
  const edge = Math.floor(169 / 1856 * 2 ** 32);
  assertEquals(draw([...laplace, edge + 1]), 2n);
  assertEquals(draw([...laplace, edge - 1, ones, ...laplace, ones]), 2n);
});

Deno.test("drawDiscreteGaussian() agrees with the law when variances are fractions", () => {
  for (const variance of [rational(1, 3), rational(29, 2), rational(300 ** 2)]) {
    const source = new SeededSource(45);
    const draws = Float64Array.from(
      { length: 10_000 },
      () => Number(drawDiscreteGaussian(source, { variance })),
    );
    const cell = variance.numerator > 1000n ? 25 : 1;
    assertFollows(discreteGaussian({ variance }), { draws, cell, cells: 101 });
  }
});

Deno.test("discreteGaussian() states tails to all their digits, far to the left and right", () => {
  const narrow = discreteGaussian({ variance: rational(1, 100) });
  for (const k of [1, 2, 9]) assertAlmostEquals(narrow.logUpperTail(k) / (-50 * k * k), 1, 1e-12);
  assertAlmostEquals(narrow.logUpperTail(0) / -Math.exp(-50), 1, 1e-12);
  for (const variance of [1, 1e4, 1e8]) {
    const noise = discreteGaussian({ variance: rational(variance) });
    const far = -60 * Math.sqrt(variance);
    assertEquals(noise.logUpperTail(far), 0);
    assertAlmostEquals(
      Math.exp(noise.logUpperTail(-7)) + Math.exp(noise.logUpperTail(8)),
      1,
      1e-11,
    );
  }
});

Deno.test("discreteGaussian() refuses variances that are not positive or too wide", () => {
  assertThrows(() => discreteGaussian({ variance: rational(0) }), RangeError, "variance must be");
  assertThrows(() => discreteGaussian({ variance: rational(-2) }), RangeError, "variance must be");
  assertThrows(() => discreteGaussian({ variance: rational(2n ** 75n) }), RangeError);
  for (const bad of [0, -2]) {
    assertThrows(
      () => drawDiscreteGaussian(new SeededSource(1), { variance: rational(bad) }),
      RangeError,
      "variance must be",
    );
  }
});
