import type { Source } from "../mechanism/source.ts";
import { rational } from "../numeric/rational.ts";
import { kernelFor } from "./block_kernel.ts";
import { exactBernoulli } from "./exact_bernoulli.ts";
import { borrowWordBlock, returnWordBlock } from "./word_block.ts";

/**
 * Fills `out` with ones, each with exactly the probability of the double `probability`, and zeros.
 * The binary digits of a uniform real are compared with those of the probability, 32 at a time and as
 * many as it takes: no rounding anywhere, however small the probability.
 *
 * @returns `out`.
 * @throws {RangeError} unless `probability` is in [0, 1].
 *
 * @example
 * ```ts
 * import { SeededSource } from "./seeded_source.ts";
 * import { bernoulli } from "./bernoulli.ts";
 * bernoulli(new SeededSource(1), new Uint8Array(1000), { probability: 0.25 });
 * ```
 */
export function bernoulli(
  source: Source,
  out: Uint8Array,
  { probability }: { probability: number },
): Uint8Array {
  if (!(typeof probability === "number" && probability >= 0 && probability <= 1)) {
    throw new RangeError(
      `Cannot draw Bernoulli variables: probability must be in [0, 1]: current value is ${probability}`,
    );
  }
  if (source.branch !== undefined) {
    const coin = exactBernoulli(rational(probability));
    return out.forEach((_, i) => out[i] = Number(coin(source))), out;
  }
  if (probability === 1) return out.fill(1);
  // Multiplying by 2³² and taking the integer off are exact in doubles.
  const digits = Math.floor(probability * 2 ** 32);
  const rest = probability * 2 ** 32 - digits;
  const block = borrowWordBlock();
  for (let from = 0; from < out.length; from += block.length) {
    const bits = out.subarray(from, from + block.length);
    const words = block.subarray(0, bits.length);
    source.fillUint32(words);
    const ties = compareByKernel(words, digits, bits) ?? compare(words, digits, bits);
    if (ties) breakTies(source, { words, digits, rest, bits });
  }
  returnWordBlock(block);
  return out;
}

/** Draws that are fewer than so many make no use of a kernel. */
const FEWEST_DRAWS = 32;

/** {@linkcode compare} by the kernel; `undefined` where there is none. */
function compareByKernel(
  words: Uint32Array,
  digits: number,
  bits: Uint8Array,
): boolean | undefined {
  const count = bits.length;
  const own = count < FEWEST_DRAWS ? undefined : kernelFor(words);
  if (own === undefined) return undefined;
  const ties =
    own.kernels.compareWords(words.byteOffset, own.bytes.byteOffset, count, digits) === 1;
  bits.set(own.bytes.subarray(0, count));
  return ties;
}

/** The hot loop: one for every word below `digits`. @returns whether a word equals it. */
function compare(words: Uint32Array, digits: number, bits: Uint8Array): boolean {
  const count = bits.length;
  const bound = digits | 0;
  let ties = false;
  for (let i = 0; i < count; i = (i + 1) | 0) {
    const word = words[i]! | 0;
    // The borrow of word − digits, for a branch that goes either way at random is slow.
    bits[i] = ((~word & bound) | (~(word ^ bound) & (word - bound))) >>> 31;
    if (word === bound) ties = true;
  }
  return ties;
}

/** One draw in 2³² agrees with the probability in all its 32 digits. */
function breakTies(
  source: Source,
  { words, digits, rest, bits }: {
    words: Uint32Array;
    digits: number;
    rest: number;
    bits: Uint8Array;
  },
): void {
  for (let i = words.indexOf(digits); i >= 0; i = words.indexOf(digits, i + 1)) {
    bits[i] = Number(isBelow(source, rest));
  }
}

/** Returns true if a uniform real drawn from [0, 1) is below `probability`, itself in [0, 1). */
function isBelow(source: Source, probability: number): boolean {
  for (let rest = probability; rest > 0;) {
    const digits = Math.floor(rest * 2 ** 32);
    const word = source.uint32();
    if (word < digits) return true;
    if (word > digits) return false;
    rest = rest * 2 ** 32 - digits;
  }
  return false;
}
