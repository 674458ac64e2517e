import type { Dataset, RowSpec } from "../../../core/relations/dataset.ts";
import { sameRow } from "../../../core/relations/relation.ts";
import { repeated } from "./among_others.ts";
import { cornerRows } from "./row_values.ts";

/**
 * A promise about datasets, for a program whose claim holds for data that keep it: in words (`rows >= 5`, `every value of label`,
 * `every value of label 2 times`, `3 rows with label = yes`, `distinct rows`), or a function that tells whether a dataset keeps it.
 */
export type DatasetRule = string | ((data: Dataset) => boolean);

/** All rules together. */
export interface RequiredRules {
  /** The rules as reports print them. */
  readonly texts: readonly string[];
  /** Returns true if a dataset keeps every rule. */
  keeps(data: Dataset): boolean;
  /** Returns rows that, added to a dataset, bring it nearer to keeping the rules. */
  missing(data: Dataset): unknown[];
}

/** One rule, understood. */
type Rule = Omit<RequiredRules, "texts">;

const FORMS =
  '"rows >= N", "rows <= N", "every value [of FIELD] [N times]", "N rows with FIELD = VALUE" or ' +
  '"distinct rows"';

/** A rule may ask for every value of a field that has at most this many. */
const MOST_VALUES = 100;

/**
 * Reads rules. They are about datasets as the program gets them, with the rows `before` them.
 *
 * @throws {RangeError} naming the text that is not a rule, or that asks for a field that rows do not have.
 */
export function requiredRules(
  rules: readonly DatasetRule[],
  { rows, before = [] }: { readonly rows: RowSpec; readonly before?: readonly unknown[] },
): RequiredRules {
  const read = rules.map((rule) => typeof rule === "string" ? ruleOf(rule, rows) : ruleBy(rule));
  const whole = (data: Dataset): Dataset => before.length === 0 ? data : [...before, ...data];
  return {
    texts: rules.map((rule) => typeof rule === "string" ? rule : rule.name || "a function"),
    keeps: (data) => read.every((rule) => rule.keeps(whole(data))),
    missing(data): unknown[] {
      const added: unknown[] = [];
      for (const rule of read) added.push(...rule.missing([...whole(data), ...added]));
      return added;
    },
  };
}

/** Returns the rule that a function decides: where it throws, it is not kept. */
function ruleBy(holds: (data: Dataset) => boolean): Rule {
  return {
    keeps(data): boolean {
      try {
        return holds(data) === true;
      } catch {
        return false;
      }
    },
    missing: () => [],
  };
}

function ruleOf(text: string, rows: RowSpec): Rule {
  const [base] = cornerRows(rows);
  const count = /^rows\s*(>=|<=)\s*(\d+)$/.exec(text);
  if (count !== null) {
    const most = Number(count[2]);
    return count[1] === ">="
      ? {
        keeps: (data) => data.length >= most,
        missing: (data) => repeated(base, most - data.length),
      }
      : { keeps: (data) => data.length <= most, missing: () => [] };
  }
  const every = /^every value(?: of (.+?))?(?: (\d+) times)?$/.exec(text);
  if (every !== null) {
    const field = fieldOf(text, rows, every[1]), times = Number(every[2] ?? 1);
    const values = valuesOf(text, field.spec);
    return together(values.map((value) => withValue(field, { value, times, base })));
  }
  const some = /^(\d+) rows? with (.+?)\s*=\s*(.+)$/.exec(text);
  if (some !== null) {
    const field = fieldOf(text, rows, some[2]);
    return withValue(field, { value: parsed(some[3]!), times: Number(some[1]), base });
  }
  if (text === "distinct rows") {
    return {
      keeps: (data) =>
        data.every((row, i) => !data.some((other, j) => j < i && sameRow(row, other))),
      missing: () => [],
    };
  }
  return refuse(`be ${FORMS}`, text);
}

function refuse(rule: string, text: string): never {
  throw new RangeError(
    `Cannot audit: require must ${rule}: current value is ${JSON.stringify(text)}`,
  );
}

function together(rules: readonly Rule[]): Rule {
  return {
    keeps: (data) => rules.every((rule) => rule.keeps(data)),
    missing: (data) => rules.flatMap((rule) => rule.missing(data)),
  };
}

/** A part of a row, or the row. */
interface Field {
  readonly spec: RowSpec;
  get(row: unknown): unknown;
  set(row: unknown, value: unknown): unknown;
}

/** Returns the rule of at least `times` rows with this value. */
function withValue(
  { get, set }: Field,
  { value, times, base }: {
    readonly value: unknown;
    readonly times: number;
    readonly base: unknown;
  },
): Rule {
  const found = (data: Dataset): number =>
    data.reduce<number>((sum, row) => sameRow(get(row), value) ? sum + 1 : sum, 0);
  return {
    keeps: (data) => found(data) >= times,
    missing: (data) => repeated(set(base, value), times - found(data)),
  };
}

function fieldOf(text: string, rows: RowSpec, name: string | undefined): Field {
  if (name === undefined || name === "row") {
    return { spec: rows, get: (row) => row, set: (_, value) => value };
  }
  if (rows.type === "record" && Object.hasOwn(rows.fields, name)) {
    return {
      spec: rows.fields[name]!,
      get: (row) => (row as Record<string, unknown> | null)?.[name],
      set: (row, value) => ({ ...row as object, [name]: value }),
    };
  }
  const place = Number(name);
  if (rows.type === "vector" && Number.isInteger(place) && place >= 0 && place < rows.length) {
    return {
      spec: rows.of,
      get: (row) => (row as readonly unknown[] | null)?.[place],
      set: (row, value) => (row as readonly unknown[]).with(place, value),
    };
  }
  return refuse("name a field of rows: a key of a record, or a place in a vector, from 0", text);
}

function valuesOf(text: string, spec: RowSpec): readonly unknown[] {
  if (spec.type === "category") return spec.values;
  if (spec.type === "boolean") return [false, true];
  if (spec.type === "integer" && spec.max - spec.min < MOST_VALUES) {
    const least = Math.ceil(spec.min);
    return Array.from({ length: Math.floor(spec.max) - least + 1 }, (_, i) => least + i);
  }
  return refuse(
    `ask for every value of a category, of booleans, or of at most ${MOST_VALUES} integers`,
    text,
  );
}

/** Returns a value as JSON, or as the text that it is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
