import { dayOf, numberOf } from "../../schema/cells.ts";
import type { KeyTable, RowDialect, SqlTable, SqlType } from "./dialect.ts";
import {
  type Cell,
  type Clipped,
  type Condition,
  type KeyPart,
  type NumberOfRow,
  type Plan,
  sizeOf,
  type StepsOfValue,
} from "./plan.ts";

/** Writes what a plan computes of a row. */
export class RowWriter {
  readonly dialect: RowDialect;
  /** Key tables that were needed so far. */
  readonly keys: KeyTable[] = [];
  /** Begins the names of what is computed of a row: no column has one, or it might be read in its place. */
  readonly prefix: string;
  /** Columns that are computed of a row once, and named. */
  readonly named: { readonly name: string; readonly sql: string }[] = [];
  readonly #plan: Plan;
  readonly #table: SqlTable;
  /** How a query names them. */
  readonly #reference: (name: string) => string;

  constructor(
    plan: Plan,
    { table, dialect, reference }: {
      readonly table: SqlTable;
      readonly dialect: RowDialect;
      readonly reference: (name: string) => string;
    },
  ) {
    this.#plan = plan;
    this.#table = table;
    this.dialect = dialect;
    this.#reference = reference;
    const names = [...table.types.keys()].map((name) => name.toLowerCase());
    let prefix = "dp_";
    while (names.some((name) => name.startsWith(prefix))) prefix += "_";
    this.prefix = prefix;
  }

  /** Names an expression, and refers to it. */
  name(prefix: string, sql: string): string {
    const name = `${this.prefix}${prefix}${this.named.length}`;
    this.named.push({ name, sql });
    return this.#reference(name);
  }

  /** Whole steps of a value, as a double. */
  steps({ lower, upper, granularity, origin, middle }: StepsOfValue, v: string): string {
    const { double } = this.dialect;
    const x = middle === undefined ? v : this.dialect.square(`(${v} - ${double(middle)})`);
    const own = this.#plan.clipped!;
    // Numbers are within the limits of the plan, and mostly these are the same.
    if (middle === undefined && lower <= own.lower && upper >= own.upper) {
      return this.rounded(x, { granularity, origin });
    }
    const within = `CASE WHEN ${x} < ${double(lower)} THEN ${double(lower)} WHEN ${x} > ${
      double(upper)
    } THEN ${double(upper)} ELSE ${x} END`;
    return this.rounded(`(${within})`, { granularity, origin });
  }

  rounded(
    x: string,
    { granularity, origin }: { readonly granularity: number; readonly origin: number },
  ): string {
    const { double, quotient } = this.dialect;
    return `(floor(${quotient(x, granularity)} + ${double(0.5)}) - ${double(origin)})`;
  }

  /** A number within its limits, and whether there is one: without one the value is any. */
  clipped({ value, lower, upper }: Clipped): { readonly value: string; readonly isThere: string } {
    const x = this.name("x", this.#number(value, "or NaN")), { double } = this.dialect;
    return {
      value: `least(greatest(${x}, ${double(lower)}), ${double(upper)})`,
      isThere: this.dialect.isNumber?.(x) ?? `${x} <= ${double(Infinity)}`,
    };
  }

  /** A double; NULL where it is missing or NaN, which a cell may also give as such. */
  #number(value: NumberOfRow, odd: "or NaN" | "as NULL" = "as NULL"): string {
    const { double } = this.dialect;
    switch (value.kind) {
      case "constant":
        return double(value.value);
      case "or else":
        return this.dialect.missing === undefined
          ? `coalesce(${this.#number(value.value)}, ${double(value.missing)})`
          : this.dialect.missing.orElse(
            this.name("d", this.#number(value.value)),
            double(value.missing),
          );
      case "apply": {
        const left = this.#number(value.left), right = this.#number(value.right);
        const divisor = value.operator === "/" ? this.#unlessZero(right) : right;
        return this.dialect.apply(value.operator, left, divisor);
      }
      case "cell":
        return this.#numberOfCell(value.cell, value.days, odd);
    }
  }

  #numberOfCell({ column, lookup }: Cell, days: boolean, odd: "or NaN" | "as NULL"): string {
    if (lookup !== undefined) {
      const numbers = lookup.cells.map(days ? dayOf : numberOf);
      return this.#lookup(column, lookup.keys, { type: "double", values: numbers });
    }
    const { column: quoted, asDouble, numberOfText, unlessNaN } = this.dialect;
    const cell = quoted(column);
    const type = this.#typeOf(column);
    if (days) return this.dialect.dayOf(cell, type);
    switch (type) {
      case "text":
        return numberOfText(cell);
      case "integer":
      case "wide integer":
        return asDouble(cell, type);
      case "decimal":
      case "double": {
        const double = asDouble(cell, type);
        return odd === "or NaN" ? double : unlessNaN(double);
      }
      default:
        return asDouble("NULL", "double");
    }
  }

