import type { Source } from "../mechanism/source.ts";
import { kernels, takeBytes } from "./kernels/kernels.ts";

/** Draws of two words each in a block: 16 KiB, half of the first-level cache of common processors. */
export const BLOCK = 2048;

/** Blocks that no sampler is using, kept so that small requests do not allocate 16 KiB each. */
const spare: Uint32Array[] = [];

/** Blocks in the kernels' memory, and the most that are taken of it. */
let blocksOfKernels = 0;
const MOST_OF_KERNELS = 8;

/**
 * A block of words for one call of a sampler, with unspecified contents. Hand it back with
 * {@linkcode returnWordBlock}. A sampler that runs inside another (a source may call one) gets a block of
 * its own.
 */
export function borrowWordBlock(): Uint32Array {
  return spare.pop() ?? newBlock();
}

/** A block in the kernels' memory, as long as these have room for one. */
function newBlock(): Uint32Array {
  const own = kernels();
  const address = own && blocksOfKernels < MOST_OF_KERNELS ? takeBytes(own, 8 * BLOCK) : undefined;
  if (address === undefined) return new Uint32Array(2 * BLOCK);
  blocksOfKernels++;
  return new Uint32Array(own!.memory, address, 2 * BLOCK);
}

/** Keeps a block for the next sampler. */
export function returnWordBlock(block: Uint32Array): void {
  spare.push(block);
}

/** The part of `out` that begins at `from` and is filled from one block; no view where it is all. */
export function valuesOfBlock(out: Float64Array, from: number): Float64Array {
  return out.length <= BLOCK ? out : out.subarray(from, from + BLOCK);
}

/** Fills the first `count` words of `block`. */
export function fillWords(source: Source, block: Uint32Array, count: number): void {
  fillPart(source, block, { from: 0, count });
}

/**
 * Fills `block` with two words for each of `count` draws, the second {@linkcode BLOCK} places after
 * the first: a distance that the compiler knows makes cheaper loops than neighbours do.
 */
export function fillPairs(source: Source, block: Uint32Array, count: number): void {
  if (count === BLOCK) {
    source.fillUint32(block);
  } else {
    fillPart(source, block, { from: 0, count });
    fillPart(source, block, { from: BLOCK, count });
  }
}

function fillPart(
  source: Source,
  block: Uint32Array,
  { from, count }: { from: number; count: number },
): void {
  if (count > 12) {
    source.fillUint32(block.subarray(from, from + count));
  } else {
    // A view costs more than a few calls.
    for (let i = 0; i < count; i++) block[from + i] = source.uint32();
  }
}
