import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { norm } from "../../../../../lib/dp/learners/erm/solver/problem.ts";
import { vectorNoise } from "../../../../../lib/dp/learners/erm/noise/vector_noise.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

function lengths(d: number, { rate, count }: { rate: number; count: number }): Float64Array {
  const source = new SeededSource(61).split(d);
  return Float64Array.from(
    { length: count },
    () => norm(vectorNoise(source, new Float64Array(d), { rate })),
  );
}

Deno.test("vectorNoise() has lengths of mean d/rate and variance d/rate²", () => {
  // Means of 40,000 are normal to within the digits used: |z| ≤ 4.5, false alarm 7e-6 each.
  const count = 40_000, rate = 3;
  for (const d of [1, 2, 10, 105]) {
    const drawn = lengths(d, { rate, count });
    const mean = drawn.reduce((sum, length) => sum + length, 0) / count;
    assert(Math.abs(mean - d / rate) <= 4.5 * Math.sqrt(d / count) / rate, `mean ${mean} at ${d}`);
    const variance = drawn.reduce((sum, length) => sum + (length - d / rate) ** 2, 0) / count;
    // Var of (X − μ)² for Γ(d, 1): 2d² + 6d.
    const error = Math.sqrt((2 * d * d + 6 * d) / count) / rate ** 2;
    assert(Math.abs(variance - d / rate ** 2) <= 4.5 * error, `variance ${variance} at ${d}`);
  }
});

Deno.test("vectorNoise() points everywhere alike", () => {
  const source = new SeededSource(62), count = 40_000, d = 3;
  const sums = new Float64Array(d), squares = new Float64Array(d * d);
  for (let i = 0; i < count; i++) {
    const noise = vectorNoise(source, new Float64Array(d), { rate: 1 });
    const length = norm(noise);
    for (let j = 0; j < d; j++) {
      sums[j]! += noise[j]! / length;
      for (let k = 0; k < d; k++) squares[j * d + k]! += noise[j]! * noise[k]! / length ** 2;
    }
  }
  // Each |z| ≤ 4.5 at false alarm 7e-6; variances of u_j, u_j² and u_j·u_k on the sphere in 3-d.
  for (let j = 0; j < d; j++) {
    assert(Math.abs(sums[j]!) <= 4.5 * Math.sqrt(count / 3));
    for (let k = 0; k < d; k++) {
      const expected = j === k ? count / 3 : 0;
      const variance = j === k ? 1 / 5 - 1 / 9 : 1 / 15;
      assert(Math.abs(squares[j * d + k]! - expected) <= 4.5 * Math.sqrt(count * variance));
    }
  }
});

Deno.test("vectorNoise() in one dimension is Laplace noise", () => {
  const source = new SeededSource(63), count = 40_000;
  let beyond = 0;
  for (let i = 0; i < count; i++) {
    if (vectorNoise(source, new Float64Array(1), { rate: 2 })[0]! > Math.LN2 / 2) beyond++;
  }
  // P(X > ln 2/rate) = ½e^(−ln 2) = 1/4; |z| ≤ 4.5, false alarm 7e-6.
  assertAlmostEquals(beyond / count, 1 / 4, 4.5 * Math.sqrt(3 / 16 / count));
});

Deno.test("vectorNoise() gives the same vectors for the same seed, and refuses a bad rate", () => {
  const draw = (): Float64Array =>
    vectorNoise(new SeededSource(64), new Float64Array(4), { rate: 1 });
  assertEquals(draw(), draw());
  for (const rate of [0, -1, NaN]) {
    assertThrows(
      () => vectorNoise(new SeededSource(1), new Float64Array(1), { rate }),
      RangeError,
      "rate must",
    );
  }
});