  #unlessZero(value: string): string {
    // It is named, for it is read more than once.
    return this.dialect.missing?.unlessZero(this.name("d", value)) ??
      `nullif(${value}, ${this.dialect.double(0)})`;
  }

  #typeOf(column: string): SqlType {
    return this.#table.types.get(column) ?? "other";
  }

  /** A cell as a key: a text, or a double where the column has these; NULL where it is missing. */
  key({ column, lookup }: Cell): { readonly sql: string; readonly type: "text" | "double" } {
    if (lookup !== undefined) {
      const values = lookup.cells.map((cell) => cell === undefined ? undefined : String(cell));
      return { sql: this.#lookup(column, lookup.keys, { type: "text", values }), type: "text" };
    }
    const cell = this.dialect.column(column), type = this.#typeOf(column);
    switch (type) {
      case "decimal":
      case "double":
        // −0 and 0 are one key.
        return { sql: this.#doubleKey(cell, type), type: "double" };
      case "text":
      case "integer":
      case "wide integer":
      case "boolean":
        return { sql: this.dialect.asText(cell, type), type: "text" };
      default:
        return { sql: this.dialect.asText("NULL", "text"), type: "text" };
    }
  }

  #doubleKey(cell: string, type: SqlType): string {
    const { asDouble, double, doubleKey } = this.dialect;
    return doubleKey?.of(cell) ?? `(${asDouble(cell, type)} + ${double(0)})`;
  }

  /** Who a row is of. Decimals are told apart by all of their digits, as no double can. */
  person(column: string): string {
    const type = this.#typeOf(column);
    if (type.endsWith("integer") && this.dialect.keepsIntegers) {
      return this.dialect.column(column);
    }
    return type === "decimal"
      ? this.dialect.asText(this.dialect.column(column), type)
      : this.key({ column }).sql;
  }

  #lookup(
    column: string,
    keys: readonly string[],
    { type, values }: {
      readonly type: "text" | "double";
      readonly values: readonly (string | number | undefined)[];
    },
  ): string {
    const { sql, type: keyType } = this.key({ column });
    const { double } = this.dialect;
    const cases = keys.flatMap((key, i): [string, string][] => {
      const value = values[i], matched = this.#literal(key, keyType);
      if (value === undefined || Number.isNaN(value) || matched === undefined) return [];
      return [[
        matched,
        type === "text" ? this.#text(value as string) : double(value as number),
      ]];
    });
    if (cases.length === 0) {
      return type === "text"
        ? this.dialect.asText("NULL", "text")
        : this.dialect.asDouble("NULL", "double");
    }
    return this.dialect.lookup?.(sql, cases, type) ??
      `(CASE ${sql} ${cases.map(([key, value]) => `WHEN ${key} THEN ${value}`).join(" ")} END)`;
  }

  /** A listed text as a key of a column; `undefined` where no cell of it has that text. */
  #keyOf(text: string, type: "text" | "double"): string | number | undefined {
    if (type === "text") return this.dialect.canHold(text) ? text : undefined;
    return String(Number(text)) === text ? Number(text) : undefined;
  }

  #literal(text: string, type: "text" | "double"): string | undefined {
    const key = this.#keyOf(text, type), { double, doubleKey } = this.dialect;
    return typeof key === "number"
      ? (doubleKey?.listed ?? double)(key)
      : key === undefined
      ? key
      : this.#text(key);
  }

  /** @throws {RangeError} where a public text cannot be one of this database. */
  #text(text: string): string {
    if (this.dialect.canHold(text)) return this.dialect.text(text);
    throw new RangeError(
      `Cannot ask ${this.dialect.name}: texts of public tables must be well-formed, and of characters that it can hold: current length is ${text.length}`,
    );
  }

  part(part: KeyPart): Placed {
    if (part.kind === "bins") return { sql: this.#bin(part), keys: undefined, found: (key) => key };
    const { cell, texts, missing, unseen } = part;
    const isInteger = cell.lookup === undefined && this.#typeOf(cell.column) === "integer" &&
      this.dialect.keepsIntegers === true;
    const { sql, type } = isInteger
      ? { sql: this.dialect.column(cell.column), type: "integer" as const }
      : this.key(cell);
    const rows = texts.flatMap((text, place): [string | number | bigint, number][] => {
      const key = type === "integer" ? integerOf(text) : this.#keyOf(text, type);
      return key === undefined ? [] : [[key, place]];
    });
    const keys: KeyTable = { name: `keys${this.keys.length}`, type, rows };
    this.keys.push(keys);
    const or = (at: number): string => at < 0 ? "NULL" : String(at);
    return {
      sql: this.name("k", sql),
      keys,
      found: (key) =>
        missing < 0 && unseen < 0
          ? `${keys.name}.p`
          : `(CASE WHEN ${key} IS NULL THEN ${or(missing)} WHEN ${keys.name}.p IS NULL THEN ${
            or(unseen)
          } ELSE ${keys.name}.p END)`,
    };
  }

  #bin({ clipped, edges }: KeyPart & { readonly kind: "bins" }): string {
    const x = this.name("x", this.#number(clipped.value)),
      { double } = this.dialect,
      last = edges.length - 1;
    const between = (from: number, to: number): string => {
      if (to - from <= 1) return String(from);
      const middle = (from + to) >>> 1;
      return `(CASE WHEN ${x} < ${double(edges[middle]!)} THEN ${between(from, middle)} ELSE ${
        between(middle, to)
      } END)`;
    };
    const { lower, upper } = clipped, first = edges[0]!, end = edges[last]!;
    // A number beyond the limits counts as they do.
    const placeOf = (number: number): string => {
      if (!(number >= first && number <= end)) return "NULL";
      return String(Math.min(last - 1, edges.findLastIndex((edge) => edge <= number)));
    };
    return `(CASE WHEN ${x} < ${double(lower)} THEN ${placeOf(lower)} WHEN ${x} > ${
      double(upper)
    } THEN ${placeOf(upper)} WHEN ${x} >= ${double(first)} AND ${x} <= ${double(end)} THEN ${
      this.dialect.placeAmong?.(x, edges.slice(0, last)) ?? between(0, last)
    } END)`;
  }

  condition(condition: Condition): string {
    switch (condition.kind) {
      case "compare": {
        const left = this.#number(condition.left), right = this.#number(condition.right);
        const { operator } = condition;
        if (this.dialect.missing === undefined) {
          return `coalesce(${left} ${operator === "!=" ? "<>" : operator} ${right}, FALSE)`;
        }
        return operator === "!="
          ? `(${left} < ${right} OR ${left} > ${right})`
          : `(${left} ${operator} ${right})`;
      }
      case "one of": {
        const { sql, type } = this.key(condition.cell);
        const texts = condition.texts.map((text) => this.#literal(text, type)).filter((text) =>
          text !== undefined
        );
        return texts.length === 0
          ? "(1 = 0)"
          : `coalesce(${sql} IN (${texts.join(", ")}), ${
            this.dialect.missing === undefined ? "FALSE" : "0"
          })`;
      }
      case "missing": {
        if ("cell" in condition) return `(${this.key(condition.cell).sql} IS NULL)`;
        const value = this.#number(condition.value);
        return this.dialect.missing?.isMissing(value) ?? `(${value} IS NULL)`;
      }
      case "not":
        return `(NOT ${this.condition(condition.part)})`;
      default: {
        const word = condition.kind === "and" ? " AND " : " OR ";
        return `(${condition.parts.map((part) => this.condition(part)).join(word)})`;
      }
    }
  }
}

/** The whole number of 64 bits that has this text; `undefined` where none has it. */
function integerOf(text: string): bigint | undefined {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) return undefined;
  const whole = BigInt(text);
  return BigInt.asIntN(64, whole) === whole ? whole : undefined;
}

/** A part of a key as it is found in rows. */
export interface Placed {
  /** The place of a bin, or the key. */
  readonly sql: string;
  /** Where the key is looked up. */
  readonly keys: KeyTable | undefined;
  /** The place, of the key. */
  readonly found: (key: string) => string;
}

/** The number of a group, of the places of its parts. */
export function groupOf(parts: Plan["parts"], places: readonly string[]): string {
  return places.reduce(
    (group, place, i) => i === 0 ? place : `(${group} * ${sizeOf(parts[i]!)} + ${place})`,
    "0",
  );
}
