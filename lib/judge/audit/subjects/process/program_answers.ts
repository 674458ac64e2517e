import { parseBareJson } from "../../../../core/text/bare_json.ts";
import { SubjectFailure, Thrown } from "../../kernel/subject.ts";
import { LONGEST_WAIT } from "../longest_wait.ts";
import { longestAnswer, outputProblem } from "../output_limits.ts";
import { quoted, quotedEnd } from "../quoted.ts";
import { shownDatasets } from "../shown_dataset.ts";
import type { Channel } from "./channel.ts";

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
interface Declarations {
  /** Whether it takes requests with an order. */
  readonly order: boolean;
  /** Whether it remembers the two datasets of its last request that named them. */
  readonly references: boolean;
  /** Whether it takes requests with a seed. */
  readonly seeded: boolean;
  /** Whether it records its noise. */
  readonly records: boolean;
  /** How many doubles an output has, where answers are binary. */
  readonly width: number | undefined;
}

/** The form of a program that declares nothing. */
const NO_DECLARATIONS: Declarations = {
  order: false,
  references: false,
  seeded: false,
  records: false,
  width: undefined,
};

/** The answer to a request: outputs, or one error in place of all of them. */
type ProgramAnswer =
  /** An output that is an error is a {@linkcode Thrown}. */
  | { readonly kind: "outputs"; readonly outputs: readonly unknown[] }
  | { readonly kind: "error"; readonly message: string };

/** Something that is not what the protocol asks for: the program, and this, make a sentence. */
interface Nonsense {
  readonly kind: "nonsense";
  readonly reason: string;
}

/** Reads what a program writes: its greeting, then lines or blocks of doubles. */
export class ProgramAnswers {
  readonly #channel: Channel;
  readonly #name: string;
  readonly #timeoutSeconds: number;
  #greeting: Declarations | undefined;
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
  get greeting(): Declarations | undefined {
    return this.#greeting;
  }

  /** Reads the first line. */
  async greet(request: Awaited): Promise<Declarations> {
    const line = await this.#line(request);
    const greeting = parseGreeting(line);
    if (greeting === undefined) this.#firstLine = line;
    else if ("kind" in greeting) throw await this.failure(greeting.reason, { line });
    return this.#greeting = greeting ?? NO_DECLARATIONS;
  }

  /** Reads the answer to a request, with the length of its line in bytes. */
  async answer(request: Awaited): Promise<ProgramAnswer & { readonly bytes: number }> {
    const line = await this.line(request);
    const answer = parseAnswer(line, request);
    if (answer.kind === "nonsense") throw await this.failure(answer.reason, { line });
    return { ...answer, bytes: line.length };
  }

  /** Returns the next line as it is. */
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

