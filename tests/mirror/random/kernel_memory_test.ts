import { assert, assertEquals } from "@std/assert";
import { kernels, takeBytes, withoutKernels } from "../../../lib/numeric/kernels/kernels.ts";
import { bernoulli } from "../../../lib/random/bernoulli.ts";
import { kernelFor } from "../../../lib/random/block_kernel.ts";
import { floatNormal } from "../../../lib/random/float_normal.ts";
import { SeededSource } from "../../../lib/random/seeded_source.ts";
import { borrowWordBlock, returnWordBlock } from "../../../lib/random/word_block.ts";
import { WordKernel } from "../../../lib/random/word_kernel.ts";

// The first test here: no block has been taken. Mutant: some of the kernels' memory asked for where there are none.
Deno.test("blocks of words have memory of their own where there are no kernels", () => {
  withoutKernels(() => returnWordBlock(borrowWordBlock()));
});

// What the state, two tables and 4,096 words take. Mutants: words elsewhere, over the bytes of others.
Deno.test("WordKernel writes to its own bytes alone", () => {
  const own = kernels()!, room = 64 + 2 * 8192 + 4 * 4096, side = 20_480;
  const address = takeBytes(own, room + 2 * side)!;
  const bytes = new Uint8Array(own.memory, address, room + 2 * side).fill(171);
  const kernel = new WordKernel(own, address + side);
  kernel.state.set([1, 2, 3, 4]);
  assertEquals(kernel.fill(new Uint32Array(10_000)), 9_984);
  for (const part of [bytes.subarray(0, side), bytes.subarray(side + room)]) {
    assertEquals(part.findIndex((byte) => byte !== 171), -1);
  }
});

// Mutants: words of another memory read by a kernel at their address; blocks without end in the kernels' memory, and some of it
// asked for where there is none.
Deno.test("at most 8 blocks of words are in the kernels' memory, and kernels read no others", () => {
  const all = Array.from({ length: 20 }, borrowWordBlock);
  const { memory } = kernels()!, inside = all.filter(({ buffer }) => buffer === memory);
  assert(inside.length > 0 && inside.length <= 8, `${inside.length}`);
  assert(kernelFor(inside[0]!) !== undefined);
  assertEquals(kernelFor(new Uint32Array(4)), undefined);
  withoutKernels(() => assert(borrowWordBlock().buffer !== memory));
  all.forEach(returnWordBlock);
});

// The last test here: it takes all of the memory. Mutant: a table at no address.
Deno.test("samplers draw the same where the kernels' memory has no room for their tables", () => {
  const draw = (): Float64Array => floatNormal(new SeededSource(1), new Float64Array(5000), {});
  // A block of words, and room for what is made of it.
  bernoulli(new SeededSource(1), new Uint8Array(1000), { probability: 0.3 });
  const own = kernels()!;
  for (const size of [100_000, 1000, 1]) while (takeBytes(own, size) !== undefined);
  assertEquals(draw(), withoutKernels(draw));
});
