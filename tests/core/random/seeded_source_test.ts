import { assert, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import { assertSnapshot } from "@std/testing/snapshot";
import fc from "fast-check";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { bernoulli } from "../../../lib/core/random/bernoulli.ts";
import { chaskey } from "../../../lib/core/random/chaskey.ts";
import {
  discreteGaussian,
  drawDiscreteGaussian,
} from "../../../lib/core/random/discrete_gaussian.ts";
import { discreteLaplace, drawDiscreteLaplace } from "../../../lib/core/random/discrete_laplace.ts";
import { exactChoice } from "../../../lib/core/random/exact_choice.ts";
import { floatExponential } from "../../../lib/core/random/float_exponential.ts";
import { floatGamma } from "../../../lib/core/random/float_gamma.ts";
import { floatLaplace } from "../../../lib/core/random/float_laplace.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { floatUniform } from "../../../lib/core/random/float_uniform.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { Xoshiro128 } from "../../../lib/core/random/xoshiro128.ts";
import { FALSE_ALARM, twoSided } from "./goodness_of_fit.ts";

const words = (source: Source, count: number): number[] =>
  Array.from({ length: count }, () => source.uint32());

const label = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

Deno.test("SeededSource() gives the streams it always gave", async (t) => {
  await assertSnapshot(t, {
    number: words(new SeededSource(1), 8),
    bigint: words(new SeededSource(2n ** 100n), 8),
    text: words(new SeededSource("a seed"), 8),
    split: words(new SeededSource(1).split("labels").split(3), 8),
    uniform: Array.from({ length: 4 }, () => new SeededSource(5).uniform()),
  });
});

Deno.test("SeededSource() is a path of codes from a root that spells its name", () => {
  const wordsOf = (bytes: Uint8Array): Uint32Array => {
    const view = new DataView(bytes.buffer);
    return Uint32Array.from({ length: 4 }, (_, i) => view.getUint32(4 * i, true));
  };
  const utf16 = (text: string): Uint8Array =>
    Uint8Array.from(
      [...text].flatMap((sign) => [sign.charCodeAt(0) % 256, sign.charCodeAt(0) >> 8]),
    );
  const root = wordsOf(new TextEncoder().encode("dpcheck seeded 1"));
  const key = chaskey(chaskey(root, utf16("n7")), utf16("s\u0416\u2260 x"));
  const generator = new Xoshiro128(chaskey(key, Uint8Array.of(0)));
  const source = new SeededSource(7).split("\u0416\u2260 x");
  assertEquals(words(source, 4), Array.from({ length: 4 }, () => generator.next()));
});

Deno.test("block samplers give the streams they always gave", async (t) => {
  const source = (name: string): Source => new SeededSource("streams").split(name);
  const out = (): Float64Array => new Float64Array(3000);
  const some = (draws: ArrayLike<number>): number[] =>
    [0, 1, 2, 3, 2047, 2048, 2999].map((i) => draws[i]!);
  await assertSnapshot(t, {
    uniform: some(floatUniform(source("uniform"), out())),
    exponential: some(floatExponential(source("exponential"), out())),
    laplace: some(floatLaplace(source("laplace"), out())),
    normal: some(floatNormal(source("normal"), out())),
    gamma: some(floatGamma(source("gamma"), out(), { shape: 2 })),
    bernoulli: some(bernoulli(source("bernoulli"), new Uint8Array(3000), { probability: 0.3 })),
  });
});

Deno.test("exact samplers give the streams they always gave", async (t) => {
  const source = (name: string): Source => new SeededSource("exact streams").split(name);
  /** Draws, and the word that comes after them: it tells how many words they took. */
  const stream = <T>(name: string, draw: (from: Source) => T): { draws: T; next: number } => {
    const from = source(name);
    return { draws: draw(from), next: from.uint32() };
  };
  const some = (draws: ArrayLike<number>): number[] => [0, 1, 2, 1365, 2999].map((i) => draws[i]!);
  const scale = rational(100_000, 7), variance = rational(10n ** 9n, 7n);
  const choose = exactChoice([0, 1, 0.5, 3].map((x) => ({ exponent: rational(x) })));
  const times = <T>(count: number, draw: () => T): T[] => Array.from({ length: count }, draw);
  await assertSnapshot(t, {
    laplace: stream(
      "laplace",
      (from) => some(discreteLaplace({ scale }).fill(from, new Float64Array(3000))),
    ),
    gaussian: stream(
      "gaussian",
      (from) => some(discreteGaussian({ variance }).fill(from, new Float64Array(3000))),
    ),
    oneLaplace: stream("one", (from) => times(9, () => drawDiscreteLaplace(from, { scale }))),
    oneGaussian: stream("one", (from) => times(9, () => drawDiscreteGaussian(from, { variance }))),
    choice: stream("choice", (from) => times(30, () => choose(from)).join("")),
  });
});

Deno.test("SeededSource.fillUint32() gives the words that uint32() gives", () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 8 }),
      (seed, lengths) => {
        const blocks = new SeededSource(seed), single = new SeededSource(seed);
        for (const length of lengths) {
          const block = new Uint32Array(length);
          blocks.fillUint32(block);
          assertEquals([...block], words(single, length));
          assertEquals(blocks.uint32(), single.uint32());
        }
      },
    ),
    { seed: 1, numRuns: 50 },
  );
});

