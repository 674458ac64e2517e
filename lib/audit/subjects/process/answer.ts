import { parseBareJson } from "../../../core/bare_json.ts";
import { outputProblem } from "../output_limits.ts";
import { Thrown } from "../../kernel/subject.ts";

/** One request of the subject protocol. */
export interface Request {
  readonly id: number;
  readonly count: number;
}

/** A program's answer: outputs, one error in place of all of them, or something that is not an answer. */
export type Answer =
  /** An output that is an error is a {@linkcode Thrown}. */
  | { readonly kind: "outputs"; readonly outputs: readonly unknown[] }
  | { readonly kind: "error"; readonly message: string }
  | { readonly kind: "nonsense"; readonly reason: string };

/** Fatal: different bytes that are no UTF-8 would all become U+FFFD, and outputs that differ would be equal. */
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads the line that should answer `request`. */
export function parseAnswer(line: Uint8Array, { id, count }: Request): Answer {
  const text = textOf(line);
  if (text === undefined) {
    return nonsense(`sent bytes that are no UTF-8 in answer to request ${id}`);
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

/** The outputs with the errors at their places, where the outputs have null. */
function withErrors(outputs: readonly unknown[], errors: unknown, id: number): Answer {
  if (typeof errors !== "object" || Array.isArray(errors)) {
    return nonsense(`sent errors that are no object in answer to request ${id}`);
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

/** The first line of a program, if it is a greeting. */
type Greeting =
  | { readonly kind: "none" }
  /**
   * Whether it takes requests with an order, whether it remembers the datasets of the last one, and how many doubles an output
   * has if answers are binary.
   */
  | {
    readonly kind: "greeting";
    readonly order: boolean;
    readonly references: boolean;
    readonly width: number | undefined;
  }
  | { readonly kind: "nonsense"; readonly reason: string };

/** The most bytes of a greeting. */
const LONGEST_GREETING = 1000;

/** Reads a program's first line, which may be the optional greeting `{"dpcheck":1,…}`. */
export function parseGreeting(line: Uint8Array): Greeting {
  // A longer line is an answer: it need not be parsed twice.
  const text = line.length > LONGEST_GREETING ? undefined : textOf(line);
  const parsed = text === undefined ? undefined : parseJson(text);
  if (typeof parsed?.value !== "object" || parsed.value === null) return { kind: "none" };
  const { dpcheck, order = false, references = false, binary, width } = parsed.value as Record<
    string,
    unknown
  >;
  if (dpcheck === undefined) return { kind: "none" };
  if (dpcheck !== 1) return nonsense(`speaks version ${brief(dpcheck)} of the protocol, not 1`);
  if (typeof order !== "boolean") return nonsense(`offers the order ${brief(order)}, not true`);
  if (typeof references !== "boolean") {
    return nonsense(`offers the references ${brief(references)}, not true`);
  }
  if (binary === undefined) return { kind: "greeting", order, references, width: undefined };
  if (binary !== "f64") return nonsense(`offers the binary form ${brief(binary)}, not "f64"`);
  if (!(Number.isSafeInteger(width) && (width as number) > 0 && (width as number) <= 1e6)) {
    return nonsense(`offers the width ${brief(width)}, not an integer from 1 to 1000000`);
  }
  return { kind: "greeting", order, references, width: width as number };
}

/** The text of a line; `undefined` where its bytes are no UTF-8. */
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

function nonsense(reason: string): { kind: "nonsense"; reason: string } {
  return { kind: "nonsense", reason };
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}
