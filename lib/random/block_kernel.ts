import { type Kernels, kernels, takeBytes } from "../numeric/kernels/kernels.ts";
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

let blockKernel: BlockKernel | null | undefined;

/** The kernels for a block of words, if it is in their memory. */
export function kernelFor(words: Uint32Array): BlockKernel | undefined {
  const own = kernels();
  if (own === undefined || words.buffer !== own.memory) return undefined;
  if (blockKernel === undefined) blockKernel = takeRoom(own);
  return blockKernel ?? undefined;
}

function takeRoom(own: Kernels): BlockKernel | null {
  const address = takeBytes(own, 12 * BLOCK);
  if (address === undefined) return null;
  return {
    kernels: own,
    values: new Float64Array(own.memory, address, BLOCK),
    bytes: new Uint8Array(own.memory, address, 2 * BLOCK),
    places: new Uint32Array(own.memory, address + 8 * BLOCK, BLOCK),
  };
}
