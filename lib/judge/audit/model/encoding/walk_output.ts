import { Seen } from "../../subjects/seen.ts";
import { Thrown } from "../../kernel/subject.ts";

// Limits of what is encoded, for outputs may be of any size.

/**
 * The most elements of an array or a record, and how deep they are nested; the length of an array is always a column.
 */
const MAX_ELEMENTS = 64, MAX_DEPTH = 8;

/**
 * The characters of an error message, and of another text, that make a category. Both are choices that were not measured: what
 * differs only after them is one category, and longer ones take more memory. Messages are cut sooner, for they often end in
 * parts that never repeat (stack traces, addresses), and categories that never repeat carry no information.
 */
const MAX_MESSAGE = 200, MAX_TEXT = 1000;

/** The most numbers that are read from a text. */
const NUMBERS_IN_TEXT = 4;

/** The code of a category that has no code of its own: it was not seen while the encoder was made, or too seldom. */
export const UNKNOWN = -1;

/** The kind of a value. */
export type Kind =
  | "number"
  | "NaN"
  | "boolean"
  | "string"
  | "null"
  | "array"
  | "record"
  | "error"
  | "other";

/** The kind of a value. */
export function kindOf(value: unknown): Kind {
  if (value === null || value === undefined) return "null";
  if (typeof value === "number") return Number.isNaN(value) ? "NaN" : "number";
  if (typeof value === "bigint") return "number";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "string") return "string";
  if (value instanceof Thrown) return "error";
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return "array";
  return typeof value === "object" ? "record" : "other";
}

/** The category as a text; long ones are shortened, for they are keys of a map. */
export function categoryOf(value: unknown, kind: Kind): string {
  if (kind === "error") return (value as Thrown).message.slice(0, MAX_MESSAGE);
  if (kind === "record") {
    return Object.keys(partsOf(value as object)).sort().join(",").slice(0, MAX_TEXT);
  }
  return String(value).slice(0, MAX_TEXT);
}

/**
 * What sets a value apart from others of its kind besides its parts: −0, the class of an object, an error or a typed array, the
 * order in which keys are written. An empty text for most values.
 */
export function formOf(value: unknown, kind: Kind): string {
  switch (kind) {
    case "number":
      return Object.is(value, -0) ? "-0" : typeof value === "bigint" ? "bigint" : "";
    case "array":
      return Array.isArray(value) || value instanceof Float64Array ? "" : value!.constructor.name;
    case "record":
      return (value instanceof Seen ? value.form : Object.keys(value as object).join(","))
        .slice(0, MAX_TEXT);
    case "error":
      return (value as Thrown).seen?.form ?? "";
    case "null":
      return String(value);
    default:
      return "";
  }
}

/** The first few numbers written in a text. */
export function numbersInText(text: string): number[] {
  const found = text.slice(0, MAX_TEXT).match(/[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g) ?? [];
  return found.slice(0, NUMBERS_IN_TEXT).map(Number);
}

/**
 * Calls `visit` on the value and on all values inside it, with the path as reports write it.
 *
 * @returns whether that is all of it: not where a list, a record or a text is longer, or deeper, than is read.
 */
export function walk(
  value: unknown,
  path: string,
  visit: (path: string, value: unknown, kind: Kind) => void,
  depth = 0,
): boolean {
  const kind = kindOf(value);
  visit(path, value, kind);
  let isAll = kind === "string"
    ? (value as string).length <= MAX_TEXT
    : kind !== "error" || (value as Thrown).message.length <= MAX_MESSAGE;
  if (kind === "array") {
    const array = value as ArrayLike<unknown>;
    if (depth > MAX_DEPTH) return array.length === 0;
    isAll = array.length <= MAX_ELEMENTS;
    for (let i = 0; i < Math.min(array.length, MAX_ELEMENTS); i++) {
      if (!walk(array[i], `${path}[${i}]`, visit, depth + 1)) isAll = false;
    }
  } else if (kind === "record" || kind === "error") {
    const parts = partsOf(value as object), keys = Object.keys(parts);
    if (depth > MAX_DEPTH) return isAll && keys.length === 0;
    isAll &&= keys.length <= MAX_ELEMENTS;
    for (const key of keys.slice(0, MAX_ELEMENTS)) {
      if (!walk(parts[key], `${path}.${key}`, visit, depth + 1)) isAll = false;
    }
  }
  return isAll;
}

/** The parts of a record, an error or another object, by name. */
export function partsOf(value: object): Readonly<Record<string, unknown>> {
  if (value instanceof Thrown) return value.seen?.parts ?? {};
  return value instanceof Seen ? value.parts : value as Record<string, unknown>;
}

/** The kinds in the order of their codes. */
export const KIND_CODES: readonly Kind[] = [
  "number",
  "NaN",
  "boolean",
  "string",
  "null",
  "array",
  "record",
  "error",
  "other",
];
