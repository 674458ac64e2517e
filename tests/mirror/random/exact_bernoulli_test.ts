import { assert, assertEquals, assertThrows } from "@std/assert";
import { rational } from "../../../lib/numeric/rational.ts";
import {
  exactBernoulli,
  exponentialBernoulli,
  randomBigInteger,
} from "../../../lib/random/exact_bernoulli.ts";
import { SeededSource } from "../../../lib/random/seeded_source.ts";
import { digitsOf, withExactly } from "./exact_words.ts";
import { scripted } from "./integer_noise_laws.ts";

/** Five standard deviations of a binomial count: false-alarm rate 6e-7. */
function assertShare(count: number, { of, share }: { of: number; share: number }): void {
  assert(Math.abs(count - of * share) <= 5 * Math.sqrt(of * share * (1 - share)));
}

Deno.test("exactBernoulli() is true with the probability of the fraction", () => {
  const source = new SeededSource(51);
  for (const probability of [rational(0), rational(1, 3), rational(999, 1000), rational(1)]) {
    const coin = exactBernoulli(probability);
    let count = 0;
    for (let i = 0; i < 20_000; i++) if (coin(source)) count++;
    assertShare(count, {
      of: 20_000,
      share: Number(probability.numerator) / Number(probability.denominator),
    });
  }
});

Deno.test("exactBernoulli() goes on to further digits when the first agree", () => {
  // 1/3 = 0.010101… in binary: 0x55555555 agrees, and the next word decides.
  const coin = exactBernoulli(rational(1, 3)), rest = new SeededSource(1);
  const agreeing = 0x55555555;
  assertEquals(coin(scripted([agreeing, agreeing - 1], rest)), true);
  assertEquals(coin(scripted([agreeing, agreeing + 1], rest)), false);
  assertEquals(coin(scripted([agreeing - 1], rest)), true);
});

Deno.test("exponentialBernoulli() is true with probability exp(-x) below and above 1", () => {
  const source = new SeededSource(52);
  for (
    const exponent of [rational(0), rational(1, 100), rational(2, 3), rational(1), rational(13, 4)]
  ) {
    let count = 0;
    for (let i = 0; i < 20_000; i++) if (exponentialBernoulli(source, { exponent })) count++;
    const share = Math.exp(-Number(exponent.numerator) / Number(exponent.denominator));
    assertShare(count, { of: 20_000, share });
  }
});

Deno.test("randomBigInteger() is uniform when the range is no power of two", () => {
  const source = new SeededSource(53);
  const counts = [0, 0, 0, 0, 0];
  for (let i = 0; i < 20_000; i++) counts[Number(randomBigInteger(source, { below: 5n }))]!++;
  for (const count of counts) assertShare(count, { of: 20_000, share: 0.2 });
  const wide = randomBigInteger(source, { below: 10n ** 40n });
  assert(wide >= 0n && wide < 10n ** 40n);
  assertEquals(randomBigInteger(source, { below: 1n }), 0n);
});

Deno.test("randomBigInteger() makes long integers of the same words, and quickly", () => {
  for (const bits of [2047, 2048, 2079, 2080, 2081, 2111, 2112, 2113, 5000, 65_536]) {
    // All values of so many bits but the last: hardly any is drawn again.
    const below = 2n ** BigInt(bits) - 1n, words = new SeededSource(bits);
    let expected = 0n;
    for (let left = bits; left > 0; left -= 32) {
      const taken = Math.min(32, left);
      expected = expected << BigInt(taken) | BigInt(words.uint32() >>> 32 - taken);
    }
    const source = new SeededSource(bits);
    assertEquals(randomBigInteger(source, { below }), expected);
    assertEquals(source.uint32(), words.uint32());
  }
  // Word by word this takes half a minute.
  const long = 2n ** 4_800_000n;
  assert(randomBigInteger(new SeededSource(52), { below: long }) < long);
});

Deno.test("exactBernoulli() and exponentialBernoulli() refuse what is no probability", () => {
  const source = new SeededSource(54);
  assertThrows(() => exactBernoulli(rational(3, 2)), RangeError);
  assertThrows(() => exactBernoulli(rational(-1, 2)), RangeError);
  assertThrows(() => exponentialBernoulli(source, { exponent: rational(-1, 2) }), RangeError);
});

Deno.test("exactBernoulli() compares all digits of the fraction, and stops where they end", () => {
  for (
    const [n, d] of [[1n, 3n], [2n, 5n], [3n, 7n], [123n, 457n], [10n ** 20n, 10n ** 21n + 7n]]
  ) {
    const coin = exactBernoulli(rational(n!, d!)), digits = digitsOf(n!, d!, 5);
    for (let k = 0; k < 5; k++) {
      const first = digits.slice(0, k), next = digits[k]!;
      assertEquals(withExactly([...first, next - 1], coin), true);
      assertEquals(withExactly([...first, next + 1], coin), false);
    }
  }
  assertEquals(withExactly([2 ** 31], exactBernoulli(rational(1, 2))), false);
  assertEquals(withExactly([0, 1], exactBernoulli(rational(1n, 2n ** 64n))), false);
  assertEquals(withExactly([0, 0], exactBernoulli(rational(1n, 2n ** 64n))), true);
});

Deno.test("exponentialBernoulli() counts coins of exponent, exponent/2, exponent/3, …", () => {
  const ones = 2 ** 32 - 1;
  const draw = (words: readonly number[], exponent: number, word?: number): boolean =>
    withExactly(
      words,
      (source) => exponentialBernoulli(source, { exponent: rational(exponent), word }),
    );
  // The first failure is at an odd place, or at an even one.
  assertEquals(draw([2 ** 31], 0.5), true);
  assertEquals(draw([0, 2 ** 30], 0.5), false);
  assertEquals(draw([0, 0, ones], 0.5), true);
  assertEquals(draw([2 ** 31 - 1, 2 ** 30 - 1, ones], 0.5), true);
  // A word that is given is the first of them.
  assertEquals(draw([], 0.5, 2 ** 31), true);
  assertEquals(draw([2 ** 30], 0.5, 0), false);
  // Each whole 1 is a coin of its own: exponent 1 fails at the second place for any first word.
  assertEquals(draw([0, 2 ** 31], 1.5), false);
  assertEquals(draw([0, 0, ones, 2 ** 31], 1.5), true);
  assertEquals(draw([0, 0, ones], 1.5, 2 ** 31), true);
});

Deno.test("randomBigInteger() takes the leading bits of its words, and no bit more than it needs", () => {
  const draw = (words: readonly number[], below: bigint): bigint =>
    withExactly(words, (source) => randomBigInteger(source, { below }));
  assertEquals(draw([], 1n), 0n);
  assertEquals(draw([2 ** 31], 2n), 1n);
  assertEquals(draw([2 ** 31 - 1], 2n), 0n);
  assertEquals(draw([0xfedcba98], 2n ** 32n), 0xfedcba98n);
  assertEquals(draw([0xfedcba98, 0x80000000], 2n ** 33n), (0xfedcba98n << 1n) + 1n);
  assertEquals(draw([0xfedcba98, 0x76543210], 2n ** 40n), 0xfedcba9876n);
  assertEquals(
    draw([0xfedcba98, 0x76543210, 0x89abcdef], 2n ** 96n),
    0xfedcba987654321089abcdefn,
  );
  // Five has three bits: 5 to 7 are drawn again.
  assertEquals(draw([5 * 2 ** 29, 7 * 2 ** 29, 4 * 2 ** 29], 5n), 4n);
});
