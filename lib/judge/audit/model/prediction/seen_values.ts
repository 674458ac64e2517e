import type { Cell } from "./rare_cell.ts";

/** Different values that are all kept; where there are more, only those that come again. */
const FEW = 1024;
/** The most values that are kept. */
const MOST = 4096;
/**
 * The size of the table of fingerprints of values that were not kept, at first and at most, as a power of two. A fingerprint
 * replaces the one in its slot.
 */
const FIRST_BITS = 14, MOST_BITS = 22;
/** The table grows when this many times its size were written; and by which power of two. */
const FULL = 2, GROWTH_BITS = 2;
/** Bits of the filter that tells most values from those that are kept. */
const FILTER_BITS = 16;

/** A number as two words. */
const number = new Float64Array(1);
const words = new Uint32Array(number.buffer);

/**
 * The values that came at one place of outputs, numbers or texts. Few different values are all kept. Where they are many, those
 * that come again are found by their fingerprints: a value that comes now and then among millions of others is kept from its
 * second time on.
 */
export class SeenValues<Key extends number | string> {
  /** The cell of values that are not kept. */
  readonly others: Cell;
  readonly #cellOf: (key: Key) => Cell;
  #known = new Map<Key, Cell>();
  /** Values of the batch that are not kept. */
  #unknown: Key[] = [];
  #fingerprints: Uint16Array | undefined;
  #filter: Uint8Array | undefined;
  #written = 0;

  /** Begins without values; `cellOf` makes the cell of one. */
  constructor(others: Cell, cellOf: (key: Key) => Cell) {
    this.others = others;
    this.#cellOf = cellOf;
  }

  /** Returns the cell of a value that comes so many times, as it was before the batch. */
  of(key: Key, times = 1): Cell {
    const filter = this.#filter;
    if (filter === undefined || filter[hashOf(key) >>> (32 - FILTER_BITS)] === 1) {
      const cell = this.#known.get(key);
      if (cell !== undefined) return cell;
    }
    for (let k = 0; k < times; k++) this.#unknown.push(key);
    return this.others;
  }

  /** Draws of each value that is kept, and of all others, up to the last batch. */
  get counted(): { readonly counts: (readonly [Key, number])[]; readonly others: number } {
    const counts = [...this.#known].map(([key, { present }]) => [key, present] as const);
    return { counts, others: this.#fingerprints === undefined ? 0 : this.others.present };
  }

  /** Learns from the values of the batch, at its end. */
  learn(): void {
    for (const key of this.#unknown) {
      const cell = this.#known.get(key);
      if (cell !== undefined) cell.present++;
      else if (this.#fingerprints !== undefined) this.#write(key);
      else {
        this.#keep(key, 1);
        if (this.#known.size > FEW) this.#becomeMany();
      }
    }
    this.#unknown = [];
  }

  #keep(given: Key, present: number): void {
    const key = typeof given === "string" ? detached(given) as Key : given;
    const cell = this.#cellOf(key);
    cell.present = present;
    this.#known.set(key, cell);
    if (this.#filter !== undefined) this.#filter[hashOf(key) >>> (32 - FILTER_BITS)] = 1;
  }

  /** Keeps values that came once no longer: only their fingerprints. */
  #becomeMany(): void {
    this.#filter = new Uint8Array(2 ** FILTER_BITS);
    this.#fingerprints = new Uint16Array(2 ** FIRST_BITS);
    for (const [key, { present }] of this.#known) {
      if (present > 1) this.#filter[hashOf(key) >>> (32 - FILTER_BITS)] = 1;
      else {
        this.#known.delete(key);
        this.#write(key);
      }
    }
  }

  #write(key: Key): void {
    let table = this.#fingerprints!;
    const bits = Math.log2(table.length);
    if (this.#written > FULL * table.length && bits < MOST_BITS) {
      table = this.#fingerprints = new Uint16Array(2 ** (bits + GROWTH_BITS));
      this.#written = 0;
    }
    // 0 is an empty slot.
    const slot = hashOf(key) & (table.length - 1), own = (otherHash >>> 16) || 1;
    if (table[slot] !== own) {
      table[slot] = own;
      this.#written++;
    } else if (this.#known.size < MOST) this.#keep(key, 2);
  }
}

/** Returns the same text in memory of its own: the start of a long one would keep all of it. */
function detached(text: string): string {
  return ` ${text}`.slice(1);
}

/** A second hash of the key that was hashed last. */
let otherHash = 0;

/** Returns a hash of 32 bits. */
function hashOf(key: number | string): number {
  let low = 0x811c9dc5, high = 0x9e3779b1;
  if (typeof key === "number") {
    number[0] = key;
    [low, high] = [words[0]!, words[1]!];
  } else {
    for (let i = 0; i < key.length; i++) {
      low = Math.imul(low ^ key.charCodeAt(i), 0x01000193);
      high = Math.imul(high, 31) + low | 0;
    }
  }
  const mixed = Math.imul(Math.imul(low ^ (high >>> 15), 0x85ebca6b) ^ high, 0xc2b2ae35);
  otherHash = Math.imul(mixed ^ (high >>> 13) ^ low, 0x27d4eb2f);
  otherHash ^= otherHash >>> 15;
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
