import { assert, assertEquals, assertThrows } from "@std/assert";
import { rational } from "../../../lib/core/numeric/rational.ts";
import {
  exactBernoulli,
  exponentialBernoulli,
  randomBigInteger,
} from "../../../lib/core/random/exact_bernoulli.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
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
