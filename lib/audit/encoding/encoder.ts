import { countOf, type Outputs, outputValues } from "../subjects/outputs.ts";
import { Thrown } from "../subjects/subject.ts";

/** One column of an encoded output. */
export interface Column {
  /** As in `output`, `output[3]`, `output.count`, `length(output)`, `kind(output)`. */
  readonly name: string;
  /** Whether its numbers are codes, which have no order: splits compare them by equality only. */
  readonly categorical: boolean;
  /** The category behind a code, for reports. */
  readonly label?: (code: number) => string;
}

/** Turns outputs of any shape into rows of doubles, `columns.length` to a row. */
export interface Encoder {
  /** Plain numbers come first, then lengths and categories. */
  readonly columns: readonly Column[];
  /** How many leading columns are plain numbers: sums, extremes and positions are taken over them. */
  readonly elements: number;
  encode(outputs: Outputs): Float64Array;
}

// Limits of what is encoded, for outputs may be of any size.

/**
 * The most elements of an array or a record, and how deep they are nested; the length of an array is always a column.
 */
const MAX_ELEMENTS = 64, MAX_DEPTH = 8;

/** The most categories that get codes, and the most paths that get columns. */
const MAX_CATEGORIES = 4096, MAX_PATHS = 256;

/**
 * The characters of an error message, and of another text, that make a category. Both are choices that were not measured: what
 * differs only after them is one category, and longer ones take more memory. Messages are cut sooner, for they often end in
 * parts that never repeat (stack traces, addresses), and categories that never repeat tell nothing.
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
  if (kind === "record") return Object.keys(value as object).sort().join(",").slice(0, MAX_TEXT);
  return String(value).slice(0, MAX_TEXT);
}

/** The first few numbers written in a text. */
export function numbersInText(text: string): number[] {
  const found = text.slice(0, MAX_TEXT).match(/[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g) ?? [];
  return found.slice(0, NUMBERS_IN_TEXT).map(Number);
}

/** Calls `visit` on the value and on all values inside it, with the path as reports write it. */
export function walk(
  value: unknown,
  path: string,
  visit: (path: string, value: unknown, kind: Kind) => void,
  depth = 0,
): void {
  const kind = kindOf(value);
  visit(path, value, kind);
  if (depth > MAX_DEPTH) return;
  if (kind === "array") {
    const array = value as ArrayLike<unknown>;
    for (let i = 0; i < Math.min(array.length, MAX_ELEMENTS); i++) {
      walk(array[i], `${path}[${i}]`, visit, depth + 1);
    }
  } else if (kind === "record") {
    for (const key of Object.keys(value as object).slice(0, MAX_ELEMENTS)) {
      walk((value as Record<string, unknown>)[key], `${path}.${key}`, visit, depth + 1);
    }
  }
}

/** The values seen at one path, and the places of its columns: −1 where it has none. */
interface PathColumns {
  readonly kinds: Set<Kind>;
  /** How often each category was seen. */
  readonly categories: Map<string, number>;
  codes: ReadonlyMap<string, number>;
  value: number;
  kind: number;
  category: number;
  length: number;
  numbers: number[];
}

const KIND_CODES: readonly Kind[] = [
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

/**
 * The categories that get a code. Where there are too many, these are the most frequent ones, and none that was seen
 * only once: else the first outputs, which are those of one side, would take all codes.
 */
function codedCategories(counts: ReadonlyMap<string, number>): string[] {
  if (counts.size <= MAX_CATEGORIES) return [...counts.keys()];
  return [...counts].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1])
    .slice(0, MAX_CATEGORIES).map(([category]) => category);
}

/** The encoder of blocks: rows of doubles are encoded already. */
function blockEncoder(width: number): Encoder {
  const columns = Array.from({ length: width }, (_, i) => ({
    name: width === 1 ? "output" : `output[${i}]`,
    categorical: false,
  }));
  return {
    columns,
    elements: width,
    encode(outputs): Float64Array {
      if (outputs.kind !== "block" || outputs.width !== width) return rowsOfWidth(outputs, width);
      return outputs.values;
    },
  };
}

/**
 * Makes the encoder of the outputs seen so far. Numbers keep their value; booleans become 0 and 1;
 * strings, key sets, error messages and the kind of a value become codes of categories; the
 * first numbers in a string are numbers too; lengths of arrays and strings are columns of their own. Values of later
 * outputs that have no column or no code are encoded as missing (NaN) or as {@linkcode UNKNOWN}.
 */