Deno.test("SeededSource.split() gives the same child whatever was drawn before", () => {
  fc.assert(
    fc.property(fc.integer(), label, fc.integer({ min: 0, max: 50 }), (seed, name, drawn) => {
      const source = new SeededSource(seed);
      words(source, drawn);
      source.split("another").uint32();
      assertEquals(words(source.split(name), 4), words(new SeededSource(seed).split(name), 4));
    }),
    { seed: 2, numRuns: 200 },
  );
});

Deno.test("SeededSource.split() gives other children for other labels, and other than the parent", () => {
  fc.assert(
    fc.property(fc.integer(), label, label, (seed, one, other) => {
      const source = new SeededSource(seed);
      fc.pre(typeof one !== typeof other || String(one) !== String(other));
      const streams = [
        source,
        source.split(one),
        source.split(other),
        source.split(one).split(other),
      ]
        .map((s) => words(s, 4).join());
      assertEquals(new Set(streams).size, 4);
    }),
    { seed: 3, numRuns: 300 },
  );
});

Deno.test("SeededSource.split() tells labels apart that are easily confused", () => {
  const names = [
    1,
    "1",
    "s1",
    "n1",
    "",
    " ",
    "\0",
    "\ud800",
    "\ud801",
    "\ufffd",
    "ab",
    "ba",
    "\u0100a",
    "\0a",
    "a\u0100",
    "a\0",
    "\u0200",
    0,
    "0",
  ];
  const streams = names.map((name) => words(new SeededSource(1).split(name), 4).join());
  assertEquals(new Set(streams).size, names.length);
  // A path is not the concatenation of its labels.
  assertNotEquals(
    words(new SeededSource(1).split("ab").split("c"), 4),
    words(new SeededSource(1).split("a").split("bc"), 4),
  );
});

/** P-value of the count of bits that change from one stream's first words to the next one's. */
function avalanche(streams: readonly number[][]): number {
  let changed = 0, bits = 0;
  for (let i = 1; i < streams.length; i++) {
    streams[i]!.forEach((word, j) => {
      for (let x = word ^ streams[i - 1]![j]!; x !== 0; x &= x - 1) changed++;
      bits += 32;
    });
  }
  return twoSided((2 * changed - bits) / Math.sqrt(bits));
}

// Two checks of false-alarm rate 1e-7.
Deno.test("SeededSource() changes half of the bits when seeds or labels are neighbours", () => {
  const source = new SeededSource(7);
  const numbers = Array.from({ length: 5000 }, (_, i) => i);
  assert(avalanche(numbers.map((i) => words(source.split(i), 4))) > FALSE_ALARM);
  assert(avalanche(numbers.map((i) => words(new SeededSource(i), 4))) > FALSE_ALARM);
  // Mutant: the label is mixed into the state by exclusive or, without hashing.
  const mutant = numbers.map((i) => {
    const generator = new Xoshiro128([0x12345678, 0x9abcdef0, 0x0fedcba9, 0x87654321 ^ i]);
    return Array.from({ length: 4 }, () => generator.next());
  });
  assert(avalanche(mutant) < FALSE_ALARM);
});

Deno.test("SeededSource() takes a number and a bigint of one value for one seed, and no text", () => {
  assertEquals(words(new SeededSource(12), 4), words(new SeededSource(12n), 4));
  assertNotEquals(words(new SeededSource(12), 4), words(new SeededSource("12"), 4));
});

Deno.test("SeededSource.uniform() makes its 53 bits of two words", () => {
  const source = new SeededSource(1), same = new SeededSource(1);
  for (let i = 0; i < 1000; i++) {
    const high = same.uint32(), low = same.uint32();
    assertEquals(source.uniform(), (high * 2 ** 21 + (low >>> 11)) / 2 ** 53);
  }
});

Deno.test("SeededSource.uniform() draws again when its 53 bits are zeros", () => {
  const next = Xoshiro128.prototype.next, drawn = [0, 2047, 0, 2048];
  Xoshiro128.prototype.next = () => drawn.shift()!;
  try {
    assertEquals(new SeededSource(1).uniform(), 2 ** -53);
    assertEquals(drawn, []);
  } finally {
    Xoshiro128.prototype.next = next;
  }
});

Deno.test("SeededSource() refuses when the seed is no safe integer, bigint or text", () => {
  for (const bad of [0.5, NaN, Infinity, 2 ** 53]) {
    assertThrows(() => new SeededSource(bad), RangeError, `current value is ${bad}`);
  }
  for (const bad of [undefined, null, {}, true]) {
    assertThrows(
      () => new SeededSource(bad as unknown as number),
      TypeError,
      "Cannot seed a source",
    );
  }
});

Deno.test("SeededSource.split() refuses when the label is no finite number or text", () => {
  const source = new SeededSource(1);
  assertThrows(() => source.split(NaN), RangeError, "label must be finite");
  assertThrows(() => source.split(undefined as unknown as string), TypeError, "Cannot split");
});
