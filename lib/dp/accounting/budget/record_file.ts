import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import process from "node:process";

const LINE_FEED = 10;

/** A line of a ledger. No value is an object. */
export type LedgerRecord = Readonly<Record<string, unknown>>;

/** Matches what an interrupted write leaves: the beginning of a record, or zeros where a disk lost it. Only the end of a record has a closing brace. */
const BROKEN_OFF = /^\0*(\{[^}]*)?$/;

/**
 * A file of records that several processes append to. Each begins with the end of the line before it, so that one that broke off spoils no other.
 * An append of one write is one step on file systems of one machine (POSIX, `O_APPEND`): what comes before it in the file was there when it
 * was written.
 */
export class RecordFile {
  readonly #path: string;
  readonly #takeIn: (record: LedgerRecord) => void;
  /** First record of a file that does not exist yet. */
  #first: LedgerRecord | undefined;
  /** Position in the file up to which records were read. */
  #offset = 0;
  #lines = 0;
  #records = 0;
  /** Identity of the file when it was first read. */
  #identity: string | undefined;

  /** `takeIn` is given each record once, in the order of the file, whoever wrote it. */
  constructor(path: string, takeIn: (record: LedgerRecord) => void) {
    this.#path = resolve(path);
    this.#takeIn = takeIn;
  }

  /** Takes in what is there. Where that is nothing, the first append begins with `first`, and makes the file. */
  open(first: LedgerRecord): void {
    this.#first = first;
    if (!statSync(dirname(this.#path)).isDirectory()) {
      throw new Error(`Cannot open a ledger: ${dirname(this.#path)} must be a folder`);
    }
    this.read();
  }

  /** Takes in the records that were appended since. @throws {RangeError} when one is none, or the file is another. */
  read(): void {
    if (this.#identity === undefined && !existsSync(this.#path)) return;
    // Pipes and devices may have no end.
    if (!statSync(this.#path).isFile()) {
      throw new RangeError(`Cannot read a ledger: ${this.#path} must be a file, and is none`);
    }
    const file = openSync(this.#path, "r");
    try {
      this.#requireSame(file);
      const bytes = bytesFrom(file, this.#offset), start = this.#offset;
      for (let from = 0; from <= bytes.length;) {
        const found = bytes.indexOf(LINE_FEED, from), end = found < 0 ? bytes.length : found;
        const line = new TextDecoder().decode(bytes.subarray(from, end)), record = recordOf(line);
        if (record !== undefined) this.#take(record);
        else if (!BROKEN_OFF.test(line)) throw this.#unreadable("a record of a ledger");
        // It may still be in writing.
        else if (found < 0) break;
        // The next record begins with the end of this line.
        this.#offset = start + (found < 0 ? end : end + 1);
        if (found >= 0) this.#lines++;
        from = end + 1;
      }
    } finally {
      closeSync(file);
    }
  }

  /** Appends records in one write and has them on the disk. @throws {Error} when they cannot be: part of them may be in the file. */
  append(records: readonly LedgerRecord[]): void {
    const all = this.#records === 0 ? [this.#first!, ...records] : records;
    const bytes = new TextEncoder().encode(all.map(lineOf).join(""));
    try {
      const file = openSync(this.#path, "a");
      try {
        // The file's name must outlast a crash too. Windows flushes it with the file.
        if (this.#records === 0 && process.platform !== "win32") flush(dirname(this.#path));
        const written = writeSync(file, bytes);
        if (written !== bytes.length) throw new Error(`${written} of ${bytes.length} bytes`);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      throw new Error(
        `Cannot write a ledger: ${this.#path} must take a line before anything is drawn: ${
          (error as Error).message
        }`,
        { cause: error },
      );
    }
  }

  #take(record: LedgerRecord): void {
    try {
      this.#takeIn(record);
      this.#records++;
    } catch (error) {
      // The first record states the options of the file: its errors are passed on as they are.
      if (this.#records === 0) throw error;
      throw this.#unreadable(`a record of a ledger: ${(error as Error).message}`, error);
    }
  }

  #unreadable(what: string, cause?: unknown): RangeError {
    return new RangeError(
      `Cannot read a ledger: line ${this.#lines + 1} of ${this.#path} must be ${what}`,
      { cause },
    );
  }

  /** Throws when the file is another than before, or shorter: lines that were counted are gone. */
  #requireSame(file: number): void {
    const { ino, dev, size } = fstatSync(file), identity = `${dev} ${ino}`;
    this.#identity ??= identity;
    if (identity === this.#identity && size >= this.#offset) return;
    throw new RangeError(
      `Cannot read a ledger: ${this.#path} must stay as it is but for lines that are appended: it was replaced or cut`,
    );
  }
}

function lineOf(record: LedgerRecord): string {
  const text = JSON.stringify(record);
  return `\n${text.slice(0, -1).replaceAll("}", "\\u007d")}}`;
}

function recordOf(line: string): LedgerRecord | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as LedgerRecord;
  } catch {
    return undefined;
  }
}

/** The bytes of an open file from a place on. */
function bytesFrom(file: number, from: number): Uint8Array {
  const bytes = new Uint8Array(fstatSync(file).size - from);
  let length = 0;
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, from + length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

function flush(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
