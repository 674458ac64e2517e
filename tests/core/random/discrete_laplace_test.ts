import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { discreteLaplace, drawDiscreteLaplace } from "../../../lib/core/random/discrete_laplace.ts";
import { SecureSource } from "../../../lib/core/random/secure_source.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { assertFollows, assertNormalised, scripted } from "./integer_noise_laws.ts";

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

Deno.test("discreteLaplace() settles an undecided word by further digits in the right proportion", () => {
  // Scale 1: F(0) = 1 − e^−1. The word ⌊2³²·F(0)⌋ is undecided: block 0 has the share of the fraction.
  const scaled = (1 - Math.exp(-1)) * 2 ** 32;
  const word = Math.floor(scaled);
  const noise = discreteLaplace({ scale: rational(1) });
  const rest = new SeededSource(33);
  const draws = 20_000;
  let zeros = 0;
  for (let i = 0; i < draws; i++) {
    // The second word is the sign: even is positive.
    const [x] = noise.fill(scripted([word, 0], rest), new Float64Array(1));
    assert(x === 0 || x === 1);
    if (x === 0) zeros++;
  }
  const share = scaled - word;
  assert(Math.abs(zeros - draws * share) < 5 * Math.sqrt(draws * share * (1 - share)));
  // Neighbouring words are decided at once.
  assertEquals(noise.fill(scripted([word - 1, 0], rest), new Float64Array(1))[0], 0);
  assertEquals(noise.fill(scripted([word + 1, 0], rest), new Float64Array(1))[0], 1);
});

Deno.test("discreteLaplace() reaches far tails when all digits are ones", () => {
  const noise = discreteLaplace({ scale: rational(1) });
  const ones = 2 ** 32 - 1;
  const [x] = noise.fill(scripted([ones, 0, ones, 5], new SeededSource(34)), new Float64Array(1));
  // U is 1 − 2⁻⁶⁴·(1 − 5.../2³²): the quantile is about 64·ln 2.
  assertEquals(x, Math.floor(64 * Math.LN2));
});

Deno.test("discreteLaplace() accepts within a block with the probability of the exponential", () => {
  // Scale 2²⁰: blocks of 2¹³. One word picks a block, the next a sign and a place, the third accepts.
  const noise = discreteLaplace({ scale: rational(2 ** 20) });
  const word = 2 ** 31, within = 2 ** 13 - 1, ones = 2 ** 32 - 1;
  const draw = (...words: number[]): number =>
    noise.fill(scripted(words, new SeededSource(36)), new Float64Array(1))[0]!;
  const x = draw(word, within << 1, ones);
  const start = x - within;
  assert(start > 0 && start % 2 ** 13 === 0);
  const edge = Math.floor(within / 2 ** 20 * 2 ** 32);
  const second = [ones, word, 0, ones];
  assertEquals(draw(word, within << 1, edge + 1, ...second), x);
  assertEquals(draw(word, within << 1, edge - 1, ...second), start);
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
