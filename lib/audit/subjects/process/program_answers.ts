import { SubjectFailure } from "../../kernel/subject.ts";
import { parseGreeting } from "./answer.ts";
import { longestAnswer } from "../output_limits.ts";
import type { Channel } from "./channel.ts";
import { LONGEST_WAIT } from "../longest_wait.ts";
import { quoted, quotedEnd } from "../quoted.ts";
import { shownDatasets } from "../shown_dataset.ts";

/** The advice in a message about a program that ended before it answered. */
const ERROR_HINT = 'where an error is a legitimate output, it may answer {"id":…,"error":"…"}';

/** A request whose answer is awaited, and its deadline. */
export interface Awaited {
  readonly id: number;
  /** Outputs asked for. */
  readonly count: number;
  /** In milliseconds of `performance.now`. */
  readonly deadline: number;
}

/** The declarations of a program's first line. */
interface Greeting {
  /** Whether it takes requests with an order. */
  readonly order: boolean;
  /** Whether it remembers the two datasets of its last request that named them. */
  readonly references: boolean;
  /** How many doubles an output has, where answers are binary. */
  readonly width: number | undefined;
}

/** Reads what a program writes: its greeting, then lines or blocks of doubles. */
export class ProgramAnswers {
  readonly #channel: Channel;
  readonly #name: string;
  readonly #timeoutSeconds: number;
  #greeting: Greeting | undefined;
  /** The first line, when it was not a greeting but an answer. */
  #firstLine: Uint8Array | undefined;
  /** The datasets asked about last. */
  about: readonly unknown[] = [];

  /** Reads what comes through `channel`. */
  constructor(
    channel: Channel,
    { name, timeoutSeconds }: { readonly name: string; readonly timeoutSeconds: number },
  ) {
    this.#channel = channel;
    this.#name = name;
    this.#timeoutSeconds = timeoutSeconds;
  }

  /** The declarations of the first line; `undefined` before it was read. */
  get greeting(): Greeting | undefined {
    return this.#greeting;
  }

  /** Reads the first line. */
  async greet(request: Awaited): Promise<Greeting> {
    const line = await this.#line(request);
    const greeting = parseGreeting(line);
    if (greeting.kind === "nonsense") throw await this.failure(greeting.reason, { line });
    if (greeting.kind === "none") this.#firstLine = line;
    return this.#greeting = greeting.kind === "greeting"
      ? greeting
      : { order: false, references: false, width: undefined };
  }

  /** The next line. */
  async line(request: Awaited): Promise<Uint8Array> {
    const line = this.#firstLine ?? await this.#line(request);
    this.#firstLine = undefined;
    return line;
  }

  /** Fills `target` with what comes next. */
  async block(request: Awaited, target: Float64Array): Promise<void> {
    const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    let filled = 0;
    while ((filled += this.#channel.output.takeInto(bytes.subarray(filled))) < bytes.length) {
      await this.#receive(request, `${filled} of ${bytes.length} bytes`);
    }
  }

  /** The failure that names what the program did, on which datasets, and what it sent. */
  async failure(
    what: string,
    { line, hint }: { line?: Uint8Array; hint?: string } = {},
  ): Promise<SubjectFailure> {
    const parts = [`${this.#name} ${what}, on ${shownDatasets(this.about)}`];
    // Doubles are not readable: only text is quoted.
    if (this.#greeting?.width === undefined) {
      const bytes = line?.subarray(0, 800) ?? this.#channel.output.peek(800);
      const sent = new TextDecoder().decode(bytes);
      if (sent !== "") parts.push(`it sent ${quoted(sent)}`);
      else if (line === undefined) parts.push("it sent nothing");
    }
    if (hint !== undefined) parts.push(hint);
    const errors = await this.#channel.errorTail();
    if (errors !== "") parts.push(`its standard error ends with ${quotedEnd(errors)}`);
    return new SubjectFailure(parts.join("; "));
  }

  async #line(request: Awaited): Promise<Uint8Array> {
    const { output } = this.#channel;
    for (;;) {
      const line = output.takeLine();
      if (line !== undefined) return line;
      const most = longestAnswer(request.count);
      if (output.available > most) {
        throw await this.failure(`sent a line of more than ${most.toLocaleString("en")} bytes`);
      }
      await this.#receive(request);
    }
  }

  async #receive({ id, deadline }: Awaited, got?: string): Promise<void> {
    const more = this.#channel.output.receive();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(
        () => resolve("late"),
        Math.max(0, Math.min(LONGEST_WAIT, deadline - performance.now())),
      );
    });
    const outcome = await Promise.race([more, late]);
    clearTimeout(timer);
    const answered = got === undefined ? `request ${id}` : `more than ${got} of request ${id}`;
    if (outcome === "late") {
      throw await this.failure(
        `hung: it did not answer ${answered} in ${this.#timeoutSeconds} s`,
      );
    }
    if (!outcome) {
      const fate = await this.#channel.fate();
      throw await this.failure(`crashed: it ${fate} before it answered ${answered}`, {
        hint: ERROR_HINT,
      });
    }
  }
}
