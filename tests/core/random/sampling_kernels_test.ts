import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { kernels, withoutKernels } from "../../../lib/core/random/kernels/kernels.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { bernoulli } from "../../../lib/core/random/bernoulli.ts";
import { fillByBlockInversion } from "../../../lib/core/random/block_inversion.ts";
import { type BlockTable, blockTable } from "../../../lib/core/random/block_table.ts";
import { floatExponential } from "../../../lib/core/random/float_exponential.ts";
import { floatGamma } from "../../../lib/core/random/float_gamma.ts";
import { floatLaplace } from "../../../lib/core/random/float_laplace.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { floatUniform } from "../../../lib/core/random/float_uniform.ts";
import { gaussianBlockLaw } from "../../../lib/core/random/gaussian_block_law.ts";
import { laplaceBlockLaw } from "../../../lib/core/random/laplace_block_law.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { borrowWordBlock, returnWordBlock } from "../../../lib/core/random/word_block.ts";
import { Xoshiro128 } from "../../../lib/core/random/xoshiro128.ts";
import { exactLaw, one } from "./exact_block_laws.ts";

const RUNS = { numRuns: 40, seed: 26 };
/** Lengths within a block and beyond two, and those around every size at which a loop ends. */
const lengths = fc.oneof(
  fc.integer({ min: 0, max: 9000 }),
  fc.constantFrom(31, 32, 33, 127, 128, 129, 1023, 1024, 1025, 2047, 2048, 2049, 4096, 8192),
);
const state = fc.array(fc.integer(), { minLength: 4, maxLength: 4 })
  .filter((own) => own.some((x) => x !== 0));

Deno.test("words of the kernel are those of the generator, and so is the state after them", () => {
  assert(kernels() !== undefined);
  fc.assert(
    fc.property(state, lengths, lengths, (own, first, second) => {
      const both = [new Xoshiro128(own), new Xoshiro128(own)] as const;
      const out = [first, second].map((length) => {
        const filled = new Uint32Array(length);
        both[0].fill(filled);
        return filled;
      });
      for (const filled of out) {
        assertEquals(filled, Uint32Array.from(filled, () => both[1].next()));
      }
      assertEquals(both[0].next(), both[1].next());
    }),
    RUNS,
  );
});

Deno.test("words are filled in the kernels' memory and outside of it alike, and nothing beside them", () => {
  const block = borrowWordBlock();
  assert(block.buffer === kernels()!.memory);
  fc.assert(
    fc.property(state, fc.integer({ min: 0, max: 300 }), lengths, (own, from, length) => {
      block.fill(7);
      const to = Math.min(block.length, from + length);
      new Xoshiro128(own).fill(block.subarray(from, to));
      const out = new Uint32Array(to - from);
      withoutKernels(() => new Xoshiro128(own).fill(out));
      assertEquals(block.subarray(from, to), out);
      assert(block.subarray(0, from).every((word) => word === 7));
      assert(block.subarray(to).every((word) => word === 7));
    }),
    RUNS,
  );
  returnWordBlock(block);
});

const positive = fc.double({ min: 1e-300, max: 1e300, noNaN: true });
/** A source of words that a seeded one gives seldom: the least and the most, zeros, and some digits. */
function oddWords(seed: number, digits: number, { most = 2 ** 32 - 1 } = {}): Source {
  const source = new SeededSource(seed);
  const odd = (word: number): number =>
    word % 7 === 0 ? 0 : word % 7 === 1 ? most : word % 7 === 2 ? digits : word;
  return {
    kind: "seeded",
    uint32: () => odd(source.uint32()),
    uniform: () => source.uniform(),
    fillUint32: (out) => {
      source.fillUint32(out);
      out.forEach((word, i) => out[i] = odd(word));
    },
    split: () => source,
  };
}

/** Whether a sampler gives the same with kernels and without, and leaves the source at the same place. */
function assertSame<Out extends Float64Array | Uint8Array>(
  sample: (source: Source, out: Out) => unknown,
  { source, empty }: { source: () => Source; empty: () => Out },
): void {
  const [own, other] = [source(), source()], [out, expected] = [empty(), empty()];
  sample(own, out);
  withoutKernels(() => sample(other, expected));
  assertEquals(out, expected);
  assertEquals(own.uint32(), other.uint32());
}

