/** No place. */
export const NONE = -1;

/**
 * Places of texts: of a fixed list, or of all that come, in the order in which they do. Texts are looked up as such, or as bytes of UTF-8 where rows come so;
 * one index is used in one way alone.
 */
export class KeyIndex {
  readonly #places = new Map<string, number>();
  readonly #texts: string[] = [];
  #bytes: ByteTable | undefined;
  /** Places of numbers that were looked up, whose texts are then not made again. */
  readonly #small = new SmallNumbers();
  readonly #numbers = new Map<number, number>();

  /** @param texts each once. */
  constructor(texts: readonly string[] = []) {
    for (const text of texts) this.add(text);
  }

  get size(): number {
    return this.#bytes?.size ?? this.#texts.length;
  }

  /** The place of a text; NONE where there is none. */
  of(text: string): number {
    return this.#places.get(text) ?? NONE;
  }

  /** The place of a text, a new one where there is none. */
  add(text: string): number {
    let place = this.#places.get(text);
    if (place === undefined) {
      // A text that is cut out of a longer one would keep all of it in memory.
      const own = text.length > 12 ? JSON.parse(JSON.stringify(text)) as string : text;
      this.#places.set(own, place = this.#texts.push(own) - 1);
    }
    return place;
  }

  /** The place of the text of a number, a new one if they may be added; NONE where there is none. An index is asked so with one value of `adds`. */
  placeOfNumber(cell: number | bigint, adds: boolean): number {
    const number = Number(cell),
      placeOf = (text: string): number => adds ? this.add(text) : this.of(text);
    // Big ones are told apart by all of their digits.
    if (typeof cell === "bigint" && !Number.isSafeInteger(number)) return placeOf(String(cell));
    const isSmall = number >= 0 && number < MOST_SMALL && Number.isInteger(number);
    const known = isSmall ? this.#small.placeOf(number) : this.#numbers.get(number);
    if (known !== undefined) return known;
    const place = placeOf(String(number));
    if (isSmall) this.#small.set(number, place);
    else if (this.#numbers.size < MOST_SMALL) this.#numbers.set(number, place);
    return place;
  }

  /** The text at a place. */
  textAt(place: number): string {
    return this.#bytes?.textAt(place) ?? this.#texts[place]!;
  }

  /** The same keys as bytes. */
  get bytes(): ByteTable {
    if (this.#bytes !== undefined) return this.#bytes;
    this.#bytes = new ByteTable();
    for (const text of this.#texts) this.#bytes.addText(text);
    return this.#bytes;
  }
}

/** Whole numbers below it have places in a table, and of others so many at most are kept. */
const MOST_SMALL = 2 ** 22;
/** Digits of the numbers that a table of bytes knows as such: 4 MB of them. */
const MOST_DIGITS = 6;

/** Places of small whole numbers, in a table as long as the largest of them needs. */
class SmallNumbers {
  /** 2 more than the places; 0 where none is known. */
  #places = new Int32Array(0);

  placeOf(number: number): number | undefined {
    const known = number < this.#places.length ? this.#places[number]! : 0;
    return known === 0 ? undefined : known - 2;
  }

  set(number: number, place: number): void {
    if (number >= this.#places.length) {
      const more = new Int32Array(2 ** Math.ceil(Math.log2(number + 1024)));
      more.set(this.#places);
      this.#places = more;
    }
    this.#places[number] = place + 2;
  }
}

/** A hash table of byte strings, each with its place. */
export class ByteTable {
  #size = 0;
  #bytes = new Uint8Array(1024);
  #used = 0;
  #ends = new Uint32Array(256);
  #hashes = new Int32Array(256);
  /** Places and 1, by hash. */
  #slots = new Int32Array(1024);
  readonly #small = new SmallNumbers();

  get size(): number {
    return this.#size;
  }

  /** The same as {@linkcode ByteTable.place}, quicker for bytes that are a small whole number. A table is asked so with one value of `adds`. */
  placeOfCell(
    bytes: Uint8Array,
    cell: { readonly from: number; readonly to: number; readonly adds: boolean },
  ): number {
    const { from, to } = cell;
    // Numbers that begin with another digit than 0 have one text.
    if (to - from > MOST_DIGITS || from === to || (bytes[from] === 48 && to - from > 1)) {
      return this.place(bytes, cell);
    }
    let number = 0;
    for (let i = from; i < to; i++) {
      const digit = bytes[i]! - 48;
      if (digit < 0 || digit > 9) return this.place(bytes, cell);
      number = number * 10 + digit;
    }
    const known = this.#small.placeOf(number);
    if (known !== undefined) return known;
    const place = this.place(bytes, cell);
    this.#small.set(number, place);
    return place;
  }

  /** The place of bytes from one place to another; NONE where they are not there, or a new one if they may be added. */
  place(
    bytes: Uint8Array,
    { from, to, adds }: { readonly from: number; readonly to: number; readonly adds: boolean },
  ): number {
    let hash = 0x811c9dc5 | 0;
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
    hash ^= hash >>> 15;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;; slot = (slot + 1) & mask) {
      const place = this.#slots[slot]! - 1;
      if (place < 0) break;
      if (this.#hashes[place] === hash && this.#equals(place, bytes, from, to)) return place;
    }
    if (!adds) return NONE;
    this.#append(bytes, { from, to, hash });
    this.#slots[slot] = this.#size;
    if (2 * this.#size > this.#slots.length) this.#rehash();
    return this.#size - 1;
  }

  /** The place of a text as bytes of UTF-8. */
  placeOfText(text: string, adds: boolean): number {
    const bytes = encoder.encode(text);
    return this.place(bytes, { from: 0, to: bytes.length, adds });
  }

  /** A listed text; one with half of a pair is no text of a file, and has a place that is never found. */
  addText(text: string): void {
    if (text.isWellFormed()) this.placeOfText(text, true);
    else this.#append(new Uint8Array(0), { from: 0, to: 0, hash: 0 });
  }

  textAt(place: number): string {
    const from = place === 0 ? 0 : this.#ends[place - 1]!;
    return decoder.decode(this.#bytes.subarray(from, this.#ends[place]!));
  }

  #equals(place: number, bytes: Uint8Array, from: number, to: number): boolean {
    const begin = place === 0 ? 0 : this.#ends[place - 1]!;
    if (this.#ends[place]! - begin !== to - from) return false;
    for (let i = begin, k = from; k < to; i++, k++) if (this.#bytes[i] !== bytes[k]) return false;
    return true;
  }

  #append(
    bytes: Uint8Array,
    { from, to, hash }: { readonly from: number; readonly to: number; readonly hash: number },
  ): void {
    while (this.#used + to - from > this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#bytes.length);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes.set(bytes.subarray(from, to), this.#used);
    this.#used += to - from;
    if (this.#size === this.#ends.length) {
      const ends = new Uint32Array(2 * this.#size), hashes = new Int32Array(2 * this.#size);
      ends.set(this.#ends);
      hashes.set(this.#hashes);
      this.#ends = ends;
      this.#hashes = hashes;
    }
    this.#hashes[this.#size] = hash;
    this.#ends[this.#size++] = this.#used;
  }

  #rehash(): void {
    const slots = new Int32Array(2 * this.#slots.length), mask = slots.length - 1;
    for (const each of this.#slots) {
      if (each === 0) continue;
      let slot = this.#hashes[each - 1]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = each;
    }
    this.#slots = slots;
  }
}

const encoder = new TextEncoder(), decoder = new TextDecoder("utf-8", { ignoreBOM: true });
