import { requirePositive } from "../../numeric/require.ts";
import { type Outputs, type Subject, SubjectFailure, Thrown } from "../subject.ts";
import { parseAnswer, parseGreeting, type Request } from "./answer.ts";
import { BatchSize } from "./batch_size.ts";
import { ChildProcess } from "./child_process.ts";
import { inParallel, requireWorkers } from "./in_parallel.ts";
import { LONGEST_WAIT } from "./longest_wait.ts";
import { joinOutputs } from "./pack_outputs.ts";
import { quoted, quotedEnd } from "./quoted.ts";
import { shownDataset } from "./shown_dataset.ts";
import { quoteWord, shellOperatorIn, splitCommand } from "./split_command.ts";

/** How to run a program as a subject. */
export interface ProcessSubjectOptions {
  /** How long one answer may take before the program counts as hung. Default 30. */
  readonly timeoutSeconds?: number;
  /** What reports call it. Default: the command. */
  readonly name?: string;
  /** Copies of the program that run at the same time. Default 1. */
  readonly workers?: number;
}

/** Longest line a program may send. */
const LINE_LIMIT = 64 << 20;
/** Most bytes of requests that wait unanswered. */
const IN_FLIGHT = 1 << 20;
const ERROR_HINT = 'where an error is a legitimate output, it may answer {"id":…,"error":"…"}';

/**
 * A program in any language. The command is split into words as a shell does, without a shell, and
 * started once; operators of shells among its words are refused unless quoted. dpcheck writes a JSON object
 * a line, `{"id":1,"data":…,"count":1000}`, and the program answers each with one line,
 * `{"id":1,"outputs":[…]}` or `{"id":1,"error":"…"}`. If its first line is
 * `{"dpcheck":1,"binary":"f64","width":w}`, answers are `count * w` little-endian doubles instead.
 *
 * After the first error that answers a request of several outputs, everything is asked for one by one:
 * an error is then one output. (To draw a failed request again and again as a whole would square the
 * ratio in which two datasets give errors, and a program that keeps its claim could be refuted.)
 *
 * With `workers` above 1 the program is started so many times, and each copy draws its share. Copies that
 * draw the same outputs, because they start from the same seed, are a {@linkcode SubjectFailure}.
 *
 * @throws {RangeError} when the command cannot be split or started, or an option is out of its bounds.
 *
 * @example
 * ```ts
 * const subject = processSubject("sh fixtures/subjects/randomised_response.sh", { timeoutSeconds: 10 });
 * await subject.draw([1], 1000);
 * await subject.close();
 * ```
 */
export function processSubject(
  command: string,
  { timeoutSeconds = 30, name = command, workers = 1 }: ProcessSubjectOptions = {},
): Subject {
  requirePositive("start a subject", "timeout", timeoutSeconds);
  requireWorkers(workers);
  const words = splitCommand(command);
  refuseOperators(command);
  return inParallel(Array.from({ length: workers }, () => start(words, { name, timeoutSeconds })));
}

/** A program would take them for arguments, and the user believe that a shell had seen to them. */
function refuseOperators(command: string): void {
  const operator = shellOperatorIn(command);
  if (operator === undefined) return;
  throw new RangeError(
    `Cannot start a subject: ${operator} must not be a word of its command, for there is no shell: ` +
      `write sh -c ${quoteWord(command)}, or quote it`,
  );
}

function start(words: string[], options: { name: string; timeoutSeconds: number }): Subject {
  const program = new Program(words, options);
  const { name } = options;
  return {
    name,
    drawsElsewhere: true,
    draw: (data, count) => program.draw(data, count),
    close: () => program.close(),
  };
}

