import { outputProblem } from "../output_limits.ts";

/** One request of the subject protocol. */
export interface Request {
  readonly id: number;
  readonly count: number;
}

/** A program's answer: outputs, an error of its own, or something that is no answer. */
export type Answer =
  | { readonly kind: "outputs"; readonly outputs: readonly unknown[] }
  | { readonly kind: "error"; readonly message: string }
  | { readonly kind: "nonsense"; readonly reason: string };

const decoder = new TextDecoder();

/** Reads the line that should answer `request`. */
export function parseAnswer(line: Uint8Array, { id, count }: Request): Answer {
  const parsed = parseJson(line);
  if (parsed === undefined) {
    const what = line.length === 0 ? "an empty line" : "invalid JSON";
    return nonsense(`sent ${what} in answer to request ${id}`);
  }
  if (typeof parsed.value !== "object" || parsed.value === null || Array.isArray(parsed.value)) {
    return nonsense(`sent no JSON object in answer to request ${id}`);
  }
  const answer = parsed.value as { id?: unknown; outputs?: unknown; error?: unknown };
  if (answer.id !== id) {
    const sent = answer.id === undefined ? "no id" : `the wrong id ${brief(answer.id)}`;
    return nonsense(`sent ${sent} in answer to request ${id}`);
  }
  if (answer.error !== undefined && answer.error !== null) {
    const { error } = answer;
    return { kind: "error", message: typeof error === "string" ? error : JSON.stringify(error) };
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
  return { kind: "outputs", outputs: answer.outputs };
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
  const parsed = line.length > LONGEST_GREETING ? undefined : parseJson(line);
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

function parseJson(line: Uint8Array): { value: unknown } | undefined {
  const text = decoder.decode(line);
  try {
    return { value: JSON.parse(text) };
  } catch {
    return parseNonFinite(text);
  }
}

/** Marks strings that stand for numbers which JSON does not have. */
const MARK = "\0number ";

/** Reads JSON with bare NaN, Infinity and -Infinity in it, as Python and others print them. */
function parseNonFinite(text: string): { value: unknown } | undefined {
  const marked = text.replaceAll(
    /"(?:[^"\\]|\\.)*"|-?Infinity|NaN/g,
    (token) => token.startsWith('"') ? token : JSON.stringify(MARK + token),
  );
  const unmark = (_key: string, value: unknown): unknown =>
    typeof value === "string" && value.startsWith(MARK) ? Number(value.slice(MARK.length)) : value;
  try {
    return { value: JSON.parse(marked, unmark) };
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
