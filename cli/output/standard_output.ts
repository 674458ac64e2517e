import { fstatSync, writeSync } from "node:fs";
import process from "node:process";
import { setImmediate } from "node:timers/promises";

/** The descriptor of standard output. */
const DESCRIPTOR = 1;

let isWatching = false;

/** Calls `onError` where standard output cannot be written. Where its reader has gone, nothing is called: the run goes on. */
export function watchStandardOutput(onError: (error: Error) => void): void {
  if (isWatching) return;
  isWatching = true;
  const { stdout } = process;
  stdout.on("error", (error: Error & { readonly code?: string }) => {
    if (error.code !== "EPIPE") onError(error);
  });
  // Node writes to a file once, and takes a part that found room for the whole.
  if (isFile()) {
    stdout._write = (chunk: Uint8Array, _encoding, done): void => {
      try {
        for (let at = 0; at < chunk.length;) at += writeSync(DESCRIPTOR, chunk, at);
        done();
      } catch (error) {
        done(error as Error);
      }
    };
  }
}

/** Waits until standard output has taken all that was written, or has said that it cannot. */
export async function standardOutputWritten(): Promise<void> {
  const { stdout } = process;
  // Errors come a turn later than the write, and a process that ended before would not know of them.
  do await setImmediate(); while (stdout.writableLength > 0 && !stdout.destroyed);
}

/** Tells if it is a file, or a device other than a terminal. */
function isFile(): boolean {
  try {
    const is = fstatSync(DESCRIPTOR);
    return is.isFile() || is.isCharacterDevice() && !process.stdout.isTTY;
  } catch {
    return false;
  }
}
