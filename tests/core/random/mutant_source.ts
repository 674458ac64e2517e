import type { Source } from "../../../lib/core/mechanism/source.ts";

/** A source whose blocks of words are changed in place: a fault planted under a sampler as it is. */
export function mutantSource(source: Source, change: (block: Uint32Array) => void): Source {
  return {
    kind: source.kind,
    uint32: () => source.uint32(),
    uniform: () => source.uniform(),
    fillUint32: (out) => {
      source.fillUint32(out);
      change(out);
    },
    split: (label) => mutantSource(source.split(label), change),
  };
}

/** The sign bit, number 9, is a copy of the lowest bit of the layer. */
export function signFromLayer(block: Uint32Array): void {
  for (let i = 0; i < block.length; i++) block[i] = (block[i]! & ~512) | ((block[i]! & 1) << 9);
}

/** Of the 53 bits of a position, the lowest 29 are zero. Whole blocks only: low words, then high ones. */
export function shortMantissa(block: Uint32Array): void {
  const half = block.length / 2;
  for (let i = 0; i < half; i++) {
    block[i]! &= 0x7ff;
    block[half + i]! &= 0xffffff00;
  }
}

/** Every block is the first one again. */
export function stuck(): (block: Uint32Array) => void {
  let first: Uint32Array | undefined;
  return (block) => {
    first ??= block.slice();
    block.set(first.subarray(0, block.length));
  };
}
