import { createReadStream } from "node:fs";

/** Bytes that are read at once. Of larger pieces more outlives two collections of garbage, and memory grows for a long time. */
const PIECE = 2 ** 16;

/** Characters of a line at most: memory need not hold a longer one, and an error would tell of it. */
const LONGEST = 2 ** 24;

/** Bytes of a character at most, for each unit of UTF-16; so also of bytes that are none. */
const BYTES_A_UNIT = 3;

const LINE_FEED = 10;

/** Options of {@linkcode fileLines}. */
export interface LineOptions {
  /** Characters of a line at most. Default: 2²⁴. */
  readonly longest?: number;
}

/**
 * The lines of a text file in their order, some at a time; each ends with a line feed. What a line is read as depends on its own bytes alone: bytes that are no UTF-8 become U+FFFD and never take a
 * line end with them, and a line that is too long is `undefined`.
 *
 * @throws {Error} of the file system alone.
 */
export async function* fileLines(
  file: string,
  { longest = LONGEST }: LineOptions = {},
): AsyncGenerator<readonly (string | undefined)[]> {
  const reader = new LineReader(longest);
  for await (const chunk of createReadStream(file, { highWaterMark: PIECE })) {
    yield reader.take(chunk as Uint8Array);
  }
  yield reader.end();
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Cuts bytes into lines. Text is decoded up to line ends alone, so that no character is cut. */
class LineReader {
  readonly #longest: number;
  // What marks the order of bytes at the beginning of a file is text elsewhere.
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** The line that has not ended: its text up to the last place where it was decoded, and bytes behind that. */
  #text = "";
  #pieces: Uint8Array[] = [];
  #size = 0;
  /** Whether parts of that line were dropped. */
  #isTooLong = false;

  constructor(longest: number) {
    this.#longest = longest;
  }

  /** The lines that end in these bytes. */
  take(bytes: Uint8Array): (string | undefined)[] {
    const cut = bytes.lastIndexOf(LINE_FEED) + 1;
    if (cut === 0) {
      this.#keep(bytes);
      return [];
    }
    const lines = this.#decoded(bytes.subarray(0, cut)).split("\n");
    this.#text = lines.pop()!;
    const ended = lines.map((line) => this.#ended(line));
    if (this.#text.length > this.#longest) this.#drop();
    this.#keep(bytes.subarray(cut));
    return ended;
  }

  /** The line that no line end follows, if there is one. */
  end(): (string | undefined)[] {
    const line = this.#decoded(new Uint8Array(0));
    return line === "" && !this.#isTooLong ? [] : [this.#ended(line)];
  }

  #keep(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#size += bytes.length;
    if (this.#size > BYTES_A_UNIT * this.#longest) this.#drop();
  }

  /** Forgets what was read of a line that is too long. */
  #drop(): void {
    this.#isTooLong = true;
    this.#text = "";
    this.#pieces = [];
    this.#size = 0;
  }

  #decoded(bytes: Uint8Array): string {
    const text = this.#text + this.#decoder.decode(joined([...this.#pieces, bytes]));
    this.#pieces = [];
    this.#size = 0;
    return text;
  }

  #ended(line: string): string | undefined {
    const isRead = !this.#isTooLong && line.length <= this.#longest;
    this.#isTooLong = false;
    return isRead ? line : undefined;
  }
}
