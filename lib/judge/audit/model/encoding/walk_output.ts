import { Seen } from "../../subjects/seen.ts";
import { Thrown } from "../../kernel/subject.ts";

/**
 * The characters of an error message, and of another text, that make a category. Both are choices that were not measured: longer ones
 * take more memory. What comes after them is read as a part of the form, by a hash. Messages are cut sooner, for they often end in
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

/** Returns the kind of a value. */
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

/** Returns the category as a text; long ones are shortened, for they are keys of a map. */
export function categoryOf(value: unknown, kind: Kind): string {
  if (kind === "error") return (value as Thrown).message.slice(0, MAX_MESSAGE);
  if (kind === "record") return categoryOfKeys(Object.keys(partsOf(value as object)));
  return String(value).slice(0, MAX_TEXT);
}

/** Returns the category of records with these keys. */
export function categoryOfKeys(keys: readonly string[]): string {
  const written = keys.join(",");
  // Most records of a program have the same keys, and to sort a thousand takes longer than to read their values.
  if (written !== lastWritten) {
    lastWritten = written;
    lastSorted = keys.toSorted().join(",").slice(0, MAX_TEXT);
  }
  return lastSorted;
}

let lastWritten: string | undefined, lastSorted = "";

/**
 * Names what sets a value apart from others of its kind besides its parts: −0, the class of an object, an error or a typed array, the
 * order in which keys are written. An empty text for most values.
 */
export function formOf(value: unknown, kind: Kind): string {
  switch (kind) {
    case "number":
      return Object.is(value, -0) ? "-0" : typeof value === "bigint" ? "bigint" : "";
    case "array":
      return Array.isArray(value) || value instanceof Float64Array ? "" : value!.constructor.name;
    case "record":
      return value instanceof Seen ? value.form : hashedAfter(
        Object.keys(value as object).join(","),
      );
    case "error": {
      const { message, seen } = value as Thrown;
      return (seen?.form ?? "") + restAfter(message, MAX_MESSAGE);
    }
    case "string":
      return restAfter(value as string, MAX_TEXT);
    case "null":
      return String(value);
    default:
      return "";
  }
}

/** Returns a text of up to {@linkcode MAX_TEXT} characters as it is, a longer one with the rest as a hash. */
function hashedAfter(text: string): string {
  return text.slice(0, MAX_TEXT) + restAfter(text, MAX_TEXT);
}

/** Returns a hash of the rest of a text after its first `most` characters (FNV-1a); empty where there is none. */
function restAfter(text: string, most: number): string {
  if (text.length <= most) return "";
  let hash = 0x811c9dc5;
  for (let i = most; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return ` … ${(hash >>> 0).toString(16)}`;
}

/** A text of bits, as a local randomiser reports them: too long for a number that happens to have no other digits. */
const BITS = /^[01]{9,}$/;

/** Returns the first few numbers written in a text; of a text of bits these. */
export function numbersInText(text: string): number[] {
  const read = text.slice(0, MAX_TEXT);
  if (BITS.test(read)) return Array.from(read, Number);
  const found = read.match(/[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g) ?? [];
  return found.slice(0, NUMBERS_IN_TEXT).map(Number);
}

/**
 * Calls `visit` on the value and on all values inside it, with the path as reports write it; of each list and record inside on the
 * first `most` parts.
 */
export function walk(
  value: unknown,
  path: string,
  visit: (path: string, value: unknown, kind: Kind) => void,
  most = Infinity,
): void {
  const kind = kindOf(value);
  visit(path, value, kind);
  if (kind === "array") {
    const array = value as ArrayLike<unknown>;
    for (let i = 0; i < Math.min(array.length, most); i++) {
      walk(array[i], `${path}[${i}]`, visit, most);
    }
  } else if (kind === "record" || kind === "error") {
    const parts = partsOf(value as object), keys = Object.keys(parts);
    for (let k = 0; k < Math.min(keys.length, most); k++) {
      walk(parts[keys[k]!], `${path}.${keys[k]}`, visit, most);
    }
  }
}

/** Returns the parts of a record, an error or another object, by name. */
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
