import type { RowSpec } from "../../core/relations/dataset.ts";
import { requireRows } from "../audit/search/require_domain.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { isRow, pick, pickIndex, randomRow } from "../audit/search/row_values.ts";
import type { Question } from "./service.ts";

/** An arbitrary of fast-check, by the methods that are needed of it. */
export interface ArbitraryLike {
  /** Makes a value. */
  generate(random: never, bias: never): unknown;
  /** Returns true if it can make a value smaller that it did not make. */
  canShrinkWithoutContext(value: unknown): boolean;
}

/**
 * Values of an argument: as rows are described, or a number written as text, which has several spellings (`numeral`), or a row as
 * those of the dataset (`row`), or an arbitrary of fast-check.
 */
export type ArgumentSpec =
  | RowSpec
  | { readonly type: "numeral"; readonly min: number; readonly max: number }
  | { readonly type: "row" }
  | ArbitraryLike;

/** Kinds of questions by their names: the arguments of each by theirs, or an arbitrary of records of arguments. */
export type QuestionSpecs = Readonly<
  Record<string, Readonly<Record<string, ArgumentSpec>> | ArbitraryLike>
>;

/** Values of an arbitrary that are drawn beforehand. */
const POOL = 256;

/** Values of arguments once arbitraries are drawn from. */
type Known = Exclude<ArgumentSpec, ArbitraryLike> | {
  readonly type: "pool";
  readonly values: readonly unknown[];
};

type NumberSpec = {
  readonly type: "number" | "integer" | "numeral";
  readonly min: number;
  readonly max: number;
};

/** The kinds of questions that a search may ask, and the values that it tries. */
export class QuestionKinds {
  readonly #kinds: ReadonlyMap<string, ReadonlyMap<string, Known> | readonly unknown[]>;
  /** Names of the kinds. */
  readonly names: readonly string[];
  readonly #rows: RowSpec | undefined;

  private constructor(
    kinds: ReadonlyMap<string, ReadonlyMap<string, Known> | readonly unknown[]>,
    rows: RowSpec | undefined,
  ) {
    this.#kinds = kinds;
    this.names = [...kinds.keys()];
    this.#rows = rows;
  }

  /**
   * Reads the kinds of questions that a user declares.
   *
   * @throws {RangeError} when they are not what they must be.
   */
  static async of(
    specs: QuestionSpecs,
    { rows, seed }: { readonly rows: RowSpec | undefined; readonly seed: number },
  ): Promise<QuestionKinds> {
    if (!isRecord(specs) || Object.keys(specs).length === 0) {
      refuse("questions", "be a record with at least one kind", specs);
    }
    const kinds = new Map<string, ReadonlyMap<string, Known> | readonly unknown[]>();
    for (const [kind, given] of Object.entries(specs)) {
      if (isArbitrary(given)) {
        const pool = await poolOf(given, seed);
        if (!pool.every(isRecord)) {
          refuse(`questions.${kind}`, "give records of arguments", pool[0]);
        }
        kinds.set(kind, pool);
        continue;
      }
      if (!isRecord(given)) refuse(`questions.${kind}`, "be a record of arguments", given);
      const known = new Map<string, Known>();
      for (const [name, spec] of Object.entries(given)) {
        if (name === "kind") refuse(`questions.${kind}`, 'have no argument named "kind"', "kind");
        known.set(
          name,
          isArbitrary(spec)
            ? { type: "pool", values: await poolOf(spec, seed) }
            : checked(spec, `questions.${kind}.${name}`),
        );
      }
      kinds.set(kind, known);
    }
    return new QuestionKinds(kinds, rows);
  }

  /** The values of an argument; `undefined` where there is no such argument. */
  argument(kind: string, name: string): Known | undefined {
    const known = this.#kinds.get(kind);
    return known instanceof Map ? known.get(name) : undefined;
  }

  /** Names of the arguments of a kind that are declared one by one. */
  argumentNames(kind: string): string[] {
    const known = this.#kinds.get(kind);
    return known instanceof Map ? [...known.keys()] : [];
  }

  /** Names of the arguments of a kind that are numbers, or numbers written as text. */
  numericNames(kind: string): string[] {
    return this.argumentNames(kind).filter((name) => isNumeric(this.argument(kind, name)!));
  }

