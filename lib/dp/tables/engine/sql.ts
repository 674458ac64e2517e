import { dayOf, numberOf } from "../../schema/cells.ts";
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

/** What a column of a table holds, as a database says: public, as its name is. */
export type SqlType = "text" | "integer" | "double" | "boolean" | "date" | "timestamp" | "other";

/** How a database writes what plans need. Texts are expressions of SQL. */
export interface Dialect {
  readonly name: string;
  /** The name of a column. */
  readonly column: (name: string) => string;
  readonly text: (value: string) => string;
  /** A double, to the last bit. */
  readonly double: (value: number) => string;
  /** A text as a double: NULL where it is none by the rule of cells, ±Infinity where it is too large. */
  readonly numberOfText: (text: string) => string;
  /** The day of a text, a date or a timestamp after 1 January 1970, as a double; NULL where there is none. */
  readonly dayOf: (cell: string, type: SqlType) => string;
  /** A double, or NULL where it is NaN. */
  readonly unlessNaN: (double: string) => string;
  /** A number or truth value as a double; as a text. */
  readonly asDouble: (cell: string) => string;
  readonly asText: (cell: string, type: SqlType) => string;
  /** A double without a fraction as a whole number of 64 bits. */
  readonly whole: (double: string) => string;
  /** The sum of whole numbers of 64 bits that cannot overflow. */
  readonly sum: (whole: string) => string;
  /** A pseudo-random whole number of expressions, which differs by key. */
  readonly hash: (parts: readonly string[], key: number) => string;
}

/** A table that plans are about. */
export interface SqlTable {
  /** What stands behind FROM. */
  readonly source: string;
  readonly types: ReadonlyMap<string, SqlType>;
}

/** Key tables: where a dialect keeps texts and places; in it, or by name. */
export interface KeyTable {
  readonly name: string;
  readonly columns: readonly ["k", "p"];
  readonly type: "text" | "double";
  readonly rows: readonly (readonly [key: string | number, place: number])[];
}

/** A plan as one query, and the key tables that it reads. */
export interface PlannedQuery {
  readonly query: string;
  readonly keys: readonly KeyTable[];
}

/** Writes a plan as a query: a row for each group (`g`) with a whole number for each measure (`m0`, …), for each cell (`g`, `c`, `n`), for each text (`k`, `n`), or for each person and text (`i`, `k`). */
export function queryOf(
  plan: Plan,
  { table, dialect, place }: {
    readonly table: SqlTable;
    readonly dialect: Dialect;
    /** How a key table is named in the query. */
    readonly place: (keys: KeyTable) => string;
  },
): PlannedQuery {
  return new QueryWriter(plan, table, dialect).write(place);
}

class QueryWriter {
  readonly #plan: Plan;
  readonly #table: SqlTable;
  readonly #dialect: Dialect;
  readonly #keys: KeyTable[] = [];

  constructor(plan: Plan, table: SqlTable, dialect: Dialect) {
    this.#plan = plan;
    this.#table = table;
    this.#dialect = dialect;
  }

  /** Columns that are computed of a row once, and named. */
  readonly #named: string[] = [];

