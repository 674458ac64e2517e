import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

/** A file that is read and written at places, counted in bytes from 0. */
export interface TemporaryFile {
  /** Writes all bytes; returns the place after them. */
  write(part: ArrayBufferView, position: number): number;
  /** Fills `into`. @throws {Error} where the file ends before. */
  read(into: Uint8Array, position: number): void;
  /** Closes the file, which is then gone. */
  close(): void;
}

/**
 * A file in a folder of its own that its owner alone can read. It has no name from then on, where the system allows
 * that, and is gone when it is closed.
 */
export function openTemporaryFile(parent: string): TemporaryFile {
  const folder = mkdtempSync(join(parent, "dpcheck-rows-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const descriptor = openSync(join(folder, "rows"), "wx+", 0o600);
  try {
    remove();
  } catch {
    // Some systems keep the name of an open file: it goes when the file is closed.
  }
  return {
    write(part, position): number {
      const bytes = new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
      for (let done = 0; done < bytes.length;) {
        done += writeSync(descriptor, bytes, done, bytes.length - done, position + done);
      }
      return position + bytes.length;
    },
    read(into, position): void {
      for (let done = 0; done < into.length;) {
        const count = readSync(descriptor, into, done, into.length - done, position + done);
        if (count === 0) throw new Error("Cannot read rows: the temporary file ends too early");
        done += count;
      }
    },
    close(): void {
      closeSync(descriptor);
      remove();
    },
  };
}