/** 1 − (399/400)ʲ. */
const longShares = Array.from({ length: 9000 }, () => 0n);
for (let j = 0, left = one; j < longShares.length; j++) {
  left = left * 399n / 400n;
  longShares[j] = one - left;
}

// Tables of more laws than stay in the kernels' memory, by turns. Mutants: a table in another one's place; a value beside those
// that a call made; a word of another draw; a draw that is open and counts as decided.
Deno.test("integers of the kernel are those of the loop, for laws that take turns", () => {
  const scales = [[1n, 3n], [1000n, 7n], [511n, 1n], [10_000n, 7n], [2n ** 30n, 1n], [
    2n ** 38n,
    1n,
  ]] as const;
  const tables: readonly BlockTable[] = [
    ...scales.map(([numerator, denominator]) => laplaceBlockLaw(rational(numerator, denominator))),
    gaussianBlockLaw(rational(2n ** 60n, 3n)),
    gaussianBlockLaw(rational(5n)),
    // More blocks than a table in the kernels' memory has room for.
    exactLaw(longShares),
  ].map((law) => blockTable(law));
  const own = kernels()!, { drawBlocks } = own;
  let calls = 0;
  own.drawBlocks = (...given) => (calls++, drawBlocks(...given));
  fc.assert(
    fc.property(
      fc.integer(),
      fc.array(fc.tuple(fc.nat(tables.length - 1), lengths), { minLength: 1, maxLength: 4 }),
      fc.nat(),
      (seed, fills, place) => {
        // Thresholds are among the odd words; all ones are not, for a draw beyond the table takes milliseconds.
        const odd = (): Source =>
          oddWords(seed, tables[fills[0]![0]]!.thresholds[place % 200] ?? 5, { most: 2 ** 31 });
        for (
          const [source, atMost] of [[() => new SeededSource(seed), 9000], [odd, 300]] as const
        ) {
          const [own, other] = [source(), source()];
          for (const [at, length] of fills) {
            const count = Math.min(length, atMost);
            const [out, expected] = [new Float64Array(count), new Float64Array(count)];
            fillByBlockInversion(own, out, tables[at]!);
            withoutKernels(() => fillByBlockInversion(other, expected, tables[at]!));
            assertEquals(out, expected);
          }
          assertEquals(own.uint32(), other.uint32());
        }
      },
    ),
    RUNS,
  );
  own.drawBlocks = drawBlocks;
  assert(calls > 0);
});

Deno.test("doubles of the kernels are those of the samplers to the last bit", () => {
  fc.assert(
    fc.property(
      fc.integer(),
      lengths,
      positive,
      fc.double({ min: 0.05, max: 50, noNaN: true }),
      (seed, length, scale, shape) => {
        const samplers: readonly ((source: Source, out: Float64Array) => unknown)[] = [
          floatUniform,
          (source, out) => floatExponential(source, out, { scale }),
          (source, out) => floatLaplace(source, out, { scale }),
          (source, out) => floatNormal(source, out, { scale }),
          (source, out) => floatGamma(source, out, { shape, scale }),
        ];
        for (const sample of samplers) {
          assertSame(sample, {
            source: () => new SeededSource(seed),
            empty: () => new Float64Array(length),
          });
        }
        for (const sample of samplers.slice(0, 4)) {
          assertSame(sample, {
            source: () => oddWords(seed, 5),
            empty: () => new Float64Array(length),
          });
        }
      },
    ),
    RUNS,
  );
});

Deno.test("bits of the kernel are those of the sampler, ties and all", () => {
  fc.assert(
    fc.property(
      fc.integer(),
      lengths,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (seed, length, probability) => {
        assertSame((source, out: Uint8Array) => bernoulli(source, out, { probability }), {
          source: () => oddWords(seed, Math.floor(probability * 2 ** 32)),
          empty: () => new Uint8Array(length),
        });
      },
    ),
    RUNS,
  );
});
