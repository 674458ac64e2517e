import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import process from "node:process";
import type { Readable } from "node:stream";
import { ByteReader } from "./byte_reader.ts";
import type { Channel } from "./channel.ts";

/** The descriptor of standard output. */
const STANDARD_OUTPUT = 1;
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
export class ChildProcess implements Channel {
  readonly #child: ChildProcessWithoutNullStreams;
  /** Resolves when the program has ended, with how it ended. */
  readonly #status: Promise<string>;
  /** Standard error, and standard output where answers come elsewhere. */
  readonly #otherOutput: readonly ByteReader[];
  readonly #otherOutputRead: Promise<unknown>;
  #errorTail = new Uint8Array(0);
  #ending: Promise<void> | undefined;
  readonly isOneProgram = true;
  /** Lines that the program writes to standard output, or to the descriptor that was chosen. */
  readonly output: ByteReader;

  /**
   * Starts `words[0]` with the other words as arguments; answers come on the descriptor `answersOn`.
   *
   * @throws {RangeError} when the program cannot be started.
   */
  constructor(
    words: readonly string[],
    { answersOn = STANDARD_OUTPUT }: { readonly answersOn?: number } = {},
  ) {
    this.#child = started(words, answersOn);
    this.#status = new Promise((resolve) =>
      this.#child.once(
        "exit",
        (code, signal) => resolve(signal === null ? `exit status ${code}` : `signal ${signal}`),
      )
    );
    endAtExit(this.#child);
    // A broken pipe is reported when the answer is read.
    this.#child.stdin.on("error", () => {});
    const { stdout, stderr, stdio } = this.#child;
    this.output = new ByteReader(stdio[answersOn] as Readable);
    const others = answersOn === STANDARD_OUTPUT ? [stderr] : [stderr, stdout];
    this.#otherOutput = others.map((stream) => new ByteReader(stream));
    this.#otherOutputRead = Promise.all(this.#otherOutput.map((reader) => this.#keepTail(reader)));
  }

  /**
   * Queues bytes for standard input. The write is not awaited, so that the program may answer meanwhile; a broken pipe is
   * reported when the answer is read.
   */
  write(bytes: Uint8Array): void {
    this.#child.stdin.write(bytes);
  }

  /** Returns true if it ended, and how, or runs on without its output. */
  async fate(): Promise<string> {
    const status = await within(GRACE, this.#status);
    return status === undefined ? "closed its output" : `ended with ${status}`;
  }

  /** Returns the end of what the program wrote to standard error; waits a moment for what is on its way. */
  async errorTail(): Promise<string> {
    await within(ERRORS_WAIT, this.#otherOutputRead);
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
    this.#child.stdin.end();
    if (!broken) await within(GRACE, this.#status);
    signalGroup(this.#child, "SIGTERM");
    await within(GRACE, this.#status);
    // Also when the program itself has ended: it may have left children in its group.
    signalGroup(this.#child, "SIGKILL");
    await this.#status;
    running.delete(this.#child);
    // A process that left the group may still hold the pipes: do not wait for it.
    this.#child.stdin.destroy();
    this.output.cancel();
    for (const reader of this.#otherOutput) reader.cancel();
    await this.#otherOutputRead;
  }

  async #keepTail(reader: ByteReader): Promise<void> {
    while (await reader.receive()) {
      const tail = new Uint8Array(this.#errorTail.length + reader.available);
      tail.set(this.#errorTail);
      reader.takeInto(tail.subarray(this.#errorTail.length));
      this.#errorTail = tail.slice(-TAIL);
    }
  }
}

/** Returns the program, started. @throws {RangeError} when there is none that can be run. */
function started(words: readonly string[], answersOn: number): ChildProcessWithoutNullStreams {
  const refuse = (error: unknown): never => {
    throw new RangeError(
      `Cannot start a subject: there must be a program ${JSON.stringify(words[0])} that can be run`,
      { cause: error },
    );
  };
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(words[0]!, words.slice(1), {
      stdio: Array.from({ length: Math.max(3, answersOn + 1) }, () => "pipe"),
      // A group of its own, so that its own children can be ended with it.
      detached: process.platform !== "win32",
    }) as ChildProcessWithoutNullStreams;
  } catch (error) {
    // Deno's refusal names the permission that is missing.
    if (error instanceof Error && error.name === "NotCapable") throw error;
    return refuse(error);
  }
  // A program that cannot be started has no number; the reason comes as an event, later.
  child.on("error", () => {});
  return child.pid === undefined ? refuse(undefined) : child;
}

function signalGroup(child: ChildProcessWithoutNullStreams, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    // A negative number names the group.
    if (process.platform !== "win32") {
      process.kill(-child.pid!, signal);
      return;
    }
  } catch (error) {
    // No such group: everything in it has ended. Otherwise signalling by number is not permitted.
    if ((error as { code?: unknown }).code === "ESRCH") return;
  }
  child.kill(signal);
}

const running = new Set<ChildProcessWithoutNullStreams>();
let isListening = false;

/** Makes sure that no program outlives this process when it ends by `process.exit` or `Deno.exit`. */
function endAtExit(child: ChildProcessWithoutNullStreams): void {
  if (!isListening) process.on("exit", endRunning);
  isListening = true;
  running.add(child);
}

function endRunning(): void {
  for (const child of running) signalGroup(child, "SIGKILL");
}

/** Returns the value of `promise`, or `undefined` after `milliseconds`. */
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