  /** A question of a kind, or of any. */
  randomQuestion(source: Source, rows: readonly unknown[], given?: string): Question {
    const kind = given ?? pick(source, this.names), known = this.#kinds.get(kind)!;
    if (!(known instanceof Map)) {
      return { ...pick(source, known as readonly object[]), kind };
    }
    const values: Record<string, unknown> = {};
    for (const [name, spec] of known) values[name] = this.#randomValue(spec, source, rows);
    return { kind, ...values };
  }

  /** Another value of an argument. */
  randomValue(
    kind: string,
    name: string,
    { source, rows }: { source: Source; rows: readonly unknown[] },
  ): unknown {
    const spec = this.argument(kind, name);
    return spec && this.#randomValue(spec, source, rows);
  }

  #randomValue(spec: Known, source: Source, rows: readonly unknown[]): unknown {
    if (spec.type === "pool") return pick(source, spec.values);
    const own = this.#rows;
    if (spec.type === "row") {
      return rows.length > 0 && (own === undefined || source.uniform() < 0.6)
        ? pick(source, rows)
        : own === undefined
        ? null
        : randomRow(own, source);
    }
    if (isNumeric(spec)) {
      const numbers = scalarsIn(rows).filter((x) => typeof x === "number" && Number.isFinite(x));
      const choice = pickIndex(source, numbers.length > 0 ? 8 : 5);
      const value = choice === 0
        ? spec.min
        : choice === 1
        ? spec.max
        : choice === 2
        ? spec.min + source.uniform() * (spec.max - spec.min)
        : choice === 3
        ? spec.min + pickIndex(source, 8)
        : choice === 4
        ? besideBound(spec, source)
        : choice === 5
        ? pick(source, numbers as number[])
        : jittered(pick(source, numbers as number[]), source);
      return withinArgument(spec, value);
    }
    const fitting = [...rows, ...scalarsIn(rows)].filter((value) => isRow(spec, value));
    return fitting.length > 0 && source.uniform() < 0.6
      ? pick(source, fitting)
      : randomRow(spec, source);
  }

  /** A value near another one: a number a little beside it, a text in another case, a list or a record with one item so. */
  nearValue(
    kind: string,
    name: string,
    { value, source }: { value: unknown; source: Source },
  ): unknown {
    const spec = this.argument(kind, name);
    return spec && this.#near(spec.type === "row" ? this.#rows ?? spec : spec, value, source);
  }

  #near(spec: Known, value: unknown, source: Source): unknown {
    switch (spec.type) {
      case "number":
      case "integer":
      case "numeral":
        return withinArgument(spec, jittered(Number(value) || 0, source));
      case "text": {
        if (typeof value !== "string") return value;
        const near = [...textSpellings(value), value.slice(0, -1)]
          .filter((text) => isRow(spec, text));
        return near.length === 0 ? value : pick(source, near);
      }
      case "vector": {
        if (!Array.isArray(value) || value.length === 0) return value;
        const at = pickIndex(source, value.length);
        const near = value.with(at, this.#near(spec.of, value[at], source));
        return isRow(spec, near) ? near : value;
      }
      case "record": {
        const key = pick(source, Object.keys(spec.fields));
        return isRecord(value)
          ? { ...value, [key]: this.#near(spec.fields[key]!, value[key], source) }
          : value;
      }
      case "boolean":
        return !value;
      case "category":
        return pick(source, spec.values);
      case "pool":
        return pick(source, spec.values);
      case "row":
        return value;
    }
  }

  /** Other spellings of a value: none where its type has one alone. */
  spellings(kind: string, name: string, value: unknown): unknown[] {
    const spec = this.argument(kind, name);
    if (spec === undefined || typeof value !== "string") return [];
    if (spec.type === "numeral") {
      const x = Number(value);
      return [x.toFixed(1), x.toExponential(), ` ${x}`, `+${x}`, `0${x}`, x.toFixed(2)]
        .filter((text) => Number(text) === x && text !== value);
    }
    if (spec.type !== "text") return [];
    return textSpellings(value).filter((text) => text !== value && isRow(spec, text));
  }

  /** A simpler value, where there is one: numbers are rounded to as few digits as `digits` asks. */
  simplerValues(kind: string, name: string, value: unknown): unknown[] {
    const spec = this.argument(kind, name);
    if (spec === undefined || spec.type === "pool" || !isNumeric(spec)) return [];
    const x = Number(value);
    return [0, Math.round(x), Number(x.toPrecision(2)), Number(x.toPrecision(4))]
      .map((simple) => withinArgument(spec, simple))
      .filter((simple) => String(simple).length < String(value).length);
  }

  /** Two arguments of a kind that may be the ends of a range: numbers with equal bounds. */
  rangeOf(kind: string): readonly [string, string] | undefined {
    const names = this.numericNames(kind);
    for (const [i, a] of names.entries()) {
      const low = this.argument(kind, a) as NumberSpec;
      for (const b of names.slice(i + 1)) {
        const high = this.argument(kind, b) as NumberSpec;
        if (low.min === high.min && low.max === high.max && low.type === high.type) return [a, b];
      }
    }
    return undefined;
  }
}

