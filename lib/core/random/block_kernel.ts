import { inKernelMemory, type Kernels, kernels } from "./kernels/kernels.ts";
import { BLOCK } from "./word_block.ts";

/** The kernels, with room for what one call makes of a block of words. */
export interface BlockKernel {
  readonly kernels: Kernels;
  /** One double a draw. To be read before anything else is called. */
  readonly values: Float64Array;
  /** The same bytes as bytes, as many as two words a draw are. */
  readonly bytes: Uint8Array;
  /** Places in the block. To be read before anything else is called. */
  readonly places: Uint32Array;
}

/** The kernels for a block of words, if it is in their memory. */
export function kernelFor(words: Uint32Array): BlockKernel | undefined {
  return words.buffer === kernels()?.memory ? blockKernel() : undefined;
}

const blockKernel = inKernelMemory(12 * BLOCK, (own, address): BlockKernel => ({
  kernels: own,
  values: new Float64Array(own.memory, address, BLOCK),
  bytes: new Uint8Array(own.memory, address, 2 * BLOCK),
  places: new Uint32Array(own.memory, address + 8 * BLOCK, BLOCK),
}));
