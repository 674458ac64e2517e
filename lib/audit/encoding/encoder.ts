import { countOf, type Outputs, outputValues } from "../subjects/outputs.ts";
import { Thrown } from "../subjects/subject.ts";

/** One column of an encoded output: where it comes from, and whether its numbers are mere codes. */
export interface Column {
  /** As in `output`, `output[3]`, `output.count`, `length(output)`, `kind(output)`. */
  readonly name: string;
  /** Codes of categories have no order: partitions ask for equality only. */
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

/** Arrays and strings are looked at up to this many places; their length is always a column. */
const MAX_PLACES = 64;
const MAX_CATEGORIES = 4096;
const MAX_COLUMNS = 256;
/** The code of a category that was not seen, or too seldom, while the encoder was made. */
export const UNKNOWN = -1;

type Kind =
  | "number"
  | "NaN"
  | "boolean"
  | "string"
  | "null"
  | "array"
  | "record"
  | "error"
  | "other";

function kindOf(value: unknown): Kind {
  if (value === null || value === undefined) return "null";
  if (typeof value === "number") return Number.isNaN(value) ? "NaN" : "number";
  if (typeof value === "bigint") return "number";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "string") return "string";
  if (value instanceof Thrown) return "error";
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return "array";
  return typeof value === "object" ? "record" : "other";
}

/** A category in words; long ones are cut, for the words are keys of a map, never printed whole. */
function categoryOf(value: unknown, kind: Kind): string {
  if (kind === "error") return (value as Thrown).message.slice(0, 200);
  if (kind === "record") return Object.keys(value as object).sort().join(",").slice(0, 1000);
  return String(value).slice(0, 1000);
}

/** The first few numbers written in a text. */
function numbersIn(text: string): number[] {
  const found = text.slice(0, 1000).match(/[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g) ?? [];
  return found.slice(0, 4).map(Number);
}

/** Calls `visit` on the value and on everything inside it, with the path in report notation. */
function walk(
  value: unknown,
  path: string,
  visit: (path: string, value: unknown, kind: Kind) => void,
  depth = 0,
): void {
  const kind = kindOf(value);
  visit(path, value, kind);
  if (depth > 8) return;
  if (kind === "array") {
    const array = value as ArrayLike<unknown>;
    for (let i = 0; i < Math.min(array.length, MAX_PLACES); i++) {
      walk(array[i], `${path}[${i}]`, visit, depth + 1);
    }
  } else if (kind === "record") {
    for (const key of Object.keys(value as object).slice(0, MAX_PLACES)) {
      walk((value as Record<string, unknown>)[key], `${path}.${key}`, visit, depth + 1);
    }
  }
}

interface PathPlan {
  readonly kinds: Set<Kind>;
  /** How often each was seen. */
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
 * The categories that get a code. Where there are too many, the most frequent do, and none that was seen only
 * once: else the outputs that come first, which are those of one side, would take all codes.
 */
function known(counts: ReadonlyMap<string, number>): string[] {
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
      if (outputs.kind !== "block" || outputs.width !== width) return asRows(outputs, width);
      return outputs.values;
    },
  };
}

/**
 * Makes the encoder of the outputs seen so far. Numbers keep their value; booleans become 0 and 1;
 * strings, key sets, error messages and the kind of a value become codes of categories; the
 * first numbers in a string are numbers too; lengths of
 * arrays and strings are columns of their own. What a later output has that these have not is
 * encoded as missing (NaN) or as an unknown category.
 */
export function encoderOf(seen: readonly Outputs[]): Encoder {
  const first = seen[0];
  if (first?.kind === "block") {
    const { width } = first;
    if (seen.every((outputs) => outputs.kind === "block" && outputs.width === width)) {
      return blockEncoder(width);
    }
  }
  const plans = new Map<string, PathPlan>();
  for (const outputs of seen) {
    for (const value of outputValues(outputs)) {
      walk(value, "output", (path, inner, kind) => {
        let plan = plans.get(path);
        if (plan === undefined) {
          if (plans.size >= MAX_COLUMNS) return;
          plan = {
            kinds: new Set(),
            categories: new Map(),
            codes: new Map(),
            value: -1,
            kind: -1,
            category: -1,
            length: -1,
            numbers: [],
          };
          plans.set(path, plan);
        }
        plan.kinds.add(kind);
        if (kind === "string") {
          const found = numbersIn(inner as string).length;
          while (plan.numbers.length < found) plan.numbers.push(-1);
        }
        if (kind === "string" || kind === "record" || kind === "error" || kind === "other") {
          const category = categoryOf(inner, kind);
          plan.categories.set(category, (plan.categories.get(category) ?? 0) + 1);
        }
      });
    }
  }
  const columns: Column[] = [];
  const add = (column: Column): number => columns.push(column) - 1;
  for (const [path, plan] of plans) {
    if (plan.kinds.has("number") || plan.kinds.has("boolean")) {
      plan.value = add({ name: path, categorical: false });
    }
  }
  for (const [path, plan] of plans) {
    plan.numbers.forEach((_, k) => {
      plan.numbers[k] = add({ name: `number ${k + 1} in ${path}`, categorical: false });
    });
  }
  const elements = columns.length;
  for (const [path, plan] of plans) {
    const { kinds, categories } = plan;
    if (kinds.size > 1) {
      plan.kind = add({
        name: `kind(${path})`,
        categorical: true,
        label: (code) => KIND_CODES[code]!,
      });
    }
    const names = known(categories);
    if (categories.size > 1 && names.length > 0) {
      plan.codes = new Map(names.map((name, code) => [name, code]));
      plan.category = add({
        name: kinds.has("record") ? `keys(${path})` : path,
        categorical: true,
        label: (code) => names[code] ?? "unknown",
      });
    }
    if (kinds.has("array") || kinds.has("string")) {
      plan.length = add({ name: `length(${path})`, categorical: false });
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
          const plan = plans.get(path);
          if (plan === undefined) return;
          if (plan.value >= 0 && (kind === "number" || kind === "boolean")) {
            rows[offset + plan.value] = Number(inner);
          }
          if (kind === "string" && plan.numbers.length > 0) {
            numbersIn(inner as string).forEach((x, k) => {
              if (k < plan.numbers.length) rows[offset + plan.numbers[k]!] = x;
            });
          }
          if (plan.kind >= 0) rows[offset + plan.kind] = KIND_CODES.indexOf(kind);
          if (plan.category >= 0 && kind !== "number" && kind !== "array") {
            rows[offset + plan.category] = plan.codes.get(categoryOf(inner, kind)) ?? UNKNOWN;
          }
          if (plan.length >= 0 && (kind === "array" || kind === "string")) {
            rows[offset + plan.length] = (inner as ArrayLike<unknown>).length;
          }
        });
        offset += width;
      }
      return rows;
    },
  };
}

/** Outputs of another shape than the block expected: what is no row of its width is missing. */
function asRows(outputs: Outputs, width: number): Float64Array {
  const rows = new Float64Array(countOf(outputs) * width).fill(NaN);
  let offset = 0;
  for (const value of outputValues(outputs)) {
    if (width === 1 && typeof value === "number") rows[offset] = value;
    else if (kindOf(value) === "array" && (value as ArrayLike<unknown>).length === width) {
      // A typed array among other things looks as it does in a block: what an output is encoded as
      // may not depend on the rest of its batch, or the bets on a batch are no product any more.
      for (let j = 0; j < width; j++) {
        const x = (value as ArrayLike<unknown>)[j];
        if (typeof x === "number") rows[offset + j] = x;
      }
    }
    offset += width;
  }
  return rows;
}
