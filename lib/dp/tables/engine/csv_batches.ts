import { createReadStream } from "node:fs";
import { dayOf, numberOf } from "../../schema/cells.ts";
import { type Batch, type Cells, MISSING } from "./batch.ts";
import { textOfBytes } from "../text_of_bytes.ts";
import { textOfWindows1252 } from "./windows_1252.ts";
import type { KeyIndex } from "./key_index.ts";

/** Bytes that are read at once. */
const PIECE = 2 ** 18;

/** Bytes of a line at most: memory need not hold a longer one, and an error would tell of it. */
const LONGEST = 2 ** 24;

const LINE_FEED = 10, CARRIAGE_RETURN = 13, SPACE = 32, QUOTE = 34, NOT_ASCII = 128;

/** Format of the lines of a CSV file, as its first line says. */
export interface CsvDialect {
  /** The names of the columns. */
  readonly names: readonly string[];
  readonly delimiter: string;
  readonly lineEnd: "\n" | "\r\n";
}

/** Options of reading a file. */
export interface CsvReading {
  /** Learns the dialect from the first line, which is `undefined` where it is too long. @throws where it is none. */
  readonly dialectOf: (header: string | undefined, lineEnd: CsvDialect["lineEnd"]) => CsvDialect;
  /** The cells of a line that the quick reader leaves: with quotes, with letters that are not ASCII, or blank. */
  readonly cellsOf: (line: string, delimiter: string) => readonly string[];
  /** Bytes of a line at most. Default: 2²⁴. */
  readonly longest?: number;
}

/** Rows of a CSV file, with the cells of some of its columns. */
export interface CsvBatch extends Batch {
  readonly dialect: CsvDialect;
  /** The text of a cell; `undefined` where the line has none there. `at` counts the columns that were asked for. */
  readonly textAt: (row: number, at: number) => string | undefined;
}

/**
 * Rows of a CSV file, some at a time, without an object or a text for each: cells are places in its bytes. All that is known of the file comes from its first line. Each
 * other line is one row, whatever it holds, and what it is read as depends on its own bytes alone: UTF-8, or Windows-1252 where it is none. At least one batch, which has no rows.
 *
 * @param names which columns, all where it is left out; those that the file has not are missing in all rows.
 */
export async function* csvBatches(
  file: string,
  names: readonly string[] | undefined,
  reading: CsvReading,
): AsyncGenerator<CsvBatch> {
  const { longest = LONGEST } = reading;
  let parser: LineParser | undefined, rest = new Uint8Array(0), drops = false;
  for await (const chunk of createReadStream(file, { highWaterMark: PIECE })) {
    let bytes = joined(rest, chunk as Uint8Array);
    if (parser === undefined) {
      const end = bytes.indexOf(LINE_FEED);
      if (end < 0 && bytes.length <= longest) {
        rest = bytes;
        continue;
      }
      parser = parserOf(bytes, end, names, reading);
      yield parser.batch(new Uint8Array(0), 0);
      bytes = bytes.subarray(end + 1);
    }
    if (drops) {
      const end = parser.endOfFirst(bytes);
      if (end < 0) {
        rest = bytes.slice(-1);
        continue;
      }
      // A line that was too long is a row of which nothing is read.
      yield parser.empty();
      drops = false;
      bytes = bytes.subarray(end);
    }
    const cut = parser.endOfLast(bytes);
    if (cut > 0) yield parser.batch(bytes, cut);
    rest = bytes.slice(cut);
    if (rest.length > longest) {
      drops = true;
      rest = rest.slice(-1);
    }
  }
  if (parser === undefined) {
    parser = parserOf(rest, -1, names, reading);
    yield parser.batch(new Uint8Array(0), 0);
    return;
  }
  if (drops) yield parser.empty();
  else if (rest.length > 0) {
    const line = joined(rest, Uint8Array.from(parser.end));
    yield parser.batch(line, line.length);
  }
}