  #name(prefix: string, expression: string): string {
    const name = `${prefix}${this.#named.length}`;
    this.#named.push(`${expression} AS ${name}`);
    return `a.${name}`;
  }

  write(place: (keys: KeyTable) => string): PlannedQuery {
    const { wanted, persons, clipped, where, parts } = this.#plan;
    const joins: string[] = [];
    const group = this.#group(
      parts,
      (keys, key) => joins.push(`LEFT JOIN ${place(keys)} ON ${keys.name}.k = ${key}`),
    );
    const value = clipped === undefined ? undefined : this.#clipped(clipped);
    const isOpen = wanted.kind === "units" || wanted.kind === "distinct";
    const open = isOpen ? this.#name("t", this.#key(wanted.cell).sql) : undefined;
    const person = persons === undefined
      ? undefined
      : this.#name("i", this.#key({ column: persons.column }).sql);
    const conditions = where.map((condition) => this.#condition(condition));
    const cells = `SELECT ${this.#named.join(", ") || "1 AS one"} FROM ${this.#table.source}${
      conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`
    }`;
    const columns = [
      `${open ?? group} AS g`,
      ...(value === undefined ? [] : [`${value} AS v`]),
      ...(person === undefined ? [] : [`${person} AS i`]),
    ];
    const rows = `SELECT ${columns.join(", ")} FROM (${cells}) AS a${
      joins.map((join) => ` ${join}`).join("")
    }`;
    const counted = [
      "g IS NOT NULL",
      ...(value === undefined ? [] : ["v IS NOT NULL"]),
      ...(person === undefined ? [] : ["i IS NOT NULL"]),
    ];
    const r = `SELECT * FROM (${rows}) AS c WHERE ${counted.join(" AND ")}`;
    return { query: this.#answer(r), keys: this.#keys };
  }

  #answer(r: string): string {
    const { wanted, persons } = this.#plan;
    if (wanted.kind === "distinct") {
      return persons === undefined
        ? `SELECT count(DISTINCT g) AS n FROM (${r}) AS r`
        : `SELECT DISTINCT i, g AS k FROM (${r}) AS r`;
    }
    const bounded = persons === undefined ? r : this.#bounded(r);
    switch (wanted.kind) {
      case "totals": {
        const measures = wanted.measures.map(({ steps }, i) =>
          `${
            steps === undefined ? "count(*)" : this.#dialect.sum(this.#steps(steps, "v"))
          } AS m${i}`
        );
        return `SELECT g, ${measures.join(", ")} FROM (${bounded}) AS b GROUP BY g`;
      }
      case "cells": {
        const { unit, first } = wanted;
        const cell = this.#rounded("v", { granularity: unit, origin: first });
        return `SELECT g, ${cell} AS c, count(*) AS n FROM (${bounded}) AS b GROUP BY 1, 2`;
      }
      case "units":
        return `SELECT g AS k, count(*) AS n FROM (${bounded}) AS b GROUP BY g`;
    }
  }

  /** Rows of persons, so many groups of each and so many rows in each: those of the smallest hashes. Rows of a person that are alike have hashes by their number. */
  #bounded(r: string): string {
    const { bounds: { groups, rows }, key } = this.#plan.persons!, { hash } = this.#dialect;
    const isUnits = this.#plan.wanted.kind === "units";
    const ofGroup = hash(["i", "g"], key);
    const kept =
      `SELECT i, g FROM (SELECT i, g, row_number() OVER (PARTITION BY i ORDER BY ${ofGroup}, g) AS k FROM (SELECT DISTINCT i, g FROM r) AS d) AS f WHERE k <= ${groups}`;
    if (isUnits) return `WITH r AS (${r}) ${kept}`;
    const hasValue = this.#plan.clipped !== undefined;
    const v = hasValue ? ", r.v" : "";
    const like =
      `SELECT r.i, r.g${v}, row_number() OVER (PARTITION BY r.i, r.g${v} ORDER BY r.i) AS o FROM r JOIN kept ON kept.i = r.i AND kept.g = r.g`;
    const ofRow = hash(["i", "g", ...(hasValue ? ["v"] : []), "o"], key ^ 0x5bd1e995);
    const ranked = `SELECT g${
      hasValue ? ", v" : ""
    }, row_number() OVER (PARTITION BY i, g ORDER BY ${ofRow}, ${
      hasValue ? "v, " : ""
    }o) AS m FROM (${like}) AS l`;
    return `WITH r AS (${r}), kept AS (${kept}) SELECT * FROM (${ranked}) AS q WHERE m <= ${rows}`;
  }

  #steps({ lower, upper, granularity, origin, middle }: StepsOfValue, v: string): string {
    const { double } = this.#dialect;
    const x = middle === undefined
      ? v
      : `((${v} - ${double(middle)}) * (${v} - ${double(middle)}))`;
    const within = `CASE WHEN ${x} < ${double(lower)} THEN ${double(lower)} WHEN ${x} > ${
      double(upper)
    } THEN ${double(upper)} ELSE ${x} END`;
    return this.#rounded(`(${within})`, { granularity, origin });
  }

  #rounded(
    x: string,
    { granularity, origin }: { readonly granularity: number; readonly origin: number },
  ): string {
    const { double, whole } = this.#dialect;
    return `(${whole(`floor(${x} / ${double(granularity)} + ${double(0.5)})`)} - (${origin}))`;
  }

  #clipped({ value, lower, upper }: Clipped): string {
    const x = this.#name("x", this.#number(value)), { double } = this.#dialect;
    return `(CASE WHEN ${x} < ${double(lower)} THEN ${double(lower)} WHEN ${x} > ${
      double(upper)
    } THEN ${double(upper)} ELSE ${x} END)`;
  }

  /** A double; NULL where it is missing or NaN. */
  #number(value: NumberOfRow): string {
    const { double, unlessNaN } = this.#dialect;
    switch (value.kind) {
      case "constant":
        return double(value.value);
      case "or else":
        return `coalesce(${this.#number(value.value)}, ${double(value.missing)})`;
      case "apply": {
        const left = this.#number(value.left), right = this.#number(value.right);
        const divisor = value.operator === "/" ? `nullif(${right}, ${double(0)})` : right;
        return unlessNaN(`(${left} ${value.operator} ${divisor})`);
      }
      case "cell":
        return this.#numberOfCell(value.cell, value.days);
    }
  }

  #numberOfCell({ column, lookup }: Cell, days: boolean): string {
    if (lookup !== undefined) {
      const numbers = lookup.cells.map(days ? dayOf : numberOf);
      return this.#lookup(column, lookup.keys, { type: "double", values: numbers });
    }
    const { column: quoted, asDouble, numberOfText, unlessNaN } = this.#dialect;
    const cell = quoted(column);
    const type = this.#typeOf(column);
    if (days) return this.#dialect.dayOf(cell, type);
    switch (type) {
      case "text":
        return numberOfText(cell);
      case "integer":
        return asDouble(cell);
      case "double":
        return unlessNaN(asDouble(cell));
      default:
        return asDouble("NULL");
    }
  }

  #typeOf(column: string): SqlType {
    return this.#table.types.get(column) ?? "other";
  }

  /** A cell as a key: a text, or a double where the column has these; NULL where it is missing. */
  #key({ column, lookup }: Cell): { readonly sql: string; readonly type: "text" | "double" } {
    if (lookup !== undefined) {
      const values = lookup.cells.map((cell) => cell === undefined ? undefined : String(cell));
      return { sql: this.#lookup(column, lookup.keys, { type: "text", values }), type: "text" };
    }
    const cell = this.#dialect.column(column), type = this.#typeOf(column);
    switch (type) {
      case "double":
        // −0 and 0 are one key.
        return {
          sql: `(${this.#dialect.asDouble(cell)} + ${this.#dialect.double(0)})`,
          type: "double",
        };
      case "text":
      case "integer":
      case "boolean":
        return { sql: this.#dialect.asText(cell, type), type: "text" };
      default:
        return { sql: this.#dialect.asText("NULL", "text"), type: "text" };
    }
  }

  #lookup(
    column: string,
    keys: readonly string[],
    { type, values }: {
      readonly type: "text" | "double";
      readonly values: readonly (string | number | undefined)[];
    },
  ): string {
    const { sql, type: keyType } = this.#key({ column });
    const { text, double } = this.#dialect;
    const cases = keys.flatMap((key, i) => {
      const value = values[i], matched = this.#literal(key, keyType);
      if (value === undefined || Number.isNaN(value) || matched === undefined) return [];
      return [
        `WHEN ${matched} THEN ${type === "text" ? text(value as string) : double(value as number)}`,
      ];
    });
    return cases.length === 0
      ? (type === "text" ? this.#dialect.asText("NULL", "text") : this.#dialect.asDouble("NULL"))
      : `(CASE ${sql} ${cases.join(" ")} END)`;
  }

  /** A text as a key of a column; `undefined` where no cell of it has that text. */
  #literal(text: string, type: "text" | "double"): string | undefined {
    if (type === "text") return this.#dialect.text(text);
    const number = Number(text);
    return String(number) === text ? this.#dialect.double(number) : undefined;
  }

  #group(
    parts: Plan["parts"],
    join: (keys: KeyTable, key: string) => void,
  ): string {
    let group = "0";
    for (const part of parts) {
      const place = part.kind === "bins" ? this.#bin(part) : this.#value(part, join);
      group = parts.length === 1 ? place : `(${group} * ${sizeOf(part)} + ${place})`;
    }
    return group;
  }

  #value(
    { cell, texts, missing, unseen }: KeyPart & { readonly kind: "values" },
    join: (keys: KeyTable, key: string) => void,
  ): string {
    const { sql, type } = this.#key(cell), key = this.#name("k", sql);
    const rows = texts.flatMap((text, place): [string | number, number][] => {
      if (type === "text") return [[text, place]];
      return String(Number(text)) === text ? [[Number(text), place]] : [];
    });
    const keys: KeyTable = { name: `keys${this.#keys.length}`, columns: ["k", "p"], type, rows };
    this.#keys.push(keys);
    join(keys, key);
    const found = `${keys.name}.p`;
    if (missing < 0 && unseen < 0) return found;
    const or = (at: number): string => at < 0 ? "NULL" : String(at);
    return `(CASE WHEN ${key} IS NULL THEN ${or(missing)} WHEN ${found} IS NULL THEN ${
      or(unseen)
    } ELSE ${found} END)`;
  }

  #bin({ clipped, edges }: KeyPart & { readonly kind: "bins" }): string {
    const x = this.#name("x", this.#number(clipped.value)),
      { double } = this.#dialect,
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
      between(0, last)
    } END)`;
  }

  #condition(condition: Condition): string {
    switch (condition.kind) {
      case "compare": {
        const { operator, left, right } = condition;
        return `coalesce(${this.#number(left)} ${operator === "!=" ? "<>" : operator} ${
          this.#number(right)
        }, FALSE)`;
      }
      case "one of": {
        const { sql, type } = this.#key(condition.cell);
        const texts = condition.texts.map((text) => this.#literal(text, type)).filter((text) =>
          text !== undefined
        );
        return texts.length === 0 ? "(1 = 0)" : `coalesce(${sql} IN (${texts.join(", ")}), FALSE)`;
      }
      case "odd":
        return "cell" in condition
          ? `(${this.#key(condition.cell).sql} IS NULL)`
          : `(${this.#number(condition.value)} IS NULL)`;
      case "not":
        return `(NOT ${this.#condition(condition.part)})`;
      default: {
        const word = condition.kind === "and" ? " AND " : " OR ";
        return `(${condition.parts.map((part) => this.#condition(part)).join(word)})`;
      }
    }
  }
}