class Program {
  readonly #process: ChildProcess;
  readonly #name: string;
  readonly #timeoutSeconds: number;
  readonly #size = new BatchSize();
  readonly #encoder = new TextEncoder();
  /** The JSON of the datasets asked about. */
  readonly #encoded = new WeakMap<object, string>();
  #lastId = 0;
  /** The dataset asked about last. */
  #asked: unknown;
  /** Set by the program's first line. */
  #answers: { kind: "unknown" } | { kind: "lines" } | { kind: "binary"; width: number } = {
    kind: "unknown",
  };
  #oneByOne = false;
  /** Resolves when the last request is answered or has failed. */
  #last: Promise<void> | undefined;
  #failure: SubjectFailure | undefined;

  constructor(words: string[], options: { name: string; timeoutSeconds: number }) {
    this.#name = options.name;
    this.#timeoutSeconds = options.timeoutSeconds;
    this.#process = new ChildProcess(words);
  }

  /** Draws when what was asked for before is drawn. */
  draw(data: unknown, count: number): Promise<Outputs> {
    const drawn = this.#last?.then(() => this.#drawNow(data, count)) ??
      this.#drawNow(data, count);
    const ended = (): void => {
      if (this.#last === last) this.#last = undefined;
    };
    const last = drawn.then(ended, ended);
    this.#last = last;
    return drawn;
  }

  async #drawNow(data: unknown, count: number): Promise<Outputs> {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      return await this.#draw(data, count);
    } catch (error) {
      // What was asked and not answered would be taken for answers to what is asked next.
      if (error instanceof SubjectFailure) this.#failure ??= error;
      await this.#process.end({ broken: true });
      throw this.#failure ?? error;
    }
  }

  async close(): Promise<void> {
    this.#failure ??= new SubjectFailure(`${this.#name} was closed`);
    await this.#process.end({ broken: false });
  }

  async #draw(data: unknown, count: number): Promise<Outputs> {
    if (this.#process.output.available > 0) {
      throw await this.#fail("sent more than it was asked for");
    }
    this.#asked = data;
    const json = this.#json(data);
    const parts: Outputs[] = [];
    const waiting: Request[] = [];
    let left = count;
    while (left > 0 || waiting.length > 0) {
      left -= this.#ask(json, left, waiting);
      const request = waiting.shift()!;
      const answer = await this.#answer(request);
      if (answer === undefined) left += request.count;
      else parts.push(answer);
    }
    return joinOutputs(parts);
  }

  /**
   * Writes requests for up to `left` outputs, so that the program has work while its last answer is
   * read, and returns for how many.
   */
  #ask(json: string, left: number, waiting: Request[]): number {
    const room = this.#oneByOne
      ? Math.max(2, Math.min(256, Math.floor(IN_FLIGHT / json.length)))
      : 2;
    // Writes are costly: refill when half is answered.
    if (waiting.length > room / 2) return 0;
    let asked = 0;
    let text = "";
    while (asked < left && waiting.length < room) {
      const count = this.#oneByOne ? 1 : Math.min(left - asked, this.#size.current);
      const id = ++this.#lastId;
      text += `{"id":${id},"data":${json},"count":${count}}\n`;
      waiting.push({ id, count });
      asked += count;
    }
    if (text !== "") this.#process.write(this.#encoder.encode(text));
    return asked;
  }

  /** The answer to `request`; `undefined` when its outputs must be asked for one by one. */
  async #answer(request: Request): Promise<Outputs | undefined> {
    const start = performance.now();
    const deadline = start + this.#timeoutSeconds * 1000;
    if (this.#answers.kind === "unknown") await this.#greet(request, deadline);
    if (this.#answers.kind === "binary") {
      const { width } = this.#answers;
      const values = await this.#block(request, width, deadline);
      this.#size.measured(request.count, values.byteLength, performance.now() - start);
      return { kind: "block", width, values };
    }
    const line = this.#firstLine ?? await this.#line(request, deadline);
    this.#firstLine = undefined;
    const answer = parseAnswer(line, request);
    if (answer.kind === "nonsense") throw await this.#fail(answer.reason, { line });
    if (answer.kind === "error") {
      if (request.count === 1) return { kind: "values", values: [new Thrown(answer.message)] };
      this.#oneByOne = true;
      return undefined;
    }
    this.#size.measured(request.count, line.length, performance.now() - start);
    return answer.outputs;
  }

  /** The first line, when it was not a greeting but an answer. */
  #firstLine: Uint8Array | undefined;

  async #greet(request: Request, deadline: number): Promise<void> {
    const line = await this.#line(request, deadline);
    const greeting = parseGreeting(line);
    if (greeting.kind === "nonsense") throw await this.#fail(greeting.reason, { line });
    if (greeting.kind === "none") this.#firstLine = line;
    this.#answers = greeting.kind === "binary" ? greeting : { kind: "lines" };
  }

  async #line(request: Request, deadline: number): Promise<Uint8Array> {
    const { output } = this.#process;
    for (;;) {
      const line = output.takeLine();
      if (line !== undefined) return line;
      if (output.available > LINE_LIMIT) throw await this.#fail("sent a line without end");
      await this.#receive(request, deadline);
    }
  }

  async #block({ id, count }: Request, width: number, deadline: number): Promise<Float64Array> {
    const values = new Float64Array(count * width);
    const bytes = new Uint8Array(values.buffer);
    let filled = 0;
    while ((filled += this.#process.output.takeInto(bytes.subarray(filled))) < bytes.length) {
      await this.#receive({ id, count }, deadline, `${filled} of ${bytes.length} bytes`);
    }
    return values;
  }

  async #receive({ id }: Request, deadline: number, got?: string): Promise<void> {
    const more = this.#process.output.receive();
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
      throw await this.#fail(`hung: it did not answer ${answered} in ${this.#timeoutSeconds} s`);
    }
    if (!outcome) {
      const ended = await this.#process.ended();
      const how = ended === undefined ? "closed its output" : `ended with ${ended}`;
      throw await this.#fail(`crashed: it ${how} before it answered ${answered}`, {
        hint: ERROR_HINT,
      });
    }
  }

  /** The failure that says what the program did, on which dataset, and what it sent. */
  async #fail(
    what: string,
    { line, hint }: { line?: Uint8Array; hint?: string } = {},
  ): Promise<SubjectFailure> {
    const parts = [`${this.#name} ${what}, on the dataset ${shownDataset(this.#asked)}`];
    // Numbers of the binary form say nothing to a reader.
    if (this.#answers.kind !== "binary") {
      const bytes = line?.subarray(0, 800) ?? this.#process.output.peek(800);
      const sent = new TextDecoder().decode(bytes);
      if (sent !== "") parts.push(`it sent ${quoted(sent)}`);
      else if (line === undefined) parts.push("it sent nothing");
    }
    if (hint !== undefined) parts.push(hint);
    const errors = await this.#process.errorTail();
    if (errors !== "") parts.push(`its standard error ends with ${quotedEnd(errors)}`);
    return new SubjectFailure(parts.join("; "));
  }

  #json(data: unknown): string {
    if (typeof data !== "object" || data === null) return JSON.stringify(data);
    let json = this.#encoded.get(data);
    if (json === undefined) this.#encoded.set(data, json = JSON.stringify(data));
    return json;
  }
}
