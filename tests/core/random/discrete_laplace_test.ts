import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { discreteLaplace, drawDiscreteLaplace } from "../../../lib/core/random/discrete_laplace.ts";
import { SecureSource } from "../../../lib/core/random/secure_source.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { assertFollows, assertNormalised } from "./integer_noise_laws.ts";

Deno.test("discreteLaplace() states probabilities that sum to 1", () => {
  for (const [scale, reach] of [[0.1, 20], [1, 60], [7.3, 400]] as const) {
    assertNormalised(discreteLaplace({ scale: rational(scale) }), reach);
  }
});

// Each check has false-alarm rate 1e-6; seeds were fixed before the first run.
Deno.test("discreteLaplace() follows its law when scales are narrow, wide and fractional", () => {
  const cases = [
    [rational(1, 5), 1],
    [rational(1), 1],
    [rational(10, 3), 1],
    [rational(255), 13],
    [
      rational(1000),
      51,
    ],
    [rational(2 ** 20 + 1, 3), 20000],
    [rational(2 ** 38), 2 ** 34],
  ] as const;
  for (const [scale, cell] of cases) {
    const noise = discreteLaplace({ scale });
    const draws = noise.fill(new SeededSource(31), new Float64Array(200_000));
    assertFollows(noise, { draws, cell, cells: 101 });
  }
});

Deno.test("discreteLaplace() fills the low bits of wide draws evenly", () => {
  const noise = discreteLaplace({ scale: rational(2 ** 30) });
  const draws = noise.fill(new SeededSource(32), new Float64Array(100_000));
  const odd = draws.reduce((sum, x) => sum + Math.abs(x % 2), 0);
  // Five standard deviations: false-alarm rate 6e-7.
  assert(Math.abs(odd - 50_000) < 5 * Math.sqrt(25_000));
});

Deno.test("drawDiscreteLaplace() agrees with the law when scales are fractions", () => {
  for (const scale of [rational(1, 3), rational(7, 2), rational(300)]) {
    const source = new SeededSource(35);
    const draws = Float64Array.from(
      { length: 20_000 },
      () => Number(drawDiscreteLaplace(source, { scale })),
    );
    const cell = scale.numerator > 100n ? 15 : 1;
    assertFollows(discreteLaplace({ scale }), { draws, cell, cells: 101 });
  }
});

Deno.test("discreteLaplace() repeats a seeded stream and takes a secure one", () => {
  const noise = discreteLaplace({ scale: rational(9) });
  const fill = (source: SeededSource | SecureSource): Float64Array =>
    noise.fill(source, new Float64Array(1000));
  assertEquals(fill(new SeededSource(3)), fill(new SeededSource(3)));
  assertFollows(noise, {
    draws: noise.fill(new SecureSource(), new Float64Array(100_000)),
    cell: 1,
    cells: 101,
  });
});

Deno.test("discreteLaplace() states far tails of narrow laws to all their digits", () => {
  const noise = discreteLaplace({ scale: rational(1, 50) });
  // P(X ≥ k) is e^(−50k) but for a factor of 1/(1 + e⁻⁵⁰).
  for (const k of [1, 2, 10]) assertAlmostEquals(noise.logUpperTail(k), -50 * k, 1e-12);
  assertAlmostEquals(noise.logUpperTail(0) / -Math.exp(-50), 1, 1e-12);
});

Deno.test("discreteLaplace() refuses scales that are not positive or too wide", () => {
  assertThrows(() => discreteLaplace({ scale: rational(0) }), RangeError, "scale must be");
  assertThrows(() => discreteLaplace({ scale: rational(-1) }), RangeError, "scale must be");
  assertThrows(() => discreteLaplace({ scale: rational(2 ** 39) }), RangeError, "scale must be");
  assertThrows(() => drawDiscreteLaplace(new SeededSource(1), { scale: rational(0) }), RangeError);
});
