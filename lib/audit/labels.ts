import type { Source } from "../core/source.ts";

const words = new Uint32Array(4096);

function onesIn(word: number): number {
  let w = word - ((word >>> 1) & 0x55555555);
  w = (w & 0x33333333) + ((w >>> 2) & 0x33333333);
  return Math.imul((w + (w >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * How many of `count` fair coins fall on the right-hand side: the labels of a batch, of which only
 * the number matters because outputs on one dataset are exchangeable.
 */
export function countRight(source: Source, count: number): number {
  let right = 0;
  let left = Math.floor(count / 32);
  while (left > 0) {
    const part = words.subarray(0, Math.min(left, words.length));
    source.fillUint32(part);
    for (let i = 0; i < part.length; i++) right += onesIn(part[i]!);
    left -= part.length;
  }
  const rest = count % 32;
  if (rest > 0) right += onesIn(source.uint32() & (2 ** rest - 1));
  return right;
}
