import { assert, assertEquals, assertThrows } from "@std/assert";
import { bernoulli } from "../../../lib/core/random/bernoulli.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { FALSE_ALARM, twoSided } from "./goodness_of_fit.ts";
import { scripted } from "./integer_noise_laws.ts";

/** One draw from the given words. */
function draw(words: readonly number[], probability: number): number {
  return bernoulli(scripted(words, new SeededSource(1)), new Uint8Array(1), { probability })[0]!;
}

// Six checks of false-alarm rate 1e-7.
Deno.test("bernoulli() draws ones with the probability given", () => {
  const out = new Uint8Array(1_000_003);
  for (const probability of [0.5, 0.3, 0.97, 1e-3, 2 ** -16, 1 - 2 ** -12]) {
    bernoulli(new SeededSource(probability.toString()), out, { probability });
    const ones = out.reduce((sum, bit) => sum + bit, 0);
    const score = (p: number): number =>
      twoSided((ones - out.length * p) / Math.sqrt(out.length * p * (1 - p)));
    assert(score(probability) > FALSE_ALARM);
    // Mutant: the other side is drawn.
    if (probability !== 0.5) assert(score(1 - probability) < FALSE_ALARM);
    assert(out.every((bit) => bit <= 1));
  }
});

Deno.test("bernoulli() compares all digits when the first 32 agree", () => {
  // A sampler that looks at 32 bits only answers the same whatever follows.
  const third = 1 / 3;
  const first = Math.floor(third * 2 ** 32);
  const second = Math.floor((third * 2 ** 32 - first) * 2 ** 32);
  assertEquals(draw([first - 1], third), 1);
  assertEquals(draw([first + 1], third), 0);
  assertEquals(draw([first, second - 1], third), 1);
  assertEquals(draw([first, second], third), 0);
  assertEquals(draw([first, second + 1], third), 0);
});

Deno.test("bernoulli() can draw a one when the probability is the least double", () => {
  // 2⁻¹⁰⁷⁴ is 33 words of zeros and then 2⁻¹⁸.
  const zeros = new Array(33).fill(0);
  assertEquals(draw([...zeros, 2 ** 14 - 1], Number.MIN_VALUE), 1);
  assertEquals(draw([...zeros, 2 ** 14], Number.MIN_VALUE), 0);
  assertEquals(draw([...zeros.slice(1), 1], Number.MIN_VALUE), 0);
});

Deno.test("bernoulli() is constant when the probability is 0 or 1", () => {
  for (const word of [0, 0x7fffffff, 0x80000000, 0xffffffff]) {
    assertEquals(draw([word, 0, 0], 0), 0);
    assertEquals(draw([word, 0, 0], 1), 1);
  }
});

Deno.test("bernoulli() refuses when the probability is outside [0, 1]", () => {
  const source = new SeededSource(1), out = new Uint8Array(1);
  for (const probability of [-1e-9, 1.1, NaN, Infinity, "0.5", null]) {
    assertThrows(
      () => bernoulli(source, out, { probability: probability as number }),
      RangeError,
      `is ${probability}`,
    );
  }
});