  /** Returns the failure that names what the program did, on which datasets, and what it sent. */
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

/** Fatal: different bytes that are not UTF-8 would all become U+FFFD, and outputs that differ would be equal. */
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads the line that should answer `request`. */
export function parseAnswer(
  line: Uint8Array,
  { id, count }: Pick<Awaited, "id" | "count">,
): ProgramAnswer | Nonsense {
  const text = textOf(line);
  if (text === undefined) {
    return nonsense(`sent bytes that are not UTF-8 in answer to request ${id}`);
  }
  const parsed = parseJson(text);
  if (parsed === undefined) {
    const what = line.length === 0 ? "an empty line" : "invalid JSON";
    return nonsense(`sent ${what} in answer to request ${id}`);
  }
  if (typeof parsed.value !== "object" || parsed.value === null || Array.isArray(parsed.value)) {
    return nonsense(`sent no JSON object in answer to request ${id}`);
  }
  const answer = parsed.value as Record<"id" | "outputs" | "error" | "errors", unknown>;
  if (answer.id !== id) {
    const sent = answer.id === undefined ? "no id" : `the wrong id ${brief(answer.id)}`;
    return nonsense(`sent ${sent} in answer to request ${id}`);
  }
  if (answer.error !== undefined && answer.error !== null) {
    return { kind: "error", message: messageOf(answer.error) };
  }
  if (!Array.isArray(answer.outputs)) {
    return nonsense(`sent neither outputs nor error in answer to request ${id}`);
  }
  if (answer.outputs.length !== count) {
    return nonsense(
      `sent a wrong count of outputs in answer to request ${id}: ` +
        `${answer.outputs.length} instead of ${count}`,
    );
  }
  for (const output of answer.outputs) {
    const problem = outputProblem(output);
    if (problem !== undefined) return nonsense(`put out ${problem}`);
  }
  if (answer.errors === undefined || answer.errors === null) {
    return { kind: "outputs", outputs: answer.outputs };
  }
  return withErrors(answer.outputs, answer.errors, id);
}

/** Returns the outputs with the errors at their places, where the outputs have null. */
function withErrors(
  outputs: readonly unknown[],
  errors: unknown,
  id: number,
): ProgramAnswer | Nonsense {
  if (typeof errors !== "object" || Array.isArray(errors)) {
    return nonsense(`sent errors that are not an object in answer to request ${id}`);
  }
  const all = outputs.slice();
  for (const [place, error] of Object.entries(errors!)) {
    if (!/^(0|[1-9][0-9]*)$/.test(place) || Number(place) >= all.length) {
      return nonsense(
        `sent an error at the place ${brief(place)} in answer to request ${id}: places of ` +
          `${all.length} outputs are 0 to ${all.length - 1}`,
      );
    }
    if (outputs[Number(place)] !== null) {
      return nonsense(
        `sent an output and an error at the place ${place} in answer to request ${id}: ` +
          "the output beside an error must be null",
      );
    }
    all[Number(place)] = new Thrown(messageOf(error));
  }
  return { kind: "outputs", outputs: all };
}

function messageOf(error: unknown): string {
  return typeof error === "string" ? error : JSON.stringify(error);
}

/** The most bytes of a greeting. */
const LONGEST_GREETING = 1000;

/** Reads a program's first line: the greeting `{"dpcheck":1,…}`, or `undefined` where it is an answer. */
function parseGreeting(line: Uint8Array): Declarations | Nonsense | undefined {
  // A longer line is an answer: it need not be parsed twice.
  const text = line.length > LONGEST_GREETING ? undefined : textOf(line);
  const parsed = text === undefined ? undefined : parseJson(text);
  if (typeof parsed?.value !== "object" || parsed.value === null) return undefined;
  const { dpcheck, binary, width, ...offers } = parsed.value as Record<string, unknown>;
  const { order = false, references = false, seeded = false, records = false } = offers;
  if (dpcheck === undefined) return undefined;
  if (dpcheck !== 1) return nonsense(`speaks version ${brief(dpcheck)} of the protocol, not 1`);
  if (typeof order !== "boolean") return nonsense(`offers the order ${brief(order)}, not true`);
  if (typeof references !== "boolean") {
    return nonsense(`offers the references ${brief(references)}, not true`);
  }
  if (typeof seeded !== "boolean") return nonsense(`offers the seeded ${brief(seeded)}, not true`);
  if (typeof records !== "boolean") {
    return nonsense(`offers the records ${brief(records)}, not true`);
  }
  const declared = { order, references, seeded, records };
  if (binary === undefined) return { ...declared, width: undefined };
  if (binary !== "f64") return nonsense(`offers the binary form ${brief(binary)}, not "f64"`);
  if (!(Number.isSafeInteger(width) && (width as number) > 0 && (width as number) <= 1e6)) {
    return nonsense(`offers the width ${brief(width)}, not an integer from 1 to 1000000`);
  }
  return { ...declared, width: width as number };
}

/** Returns the text of a line; `undefined` where its bytes are not UTF-8. */
function textOf(line: Uint8Array): string | undefined {
  try {
    return decoder.decode(line);
  } catch {
    return undefined;
  }
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: parseBareJson(text) };
  } catch {
    return undefined;
  }
}

function nonsense(reason: string): Nonsense {
  return { kind: "nonsense", reason };
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}