function parserOf(
  bytes: Uint8Array,
  end: number,
  names: readonly string[] | undefined,
  reading: CsvReading,
): LineParser {
  const isWindows = end > 0 && bytes[end - 1] === CARRIAGE_RETURN;
  const { longest = LONGEST } = reading, stop = end < 0 ? bytes.length : isWindows ? end - 1 : end;
  const header = stop > longest ? undefined : textOfLine(bytes.subarray(0, stop));
  const dialect = reading.dialectOf(header, isWindows ? "\r\n" : "\n");
  const wanted = names ?? dialect.names;
  return new LineParser(dialect, { ...reading, longest, wanted });
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

const ascii = new TextDecoder("utf-8");

/** Lines that are no UTF-8 are read as Windows-1252: spreadsheets write it, and other bytes are another text in it. */
function textOfLine(bytes: Uint8Array): string {
  return textOfBytes(bytes) ?? textOfWindows1252(bytes);
}

/** Where a cell is that is a text by itself: places in the bytes are at least 0. */
const ABSENT = -1;

/** Finds lines and cells in bytes. */
class LineParser {
  readonly dialect: CsvDialect;
  /** What ends a line, as bytes. */
  readonly end: readonly number[];
  readonly #reading: CsvReading & { readonly longest: number };
  readonly #wanted: readonly string[];
  /** For each column of the file which of the wanted it is; −1: none. */
  readonly #slots: Int32Array;
  readonly #places: Int32Array;
  /** The delimiter; above all bytes where it is not ASCII, so that the quick reader reads no line. */
  readonly #delimiter: number;

  constructor(
    dialect: CsvDialect,
    { wanted, ...reading }: CsvReading & {
      readonly wanted: readonly string[];
      readonly longest: number;
    },
  ) {
    this.dialect = dialect;
    this.end = dialect.lineEnd === "\n" ? [LINE_FEED] : [CARRIAGE_RETURN, LINE_FEED];
    this.#reading = reading;
    this.#wanted = wanted;
    this.#slots = Int32Array.from(dialect.names, (name) => wanted.indexOf(name));
    this.#places = Int32Array.from(wanted, (name) => dialect.names.indexOf(name));
    const code = dialect.delimiter.charCodeAt(0);
    this.#delimiter = code < NOT_ASCII ? code : 256;
  }

  /** The place behind the first line end; −1 where there is none. */
  endOfFirst(bytes: Uint8Array): number {
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
      if (this.#isEnd(bytes, at)) return at + 1;
    }
    return -1;
  }

  /** The place behind the last line end; 0 where there is none. */
  endOfLast(bytes: Uint8Array): number {
    for (
      let at = bytes.lastIndexOf(LINE_FEED);
      at >= 0;
      at = bytes.lastIndexOf(LINE_FEED, at - 1)
    ) {
      if (this.#isEnd(bytes, at)) return at + 1;
      if (at === 0) return 0;
    }
    return 0;
  }

  #isEnd(bytes: Uint8Array, at: number): boolean {
    return this.end.length === 1 || bytes[at - 1] === CARRIAGE_RETURN;
  }

  /** One row without cells. */
  empty(): CsvBatch {
    return this.#cells(new Uint8Array(0), {
      size: 1,
      starts: new Int32Array(this.#wanted.length).fill(ABSENT),
      ends: new Int32Array(this.#wanted.length).fill(ABSENT),
      texts: [],
    });
  }

  /** The rows of whole lines, up to a place. */
  batch(bytes: Uint8Array, stop: number): CsvBatch {
    const width = this.#wanted.length, slots = this.#slots, columns = slots.length;
    const delimiter = this.#delimiter, quick = delimiter < NOT_ASCII, short = this.end.length;
    let capacity = 1024, starts = new Int32Array(capacity * width);
    let ends = new Int32Array(capacity * width), size = 0;
    const texts: string[] = [];
    for (let at = 0; at < stop;) {
      if (size === capacity) {
        capacity *= 2;
        const more = new Int32Array(capacity * width), others = new Int32Array(capacity * width);
        more.set(starts);
        others.set(ends);
        starts = more;
        ends = others;
      }
      const base = size * width, line = at;
      let column = 0, cell = at, hasInk = false, isPlain = quick;
      starts.fill(ABSENT, base, base + width);
      for (;; at++) {
        const byte = bytes[at]!;
        if (byte === delimiter) {
          const slot = column < columns ? slots[column]! : -1;
          if (slot >= 0) {
            starts[base + slot] = cell;
            ends[base + slot] = at;
          }
          column++;
          cell = at + 1;
          if (byte > SPACE) hasInk = true;
        } else if (byte > SPACE) {
          hasInk = true;
          if (byte === QUOTE || byte >= NOT_ASCII) isPlain = false;
        } else if (byte === LINE_FEED && (short === 1 || bytes[at - 1] === CARRIAGE_RETURN)) break;
      }
      const end = at + 1 - short;
      at++;
      if (end - line > this.#reading.longest) {
        starts.fill(ABSENT, base, base + width);
        size++;
        continue;
      }
      if (isPlain && hasInk) {
        const slot = column < columns ? slots[column]! : -1;
        if (slot >= 0) {
          starts[base + slot] = cell;
          ends[base + slot] = end;
        }
        for (let i = base; i < base + width; i++) {
          let from = starts[i]!, to = ends[i]!;
          if (from < 0) continue;
          while (from < to && isBlank(bytes[from]!)) from++;
          while (to > from && isBlank(bytes[to - 1]!)) to--;
          starts[i] = from;
          ends[i] = to;
        }
        size++;
        continue;
      }
      const text = textOfLine(bytes.subarray(line, end));
      // Blank lines are left out where there are several columns.
      if (columns > 1 && text.trim() === "") continue;
      const cells = this.#reading.cellsOf(text, this.dialect.delimiter);
      for (let i = 0; i < width; i++) {
        const found = cells[this.#places[i]!];
        starts[base + i] = found === undefined ? ABSENT : ABSENT - texts.push(found);
      }
      size++;
    }
    return this.#cells(bytes, { size, starts, ends, texts });
  }

  #cells(
    bytes: Uint8Array,
    { size, starts, ends, texts }: {
      readonly size: number;
      readonly starts: Int32Array;
      readonly ends: Int32Array;
      /** A start of −2 − k is the text at k. */
      readonly texts: readonly string[];
    },
  ): CsvBatch {
    const width = this.#wanted.length;
    const textAt = (row: number, at: number): string | undefined => {
      const from = starts[row * width + at]!;
      if (from >= 0) return ascii.decode(bytes.subarray(from, ends[row * width + at]!));
      return from === ABSENT ? undefined : texts[-2 - from];
    };
    const column = (name: string): Cells => {
      const at = this.#wanted.indexOf(name);
      return {
        numbers(out): void {
          for (let row = 0, i = at; row < size; row++, i += width) {
            const from = starts[i]!;
            const quick = from >= 0 ? decimalOf(bytes, from, ends[i]!) : NaN;
            out[row] = Number.isNaN(quick) ? numberOf(textAt(row, at)) : quick;
          }
        },
        days(out): void {
          for (let row = 0; row < size; row++) out[row] = dayOf(textAt(row, at));
        },
        places(index: KeyIndex, out: Int32Array, adds: boolean): void {
          const table = index.bytes;
          for (let row = 0, i = at; row < size; row++, i += width) {
            const from = starts[i]!;
            out[row] = from >= 0
              ? table.placeOfCell(bytes, { from, to: ends[i]!, adds })
              : from === ABSENT
              ? MISSING
              : table.placeOfText(texts[-2 - from]!, adds);
          }
        },
      };
    };
    return { size, column, dialect: this.dialect, textAt };
  }
}

/** Blanks of ASCII as `trim` knows them. */
function isBlank(byte: number): boolean {
  return byte === SPACE || (byte <= CARRIAGE_RETURN && byte >= 9);
}

const POWERS = Array.from({ length: 23 }, (_, power) => 10 ** power);

/** The double next to a decimal of up to 15 digits: a whole number and a power of ten that are doubles, divided once. NaN where it is another text. */
function decimalOf(bytes: Uint8Array, from: number, to: number): number {
  if (to - from > 17 || from === to) return NaN;
  let at = from, whole = 0, digits = 0, behind = -1;
  const isNegative = bytes[at] === 45;
  if (isNegative || bytes[at] === 43) at++;
  for (; at < to; at++) {
    const digit = bytes[at]! - 48;
    if (digit >= 0 && digit <= 9) {
      whole = whole * 10 + digit;
      digits++;
    } else if (digit === -2 && behind < 0) behind = digits;
    else return NaN;
  }
  if (digits === 0 || digits > 15) return NaN;
  const value = behind < 0 ? whole : whole / POWERS[digits - behind]!;
  return isNegative ? -value : value;
}
