import { tmpdir } from "node:os";
import { openTemporaryFile, type TemporaryFile } from "../temporary_file.ts";

/** Files among which persons are divided. */
const FILES = 64;
/** Bytes that are written at once to each file, and read at once. */
const BLOCK = 2 ** 16;

/** A row as it is kept. */
export interface SpilledRow {
  readonly person: string;
  readonly group: number;
  readonly groupHash: number;
  readonly values: readonly number[];
}

interface Part {
  readonly file: TemporaryFile;
  readonly block: Uint8Array;
  /** Bytes of the block that are in use, and bytes of the file. */
  used: number;
  length: number;
}

/**
 * Rows in temporary files, which nobody else can read and which are gone when they are closed. All rows of a person are in one file, in their order, and each file is read by
 * itself: what is in memory is a share of all persons.
 */
export class SpilledRows {
  readonly #width: number;
  readonly #parts: (Part | undefined)[] = new Array(FILES);

  /** @param width how many values a row has. */
  constructor(width: number) {
    this.#width = width;
  }

  /** Writes a row; `hash` is of its person. */
  add({ person, group, groupHash, values }: SpilledRow, hash: number): void {
    const part = this.#parts[hash % FILES] ??= {
      file: openTemporaryFile(tmpdir()),
      block: new Uint8Array(BLOCK),
      used: 0,
      length: 0,
    };
    const size = this.#sizeOf(person.length);
    if (part.used + size > BLOCK) flush(part);
    const isLong = size > BLOCK, bytes = isLong ? new Uint8Array(size) : part.block;
    const view = new DataView(bytes.buffer);
    let at = isLong ? 0 : part.used;
    view.setUint32(at, person.length, true);
    view.setInt32(at + 4, group, true);
    view.setUint32(at + 8, groupHash, true);
    at += 12;
    for (const value of values) {
      view.setFloat64(at, value, true);
      at += 8;
    }
    // Code units as they are: texts that are not well-formed stay different.
    for (let i = 0; i < person.length; i++, at += 2) view.setUint16(at, person.charCodeAt(i), true);
    if (isLong) part.length = part.file.write(bytes, part.length);
    else part.used = at;
  }

  /** The rows of each file. */
  *parts(): Generator<Iterable<SpilledRow>> {
    for (const part of this.#parts) if (part !== undefined) yield this.#rowsOf(part);
  }

  /** Closes the files. */
  close(): void {
    for (const part of this.#parts) part?.file.close();
    this.#parts.fill(undefined);
  }

  #sizeOf(characters: number): number {
    return 12 + 8 * this.#width + 2 * characters;
  }

  *#rowsOf(part: Part): Generator<SpilledRow> {
    flush(part);
    let bytes = new Uint8Array(BLOCK), view = new DataView(bytes.buffer), from = 0, to = 0;
    /** Makes so many bytes of the next row be there. */
    const need = (position: number, count: number): void => {
      if (to - from >= count) return;
      if (count > bytes.length) {
        bytes = new Uint8Array(count);
        view = new DataView(bytes.buffer);
      }
      from = 0;
      to = Math.min(bytes.length, part.length - position);
      part.file.read(bytes.subarray(0, to), position);
    };
    for (let position = 0; position < part.length;) {
      need(position, 12);
      const characters = view.getUint32(from, true), size = this.#sizeOf(characters);
      need(position, size);
      const values = Array.from(
        { length: this.#width },
        (_, i) => view.getFloat64(from + 12 + 8 * i, true),
      );
      let person = "";
      for (let i = from + 12 + 8 * this.#width; i < from + size; i += 2) {
        person += String.fromCharCode(view.getUint16(i, true));
      }
      yield {
        person,
        group: view.getInt32(from + 4, true),
        groupHash: view.getUint32(from + 8, true),
        values,
      };
      from += size;
      position += size;
    }
  }
}

function flush(part: Part): void {
  if (part.used === 0) return;
  part.length = part.file.write(part.block.subarray(0, part.used), part.length);
  part.used = 0;
}
