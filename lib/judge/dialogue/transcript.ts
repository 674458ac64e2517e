import { bareJson } from "../../core/text/bare_json.ts";

/** One item of a transcript: a number, or the text of anything else. */
export type Answer = number | string;

/** Transcript of one strategy: items of answers in order, and the step of the strategy and the question that each belongs to, from 0 on. */
export interface Transcript {
  readonly answers: readonly Answer[];
  readonly steps: readonly number[];
  readonly questions: readonly number[];
}

/** The most items of a transcript: what comes after them is not asked. */
export const MOST_ANSWERS = 64;

/** Answer to one question. */
export type Reply =
  | { readonly answer: unknown }
  | { readonly refused: unknown }
  | { readonly error: string };

/** Returns the reply that an answer of a session stands for: `{ refused: reason }` alone is a refusal. */
export function replyOf(value: unknown): Reply {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
      Object.keys(value).length === 1 && "refused" in value
    ? { refused: value.refused }
    : { answer: value };
}

/** Returns true if an item is a refusal or an error. */
export function isNoAnswer(answer: Answer | undefined): boolean {
  return typeof answer === "string" && /^(?:refused|error): /.test(answer);
}

/** Adds the items of a reply to `items`: of lists and records one after the other, keys in order. */
export function addItems(items: Answer[], reply: Reply): void {
  if ("refused" in reply) items.push(`refused: ${textOf(reply.refused)}`);
  else if ("error" in reply) items.push(`error: ${reply.error}`);
  else {
    try {
      addValue(items, reply.answer);
    } catch {
      items.push("error: an answer that cannot be read");
    }
  }
}

/** The most levels of an answer: one that holds itself has no end of them. */
const MOST_LEVELS = 100;

function addValue(items: Answer[], value: unknown, level = 0): void {
  if (items.length >= MOST_ANSWERS) return;
  if (level > MOST_LEVELS) items.push(`more than ${MOST_LEVELS} levels`);
  else if (typeof value === "number") items.push(Object.is(value, -0) ? 0 : value);
  else if (typeof value === "bigint" && Number.isSafeInteger(Number(value))) {
    items.push(Number(value));
  } else if (Array.isArray(value) || ArrayBuffer.isView(value) && "length" in value) {
    const list = value as ArrayLike<unknown>;
    if (list.length === 0) items.push("empty list");
    for (let i = 0; i < list.length && items.length < MOST_ANSWERS; i++) {
      addValue(items, list[i], level + 1);
    }
  } else if (isPlainRecord(value)) {
    const keys = Object.keys(value).sort();
    if (keys.length === 0) items.push("empty record");
    for (const key of keys) addValue(items, value[key], level + 1);
  } else items.push(textOf(value));
}

function isPlainRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Characters of a text that are kept. */
const LONGEST_TEXT = 200;

function textOf(value: unknown): string {
  let text: string;
  try {
    text = value instanceof Map || value instanceof Set
      ? bareJson([...value])!
      : typeof value === "string"
      ? bareJson(value.slice(0, LONGEST_TEXT))!
      : typeof value === "object"
      ? bareJson(value) ?? String(value)
      : String(value);
  } catch {
    text = `a ${typeof value}`;
  }
  return text.slice(0, LONGEST_TEXT);
}
