import { ByteReader } from "./byte_reader.ts";

/** Milliseconds that a program may take to end by itself, and again after SIGTERM. */
const GRACE = 500;
/** Milliseconds to wait for the rest of standard error. */
const ERRORS_WAIT = 100;
/** Bytes kept of the end of standard error. */
const TAIL = 2048;

/**
 * A program in a process group of its own, with pipes to its three standard streams. Standard error is
 * read all the time and its end is kept. Ending the process ends its whole group.
 */
export class ChildProcess {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #errors: ByteReader;
  readonly #errorsRead: Promise<void>;
  #errorTail = new Uint8Array(0);
  #ending: Promise<void> | undefined;
  /** What the program writes to standard output. */
  readonly output: ByteReader;

  /**
   * Starts `words[0]` with the other words as arguments.
   *
   * @throws {RangeError} when the program cannot be started.
   */
  constructor(words: readonly string[]) {
    try {
      this.#child = new Deno.Command(words[0]!, {
        args: words.slice(1),
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
        // A group of its own, so that its own children can be ended with it.
        detached: Deno.build.os !== "windows",
      }).spawn();
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) throw error;
      throw new RangeError(
        `Cannot start a subject: there must be a program ${
          JSON.stringify(words[0])
        } that can be run`,
        { cause: error },
      );
    }
    endAtExit(this.#child);
    this.#input = this.#child.stdin.getWriter();
    this.#input.closed.catch(() => {});
    this.output = new ByteReader(this.#child.stdout);
    this.#errors = new ByteReader(this.#child.stderr);
    this.#errorsRead = this.#readErrors();
  }

  /**
   * Queues bytes for standard input. The write is not awaited, so that the program may answer meanwhile; a broken pipe is
   * reported when the answer is read.
   */
  write(bytes: Uint8Array<ArrayBuffer>): void {
    this.#input.write(bytes).catch(() => {});
  }

  /** How the process ended: `exit status 1`, `signal SIGSEGV`, or `undefined` while it runs on. */
  async ended(): Promise<string | undefined> {
    const status = await within(GRACE, this.#child.status);
    if (status === undefined) return undefined;
    return status.signal === null ? `exit status ${status.code}` : `signal ${status.signal}`;
  }

  /** The end of what the program wrote to standard error; waits a moment for what is on its way. */
  async errorTail(): Promise<string> {
    await within(ERRORS_WAIT, this.#errorsRead);
    return new TextDecoder().decode(this.#errorTail).trim();
  }

  /**
   * Ends the program and its group: end of input and a moment to finish (left out when it is known to
   * be `broken`), then SIGTERM and another moment, then SIGKILL.
   */
  end({ broken }: { broken: boolean }): Promise<void> {
    this.#ending ??= this.#end(broken);
    return this.#ending;
  }

  async #end(broken: boolean): Promise<void> {
    this.#input.close().catch(() => {});
    if (!broken) await within(GRACE, this.#child.status);
    signalGroup(this.#child, "SIGTERM");
    await within(GRACE, this.#child.status);
    // Also when the program itself has ended: it may have left children in its group.
    signalGroup(this.#child, "SIGKILL");
    await this.#child.status;
    running.delete(this.#child);
    // A process that left the group may still hold the pipes: do not wait for it.
    await Promise.all([this.output.cancel(), this.#errors.cancel()]);
    await this.#errorsRead;
  }

  async #readErrors(): Promise<void> {
    while (await this.#errors.receive()) {
      const tail = new Uint8Array(this.#errorTail.length + this.#errors.available);
      tail.set(this.#errorTail);
      this.#errors.takeInto(tail.subarray(this.#errorTail.length));
      this.#errorTail = tail.slice(-TAIL);
    }
  }
}

function signalGroup(child: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    // A negative number names the group.
    if (Deno.build.os !== "windows") return Deno.kill(-child.pid, signal);
  } catch (error) {
    // No such group: everything in it has ended. Otherwise signalling by number is not permitted.
    if (error instanceof Deno.errors.NotFound) return;
  }
  try {
    child.kill(signal);
  } catch {
    // It has ended.
  }
}

const running = new Set<Deno.ChildProcess>();

/** Makes sure that no program outlives this process when it ends by `Deno.exit`. */
function endAtExit(child: Deno.ChildProcess): void {
  if (running.size === 0) globalThis.addEventListener("unload", endRunning);
  running.add(child);
}

function endRunning(): void {
  for (const child of running) signalGroup(child, "SIGKILL");
}

/** The value of `promise`, or `undefined` after `milliseconds`. */
async function within<Value>(
  milliseconds: number,
  promise: Promise<Value>,
): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
