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
  // Node writes to a file once, and does not notice that a full disk took a part only.
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

/** Waits until standard output has taken everything, or has failed. */
export async function standardOutputWritten(): Promise<void> {
  const { stdout } = process;
  // Errors arrive after the write, so a process must not end before them.
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
