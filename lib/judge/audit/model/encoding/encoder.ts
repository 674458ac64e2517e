import {
  countOf,
  isBlockLike,
  type OutputBlock,
  type Outputs,
  outputValues,
} from "../../kernel/outputs.ts";
import { type Column, type Encoder, encoderFrom, type PathData } from "./encoder_data.ts";
import { categoryOf, formOf, type Kind, numbersInText, walk } from "./walk_output.ts";

/**
 * The most categories that get codes, and the most paths that get columns: as many as one output can have. Where keys change from
 * output to output there may be more, which the category and the form of the record tell.
 */
const MAX_CATEGORIES = 4096, MAX_PATHS = 1 << 17;

/** The values seen at one path, and the places of its columns: −1 where it has none. */
interface PathColumns {
  readonly kinds: Set<Kind>;
  /** How often each category was seen. */
  readonly categories: Map<string, number>;
  /** How often each form was seen. */
  readonly forms: Map<string, number>;
  /** The first form of each kind, and of each category of records and errors; and whether there was another one. */
  readonly firstForms: Map<string, string>;
  formsTell: boolean;
  coded: readonly string[];
  codedForms: readonly string[];
  form: number;
  value: number;
  kind: number;
  category: number;
  length: number;
  numbers: number[];
}

/**
 * Returns the categories that get a code. Where there are too many, these are the most frequent ones, and none that was seen
 * only once: else the first outputs, which are those of one side, would take all codes.
 */
function codedCategories(counts: ReadonlyMap<string, number>): string[] {
  if (counts.size <= MAX_CATEGORIES) return [...counts.keys()];
  return [...counts].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1])
    .slice(0, MAX_CATEGORIES).map(([category]) => category);
}

/**
 * Makes the encoder of the outputs seen so far. Numbers keep their value; booleans become 0 and 1;
 * strings, key sets, error messages and the kind of a value become codes of categories; the
 * first numbers in a string are numbers too; lengths of arrays and strings are columns of their own. Values of later
 * outputs that have no column or no code are encoded as missing (NaN) or as {@linkcode UNKNOWN}.
 */
export function encoderOf(given: readonly Outputs[]): Encoder {
  const seen = given.filter((outputs) => countOf(outputs) > 0);
  const form = blockForm(seen), width = form?.width ?? 0;
  if (form !== undefined && !seen.some(hasNegativeZero)) {
    const { keys } = form;
    return encoderFrom({ kind: "block", width, ...(keys === undefined ? {} : { keys }) });
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
            forms: new Map(),
            firstForms: new Map(),
            formsTell: false,
            coded: [],
            codedForms: [],
            form: -1,
            value: -1,
            kind: -1,
            category: -1,
            length: -1,
            numbers: [],
          };
          paths.set(path, own);
        }
        own.kinds.add(kind);
        const form = formOf(inner, kind);
        own.forms.set(form, (own.forms.get(form) ?? 0) + 1);
        const known = kind === "record" || kind === "error"
          ? `${kind} ${categoryOf(inner, kind)}`
          : kind;
        const first = own.firstForms.get(known);
        if (first === undefined) own.firstForms.set(known, form);
        else own.formsTell ||= first !== form;
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
      own.kind = add({ name: `kind(${path})`, categorical: true });
    }
    const names = codedCategories(categories);
    if (categories.size > 1 && names.length > 0) {
      own.coded = names;
      own.category = add({
        name: kinds.has("record") ? `keys(${path})` : path,
        categorical: true,
      });
    }
    const forms = codedCategories(own.forms);
    // Otherwise kinds, keys and messages have the same information.
    if (own.formsTell && forms.length > 0) {
      own.codedForms = forms;
      own.form = add({ name: `form(${path})`, categorical: true });
    }
    if (width === 0 && (kinds.has("array") || kinds.has("string"))) {
      own.length = add({ name: `length(${path})`, categorical: false });
    }
  }
  if (columns.length === 0) add({ name: "output", categorical: false });
  const data = [...paths].map((
    [path, { value, kind, category, length, numbers, coded, form, codedForms }],
  ): PathData => ({
    path,
    categories: coded,
    ...(form < 0 ? {} : { form, forms: codedForms }),
    value,
    kind,
    category,
    length,
    numbers,
  }));
  return encoderFrom({ kind: "values", columns, elements, paths: data });
}

function hasNegativeZero(outputs: Outputs): boolean {
  const values = outputs.values as Float64Array;
  for (let at = 0; at < values.length; at++) {
    if (values[at] === 0 && 1 / values[at]! < 0) return true;
  }
  return false;
}

/** Returns the first outputs, where all are blocks of their form. */
function blockForm(seen: readonly Outputs[]): OutputBlock | undefined {
  const [first] = seen;
  if (first?.kind !== "block") return undefined;
  return seen.every((outputs) => isBlockLike(outputs, first)) ? first : undefined;
}
