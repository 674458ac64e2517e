import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

/** The calls of the operating system: tests let them fail. */
export const fileSystem: {
  closeSync: typeof closeSync;
  mkdtempSync: typeof mkdtempSync;
  openSync: typeof openSync;
  readSync: typeof readSync;
  rmSync: typeof rmSync;
  writeSync: typeof writeSync;
} = { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync };

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
  const folder = fileSystem.mkdtempSync(join(parent, "dpcheck-rows-"));
  const remove = (): void => fileSystem.rmSync(folder, { recursive: true, force: true });
  const descriptor = orElse(
    () => fileSystem.openSync(join(folder, "rows"), "wx+", 0o600),
    remove,
  );
  try {
    remove();
  } catch {
    // Some systems keep the name of an open file: it goes when the file is closed.
  }
  return {
    write(part, position): number {
      const bytes = new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
      for (let done = 0; done < bytes.length;) {
        const left = bytes.length - done;
        const count = fileSystem.writeSync(descriptor, bytes, done, left, position + done);
        if (count === 0) throw new Error("Cannot write rows: the temporary file takes no more");
        done += count;
      }
      return position + bytes.length;
    },
    read(into, position): void {
      for (let done = 0; done < into.length;) {
        const left = into.length - done;
        const count = fileSystem.readSync(descriptor, into, done, left, position + done);
        if (count === 0) throw new Error("Cannot read rows: the temporary file ends too early");
        done += count;
      }
    },
    close(): void {
      try {
        fileSystem.closeSync(descriptor);
      } finally {
        remove();
      }
    },
  };
}

/** Returns the result of `attempt`. If it throws, calls `otherwise` before the error is passed on. */
function orElse<Value>(attempt: () => Value, otherwise: () => void): Value {
  try {
    return attempt();
  } catch (error) {
    otherwise();
    throw error;
  }
}