export function encoderOf(seen: readonly Outputs[]): Encoder {
  const first = seen[0];
  if (first?.kind === "block") {
    const { width } = first;
    if (seen.every((outputs) => outputs.kind === "block" && outputs.width === width)) {
      return blockEncoder(width);
    }
  }
  const paths = new Map<string, PathColumns>();
  for (const outputs of seen) {
    for (const value of outputValues(outputs)) {
      walk(value, "output", (path, inner, kind) => {
        let own = paths.get(path);
        if (own === undefined) {
          if (paths.size >= MAX_PATHS) return;
          own = {
            kinds: new Set(),
            categories: new Map(),
            codes: new Map(),
            value: -1,
            kind: -1,
            category: -1,
            length: -1,
            numbers: [],
          };
          paths.set(path, own);
        }
        own.kinds.add(kind);
        if (kind === "string") {
          const found = numbersInText(inner as string).length;
          while (own.numbers.length < found) own.numbers.push(-1);
        }
        if (kind === "string" || kind === "record" || kind === "error" || kind === "other") {
          const category = categoryOf(inner, kind);
          own.categories.set(category, (own.categories.get(category) ?? 0) + 1);
        }
      });
    }
  }
  const columns: Column[] = [];
  const add = (column: Column): number => columns.push(column) - 1;
  for (const [path, own] of paths) {
    if (own.kinds.has("number") || own.kinds.has("boolean")) {
      own.value = add({ name: path, categorical: false });
    }
  }
  for (const [path, own] of paths) {
    own.numbers.forEach((_, k) => {
      own.numbers[k] = add({ name: `number ${k + 1} in ${path}`, categorical: false });
    });
  }
  const elements = columns.length;
  for (const [path, own] of paths) {
    const { kinds, categories } = own;
    if (kinds.size > 1) {
      own.kind = add({
        name: `kind(${path})`,
        categorical: true,
        label: (code) => KIND_CODES[code]!,
      });
    }
    const names = codedCategories(categories);
    if (categories.size > 1 && names.length > 0) {
      own.codes = new Map(names.map((name, code) => [name, code]));
      own.category = add({
        name: kinds.has("record") ? `keys(${path})` : path,
        categorical: true,
        label: (code) => names[code] ?? "unknown",
      });
    }
    if (kinds.has("array") || kinds.has("string")) {
      own.length = add({ name: `length(${path})`, categorical: false });
    }
  }
  const width = Math.max(1, columns.length);
  if (columns.length === 0) add({ name: "output", categorical: false });
  return {
    columns,
    elements,
    encode(outputs): Float64Array {
      const rows = new Float64Array(countOf(outputs) * width).fill(NaN);
      let offset = 0;
      for (const value of outputValues(outputs)) {
        walk(value, "output", (path, inner, kind) => {
          const own = paths.get(path);
          if (own === undefined) return;
          if (own.value >= 0 && (kind === "number" || kind === "boolean")) {
            rows[offset + own.value] = Number(inner);
          }
          if (kind === "string" && own.numbers.length > 0) {
            numbersInText(inner as string).forEach((x, k) => {
              if (k < own.numbers.length) rows[offset + own.numbers[k]!] = x;
            });
          }
          if (own.kind >= 0) rows[offset + own.kind] = KIND_CODES.indexOf(kind);
          if (own.category >= 0 && kind !== "number" && kind !== "array") {
            rows[offset + own.category] = own.codes.get(categoryOf(inner, kind)) ?? UNKNOWN;
          }
          if (own.length >= 0 && (kind === "array" || kind === "string")) {
            rows[offset + own.length] = (inner as ArrayLike<unknown>).length;
          }
        });
        offset += width;
      }
      return rows;
    },
  };
}

/** Outputs of another shape than the block's: an output that is no row of its width becomes missing values. */
function rowsOfWidth(outputs: Outputs, width: number): Float64Array {
  const rows = new Float64Array(countOf(outputs) * width).fill(NaN);
  let offset = 0;
  for (const value of outputValues(outputs)) {
    if (width === 1 && typeof value === "number") rows[offset] = value;
    else if (kindOf(value) === "array" && (value as ArrayLike<unknown>).length === width) {
      // A typed array among other outputs is encoded as in a block. The bets on a batch are a product over its outputs
      // only if an output's encoding does not depend on the others.
      for (let j = 0; j < width; j++) {
        const x = (value as ArrayLike<unknown>)[j];
        if (typeof x === "number") rows[offset + j] = x;
      }
    }
    offset += width;
  }
  return rows;
}
