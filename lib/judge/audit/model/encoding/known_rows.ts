/** The most distinct rows that are counted, and the logarithm of the slots of the hash table: four for each row. */
export const MAX_DISTINCT = 4096;
const SLOT_BITS = 14;

/** Returns the bits of rows, two words a number. */
export function wordsOf(rows: Float64Array): Uint32Array {
  return new Uint32Array(rows.buffer, rows.byteOffset, 2 * rows.length);
}

/** Distinct rows in the order in which they first occurred. */
export interface KnownRows {
  readonly width: number;
  readonly rows: Float64Array;
  /** The bits of the rows. */
  readonly words: Uint32Array;
  readonly weights: Float64Array;
  /** How many they are. */
  known: number;
  /** A hash table: 1 + the place of a row whose hash begins here, 0 if there is none. */
  readonly slots: Int32Array;
}

/** Returns a table of known rows that is empty. */
export function noKnownRows(width: number): KnownRows {
  const rows = new Float64Array(MAX_DISTINCT * width);
  return {
    width,
    rows,
    words: wordsOf(rows),
    weights: new Float64Array(MAX_DISTINCT),
    known: 0,
    slots: new Int32Array(1 << SLOT_BITS),
  };
}

/** Returns the first slot of the row of these words. */
function slotOf(words: Uint32Array, from: number, end: number): number {
  // Two chains, of every second number each: a processor multiplies for one while it waits for the other. The low halves of small
  // numbers are 0, the low bits of the high ones too: exponents move down.
  let hash = 0, other = 0, k = from;
  for (; k + 4 <= end; k += 4) {
    const first = words[k + 1]!, second = words[k + 3]!;
    hash = Math.imul(hash ^ words[k]! ^ first ^ (first >>> 20), 0x9e3779b1);
    other = Math.imul(other ^ words[k + 2]! ^ second ^ (second >>> 20), 0x85ebca6b);
  }
  if (k < end) {
    const high = words[k + 1]!;
    hash = Math.imul(hash ^ words[k]! ^ high ^ (high >>> 20), 0x9e3779b1);
  }
  return Math.imul(hash ^ (other >>> 15) ^ other, 0x9e3779b1) >>> (32 - SLOT_BITS);
}

/**
 * Adds the first `n` rows to the weights of the known ones, and keeps those that are new. False as soon as they
 * would be more than `most`.
 */
export function countRows(
  own: KnownRows,
  words: Uint32Array,
  { n, most }: { readonly n: number; readonly most: number },
): boolean {
  const { words: ownWords, weights, slots } = own, length = 2 * own.width;
  const mask = slots.length - 1;
  let known = own.known;
  for (let i = 0, at = 0; i < n; i++, at += length) {
    const end = at + length;
    let slot = slotOf(words, at, end);
    for (;;) {
      const place = slots[slot]! - 1;
      if (place < 0) {
        if (known === most) return false;
        for (let k = 0; k < length; k++) ownWords[known * length + k] = words[at + k]!;
        weights[known] = 1;
        slots[slot] = ++known;
        break;
      }
      // Most rows are those of their slot: all numbers are compared, and nothing branches on one.
      let differ = 0;
      for (let k = at, own = place * length; k < end; k += 2, own += 2) {
        differ |= (ownWords[own]! ^ words[k]!) | (ownWords[own + 1]! ^ words[k + 1]!);
      }
      if (differ === 0) {
        weights[place]!++;
        break;
      }
      slot = (slot + 1) & mask;
    }
  }
  own.known = known;
  return true;
}