/** Returns a value brought into the bounds of an argument that is a number; `undefined` where it is none. */
export function withinArgument(spec: ArgumentSpec | Known, value: unknown): unknown {
  if (!("type" in spec) || !isNumeric(spec as Known)) return undefined;
  const { type, min, max } = spec as NumberSpec;
  const x = Number(value);
  if (Number.isNaN(x)) return undefined;
  const clipped = Math.min(max, Math.max(min, type === "integer" ? Math.round(x) : x));
  return type === "numeral" ? String(clipped) : clipped;
}

function isNumeric(spec: Known): spec is NumberSpec & Known {
  return spec.type === "number" || spec.type === "integer" || spec.type === "numeral";
}

/** Texts that a service may take for one. */
function textSpellings(text: string): string[] {
  return [
    text.toUpperCase(),
    text.toLowerCase(),
    `${text} `,
    ` ${text}`,
    text.normalize("NFD"),
  ];
}

/** Distances at which a service may take two arguments for one. */
const DISTANCES = [1, 0.5, 0.3, 0.1, 0.01, 1e-6];

/** Shares of a range by which a value is off one of its ends. */
const SHARES = [0.1, 0.01, 0.001];

/** A number that is not quite the smallest or the largest: prices and budgets are often compared with these. */
function besideBound({ min, max }: NumberSpec, source: Source): number {
  const off = pick(source, SHARES) * (max - min);
  return source.uniform() < 0.5 ? min + off : max - off;
}

function jittered(x: number, source: Source): number {
  return x + (source.uniform() < 0.5 ? -1 : 1) * pick(source, DISTANCES);
}

/** Every scalar in rows, at most so many. */
function scalarsIn(rows: readonly unknown[], most = 64): unknown[] {
  const found: unknown[] = [];
  const visit = (value: unknown): void => {
    if (found.length >= most) return;
    if (Array.isArray(value)) { for (const item of value) visit(item); }
    else if (isRecord(value)) { for (const item of Object.values(value)) visit(item); }
    else found.push(value);
  };
  for (const row of rows) visit(row);
  return found;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isArbitrary(value: unknown): value is ArbitraryLike {
  return typeof value === "object" && value !== null &&
    typeof (value as ArbitraryLike).generate === "function" &&
    typeof (value as ArbitraryLike).canShrinkWithoutContext === "function";
}

async function poolOf(arbitrary: ArbitraryLike, seed: number): Promise<unknown[]> {
  const { sample } = await import("fast-check");
  return sample(arbitrary as unknown as Parameters<typeof sample>[0], {
    numRuns: POOL,
    seed: seed | 0,
  }) as unknown[];
}

const TYPES = [
  "number",
  "integer",
  "numeral",
  "boolean",
  "category",
  "text",
  "vector",
  "record",
  "row",
];

function checked(spec: ArgumentSpec, name: string): Known {
  if (!isRecord(spec)) refuse(name, "describe its values, as rows are described", spec);
  const known = spec as unknown as Known;
  if (!TYPES.includes(known.type)) {
    refuse(`${name}.type`, `be one of ${TYPES.join(", ")}`, known.type);
  }
  if (isNumeric(known)) {
    const { min, max } = known;
    if (!(Number.isFinite(min) && Number.isFinite(max) && min <= max)) {
      refuse(name, "have min and max, finite and in order", [min, max]);
    }
  }
  if (known.type === "category" && !(Array.isArray(known.values) && known.values.length > 0)) {
    refuse(name, "have values, at least one", known.values);
  }
  if (known.type === "text" || known.type === "vector" || known.type === "record") {
    requireRows("audit sessions", name, known);
  }
  return known;
}

function refuse(name: string, rule: string, value: unknown): never {
  const shown = JSON.stringify(value)?.slice(0, 80) ?? String(value);
  throw new RangeError(`Cannot audit sessions: ${name} must ${rule}: current value is ${shown}`);
}
