import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import process from "node:process";

/** The process that holds a lock. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
}

/** Locks that this process holds. A lock of the same process number may be an earlier process's. */
const held = new Set<string>();

/**
 * A lock on a file that one process at a time may use. It is a file that names its holder. One whose process has ended is taken over;
 * whether a process of another machine has ended cannot be known from here.
 */
export class FileLock {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /** Takes the lock, or returns who holds it. @throws {Error} of the file system when the lock cannot be written. */
  static take(file: string): FileLock | LockHolder {
    for (;;) {
      if (create(file)) {
        held.add(file);
        return new FileLock(file);
      }
      const text = textOf(file);
      // Given back since the try to write it.
      if (text === undefined) continue;
      const holder = holderOf(text);
      if (holder !== undefined && isAlive(holder, file)) return holder;
      remove(file, text);
    }
  }

  /** Gives the lock back. */
  release(): void {
    if (held.delete(this.#file)) rmSync(this.#file, { force: true });
  }
}

/** Creates the file with its text in one step: no other process ever sees a lock without a name. Returns whether there was none. */
function create(file: string): boolean {
  const own: LockHolder = { pid: process.pid, host: hostname() };
  const written = `${file}.${crypto.randomUUID()}`;
  try {
    writeFileSync(written, JSON.stringify(own));
    linkSync(written, file);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(written, { force: true });
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The holder that a lock names; `undefined` where it names none. */
function holderOf(text: string): LockHolder | undefined {
  try {
    const { pid, host } = JSON.parse(text);
    return Number.isSafeInteger(pid) && pid > 0 && typeof host === "string"
      ? { pid, host }
      : undefined;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, host }: LockHolder, file: string): boolean {
  if (host !== hostname()) return true;
  if (pid === process.pid) return held.has(file);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code !== "ESRCH";
  }
}

/** Removes a lock of this text. One that another process has taken meanwhile is put back. */
function remove(file: string, text: string): void {
  const aside = `${file}.${crypto.randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return;
    throw error;
  }
  if (textOf(aside) !== text) linkSync(aside, file);
  rmSync(aside, { force: true });
}
