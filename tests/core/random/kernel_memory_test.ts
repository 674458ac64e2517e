import { assertEquals } from "@std/assert";
import {
  kernels,
  takeBytes,
  withBytesBack,
  withoutKernels,
} from "../../../lib/core/random/kernels/kernels.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { bernoulli } from "../../../lib/core/random/bernoulli.ts";
import { fillByBlockInversion } from "../../../lib/core/random/block_inversion.ts";
import { blockTable } from "../../../lib/core/random/block_table.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { laplaceBlockLaw } from "../../../lib/core/random/laplace_block_law.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { WordKernel } from "../../../lib/core/random/word_kernel.ts";

// What the state, two tables and 4,096 words take. Mutants: words elsewhere, over the bytes of others.
Deno.test("WordKernel writes to its own bytes alone", () => {
  const own = kernels()!, room = 64 + 2 * 8192 + 4 * 4096, side = 20_480;
  withBytesBack(() => {
    const address = takeBytes(own, room + 2 * side)!;
    const bytes = new Uint8Array(own.memory, address, room + 2 * side).fill(171);
    const kernel = new WordKernel(own, address + side);
    kernel.state.set([1, 2, 3, 4]);
    assertEquals(kernel.fill(new Uint32Array(10_000)), 9_984);
    for (const part of [bytes.subarray(0, side), bytes.subarray(side + room)]) {
      assertEquals(part.findIndex((byte) => byte !== 171), -1);
    }
  });
});

/** Runs `body` as where no bytes are left. */
function withoutRoom<T>(body: () => T): T {
  const own = kernels()!;
  return withBytesBack(() => {
    for (const size of [100_000, 1000, 1]) while (takeBytes(own, size) !== undefined);
    return body();
  });
}

// Samplers that no other test here uses. Mutant: a table at no address.
Deno.test("samplers draw the same where the kernels' memory has no room for their tables, and where it has some again", () => {
  const table = blockTable(laplaceBlockLaw(rational(1000n)));
  const samplers: readonly (() => Float64Array)[] = [
    () => floatNormal(new SeededSource(1), new Float64Array(5000), {}),
    () => fillByBlockInversion(new SeededSource(1), new Float64Array(5000), table),
  ];
  // A block of words, and room for what is made of it.
  bernoulli(new SeededSource(1), new Uint8Array(1000), { probability: 0.3 });
  for (const draw of samplers) {
    const expected = withoutKernels(draw);
    assertEquals(withoutRoom(draw), expected);
    assertEquals(draw(), expected);
  }
});
