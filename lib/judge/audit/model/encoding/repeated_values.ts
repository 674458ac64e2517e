import { ValueCounts } from "./value_counts.ts";

/** The slots in which values are first counted together: how many for each value, and the most, as a power of two. */
const SLOTS_PER_VALUE = 4, MOST_SLOT_BITS = 22;

/** Up to this many different numbers are counted without slots. */
const FEW = 4096;

/** A slot has two bits of a byte, and so counts to three. */
const MOST_COUNTED = 3;

/**
 * Returns the numbers that occur at least `fewest` times among these, NaN left out, and how often each of them does, in the order in
 * which they came. Some that occur less often are among them.
 *
 * Where there are many, they are first counted in slots that several values share. A value whose slot has a smaller count
 * occurs less often, so that of a million different numbers few need a place in a table. The loop is memory-bound, so the slots
 * take one megabyte at most.
 */
export function repeatedValues(values: Float64Array, fewest: number): ValueCounts {
  return fewValues(values) ?? manyValues(values, fewest);
}

/** Returns the counts of all numbers, if there are few. */
function fewValues(values: Float64Array): ValueCounts | undefined {
  const found = new ValueCounts(FEW);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value !== value) continue;
    if (found.size === FEW) return undefined;
    found.add(value);
  }
  return found;
}

function manyValues(values: Float64Array, fewest: number): ValueCounts {
  const words = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
  const bits = Math.ceil(Math.log2(SLOTS_PER_VALUE * Math.max(2, values.length)));
  const slots = new Slots(Math.min(MOST_SLOT_BITS, bits)), enough = Math.min(MOST_COUNTED, fewest);
  slots.add(words);
  const found = new ValueCounts(slots.countAtLeast(enough, words));
  for (let i = 0, k = 0; i < values.length; i++, k += 2) {
    const value = values[i]!;
    if (value === value && slots.at(words[k]!, words[k + 1]!) >= enough) found.add(value);
  }
  return found;
}

/** Counts of numbers, given by their words, in slots that they share. */
class Slots {
  readonly #bytes: Uint8Array;
  readonly #shift: number;

  constructor(bits: number) {
    this.#bytes = new Uint8Array(2 ** (bits - 2));
    this.#shift = 32 - bits;
  }

  add(words: Uint32Array): void {
    const bytes = this.#bytes, shift = this.#shift;
    for (let k = 0; k < words.length; k += 2) {
      const slot = hashOf(words[k]!, words[k + 1]!) >>> shift, place = 2 * (slot & 3);
      const byte = bytes[slot >> 2]!, count = (byte >> place) & 3;
      bytes[slot >> 2] = byte + (Number(count < MOST_COUNTED) << place);
    }
  }

  /** Counts the numbers in the slot of this one, up to three. */
  at(low: number, high: number): number {
    const slot = hashOf(low, high) >>> this.#shift;
    return (this.#bytes[slot >> 2]! >> (2 * (slot & 3))) & 3;
  }

  /** Counts those of these numbers that are in slots of at least `enough`. */
  countAtLeast(enough: number, words: Uint32Array): number {
    let found = 0;
    for (let k = 0; k < words.length; k += 2) {
      found += Number(this.at(words[k]!, words[k + 1]!) >= enough);
    }
    return found;
  }
}

/**
 * Returns 32 bits from the words of a number, the same for 0 with either sign. ValueCounts has another hash: values that share a slot
 * here must not collide there.
 */
function hashOf(low: number, high: number): number {
  const size = high & 0x7fffffff;
  const hash = Math.imul(Math.imul(low ^ (size >>> 20), 0xc2b2ae35) + size, 0x27d4eb2f);
  return hash ^ (hash >>> 15);
}
