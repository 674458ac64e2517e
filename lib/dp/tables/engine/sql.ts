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
export type SqlType =
  | "text"
  | "integer"
  /** Whole numbers that may be beyond 64 bits with a sign. */
  | "wide integer"
  | "decimal"
  | "double"
  | "boolean"
  | "date"
  | "timestamp"
  | "other";

/** Dialect of a database for what plans need. Texts are expressions of SQL. */
export interface Dialect {
  readonly name: string;
  /** The name of a column. */
  readonly column: (name: string) => string;
  readonly text: (value: string) => string;
  /** Whether a cell can be this text. */
  readonly canHold: (text: string) => boolean;
  /** A double, to the last bit. */
  readonly double: (value: number) => string;
  /** A text as a double: NULL where it is none by the rule of cells, ±Infinity where it is too large. */
  readonly numberOfText: (text: string) => string;
  /** The day of a text, a date or a timestamp after 1 January 1970, as a double; NULL where there is none. */
  readonly dayOf: (cell: string, type: SqlType) => string;
  /** A double, or NULL where it is NaN. */
  readonly unlessNaN: (double: string) => string;
  /** A number or truth value as a double; as a text. */
  readonly asDouble: (cell: string, type: SqlType) => string;
  readonly asText: (cell: string, type: SqlType) => string;
  /** A double without a fraction as a whole number of 64 bits. */
  readonly whole: (double: string) => string;
  /** The sum of whole numbers of 64 bits, which cannot overflow; the sum of such sums. */
  readonly sum: (whole: string) => string;
  readonly sumOfSums: (sum: string) => string;
  /** What doubles give by IEEE 754, or NULL for NaN: no row makes an error. */
  readonly apply: (operator: "+" | "-" | "*" | "/", left: string, right: string) => string;
  /** A double divided by a public number, and the square of one that is within ±2⁴⁰¹; those that round to no step may be 0. */
  readonly quotient: (double: string, divisor: number) => string;
  readonly square: (double: string) => string;
  /** A value as windows are divided by it. */
  readonly alike: (value: string) => string;
  /** Whether columns of whole numbers are keys and persons as they are, and not as texts. */
  readonly keepsIntegers?: boolean;
  /** A pseudo-random whole number of expressions, which differs by key. */
  readonly hash: (parts: readonly string[], key: number) => string;
}

/** A name of a column or table, as standard SQL quotes it. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A table that plans are about. */
export interface SqlTable {
  /** What stands behind FROM. */
  readonly source: string;
  readonly types: ReadonlyMap<string, SqlType>;
}

/** Listed keys (`k`) and their places (`p`). */
export interface KeyTable {
  readonly name: string;
  readonly type: "text" | "double" | "integer";
  readonly rows: readonly (readonly [key: string | number | bigint, place: number])[];
}

/** A plan as one query, and the key tables that it reads. */
export interface PlannedQuery {
  readonly query: string;
  readonly keys: readonly KeyTable[];
}

/** Writes a plan as a query: a row for each group (`g`) with a whole number for each measure (`m0`, …), for each cell (`g`, `c`, `m0`), for each text (`k`, `n`), or for each person and text (`i`, `k`). */
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
    const names = [...table.types.keys()].map((name) => name.toLowerCase());
    while (names.some((name) => name.startsWith(this.#prefix))) this.#prefix += "_";
  }

  /** Begins the names of what is computed of a row: no column has one, or it might be read in its place. */
  #prefix = "dp_";

  /** Columns that are computed of a row once, and named. */
  readonly #named: string[] = [];

  #name(prefix: string, expression: string): string {
    const name = `${this.#prefix}${prefix}${this.#named.length}`;
    this.#named.push(`${expression} AS ${name}`);
    return `a.${name}`;
  }

  write(place: (keys: KeyTable) => string): PlannedQuery {
    const { wanted, persons, clipped, where, parts } = this.#plan;
    const isOpen = wanted.kind === "units" || wanted.kind === "distinct";
    const open = isOpen ? this.#name("t", this.#key(wanted.cell).sql) : undefined;
    const placed = parts.map((part) => this.#part(part));
    const value = clipped === undefined ? undefined : this.#clipped(clipped);
    const person = persons && this.#name("i", this.#person(persons.column));
    const conditions = where.map((condition) => this.#condition(condition));
    const cells = `SELECT ${this.#named.join(", ") || "1 AS one"} FROM ${this.#table.source}${
      conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`
    }`;
    const isListed = this.#keys.length > 0;
    const columns: readonly (readonly [name: string, sql: string, isNeeded: boolean])[] = [
      ...(isListed
        ? placed.map(({ sql, keys }, i) => [`q${i}`, sql, keys === undefined] as const)
        : [["g", open ?? groupOf(parts, placed.map(({ sql }) => sql)), true] as const]),
      ...(value === undefined ? [] : [["v", value, true] as const]),
      ...(person === undefined ? [] : [["i", person, true] as const]),
    ];
    const r = havingAll(
      `SELECT ${columns.map(([name, sql]) => `${sql} AS ${name}`).join(", ")} FROM (${cells}) AS a`,
      columns.flatMap(([name, , isNeeded]) => isNeeded ? [`${name} IS NOT NULL`] : []),
    );
    if (!isListed) return { query: this.#answer(r), keys: this.#keys };
    /** Puts the numbers of groups in place of keys that are looked up. */
    const listed = (rows: string, more: readonly string[]): string => {
      const joins = placed.map(({ keys }, i) =>
        keys === undefined ? "" : ` LEFT JOIN ${place(keys)} ON ${keys.name}.k = s.q${i}`
      );
      const group = groupOf(parts, placed.map(({ found }, i) => found(`s.q${i}`)));
      const select = [`${group} AS g`, ...more.map((name) => `s.${name}`)].join(", ");
      return havingAll(`SELECT ${select} FROM (${rows}) AS s${joins.join("")}`, ["g IS NOT NULL"]);
    };
    if (persons !== undefined) {
      const rows = listed(r, [...(value === undefined ? [] : ["v"]), "i"]);
      return { query: this.#answer(rows), keys: this.#keys };
    }
    // Rows are grouped by keys first: there are fewer groups to look up than rows.
    const { by, found } = this.#measures(), own = placed.map((_, i) => `q${i}`);
    const grouped = `SELECT ${
      [...own, ...by.map((sql) => `${sql} AS c`), ...found].join(", ")
    } FROM (${r}) AS b GROUP BY ${[...own, ...by.map(() => "c")].join(", ")}`;
    const names = [...by.map(() => "c"), ...found.map((_, i) => `m${i}`)];
    const sums = found.map((_, i) => `${this.#dialect.sumOfSums(`m${i}`)} AS m${i}`);
    const keys = ["g", ...by.map(() => "c")].join(", ");
    return {
      query: `SELECT ${keys}, ${sums.join(", ")} FROM (${
        listed(grouped, names)
      }) AS d GROUP BY ${keys}`,
      keys: this.#keys,
    };
  }

  /** What is added up of rows with values `v`, and in which cells of a grid. */
  #measures(): { readonly by: readonly string[]; readonly found: readonly string[] } {
    const { wanted } = this.#plan;
    if (wanted.kind === "cells") {
      const { unit, first } = wanted;
      return {
        by: [this.#rounded("v", { granularity: unit, origin: first })],
        found: ["count(*) AS m0"],
      };
    }
    const measures = wanted.kind === "totals" ? wanted.measures : [];
    return {
      by: [],
      found: measures.map(({ steps }, i) =>
        `${steps === undefined ? "count(*)" : this.#dialect.sum(this.#steps(steps, "v"))} AS m${i}`
      ),
    };
  }

  #answer(r: string): string {
    const { wanted, persons } = this.#plan;
    if (wanted.kind === "distinct") {
      return persons === undefined
        ? `SELECT count(DISTINCT g) AS n FROM (${r}) AS r`
        : `SELECT DISTINCT i, g AS k FROM (${r}) AS r`;
    }
    const bounded = persons === undefined ? r : this.#bounded(r);
    if (wanted.kind === "units") {
      return `SELECT g AS k, count(*) AS n FROM (${bounded}) AS b GROUP BY g`;
    }
    const { by, found } = this.#measures(), columns = ["g", ...by.map((sql) => `${sql} AS c`)];
    return `SELECT ${[...columns, ...found].join(", ")} FROM (${bounded}) AS b GROUP BY ${
      columns.map((_, i) => i + 1).join(", ")
    }`;
  }

  /** Rows of persons, so many groups of each and so many rows in each: those of the smallest hashes. Rows of a person that are alike have hashes by their number. */
  #bounded(r: string): string {
    const { bounds: { groups, rows }, key } = this.#plan.persons!, { hash, alike } = this.#dialect;
    const isUnits = this.#plan.wanted.kind === "units";
    const ofGroup = hash(["i", "g"], key);
    const kept = `SELECT i, g FROM (SELECT i, g, row_number() OVER (PARTITION BY ${
      alike("i")
    } ORDER BY ${ofGroup}, g) AS k FROM (SELECT DISTINCT i, g FROM r) AS d) AS f WHERE k <= ${groups}`;
    if (isUnits) return `WITH r AS (${r}) ${kept}`;
    const hasValue = this.#plan.clipped !== undefined;
    const v = hasValue ? ", r.v" : "";
    const by = ["r.i", "r.g", ...(hasValue ? ["r.v"] : [])].map(alike);
    const like = `SELECT r.i, r.g${v}, row_number() OVER (PARTITION BY ${
      by.join(", ")
    } ORDER BY r.i) AS o FROM r JOIN kept ON kept.i = r.i AND kept.g = r.g`;
    const ofRow = hash(["i", "g", ...(hasValue ? ["v"] : []), "o"], key ^ 0x5bd1e995);
    const ranked = `SELECT g${hasValue ? ", v" : ""}, row_number() OVER (PARTITION BY ${
      alike("i")
    }, ${alike("g")} ORDER BY ${ofRow}, ${hasValue ? "v, " : ""}o) AS m FROM (${like}) AS l`;
    return `WITH r AS (${r}), kept AS (${kept}) SELECT * FROM (${ranked}) AS q WHERE m <= ${rows}`;
  }

  #steps({ lower, upper, granularity, origin, middle }: StepsOfValue, v: string): string {
    const { double } = this.#dialect;
    const x = middle === undefined ? v : this.#dialect.square(`(${v} - ${double(middle)})`);
    const own = this.#plan.clipped!;
    // Numbers are within the limits of the plan, and mostly these are the same.
    if (middle === undefined && lower <= own.lower && upper >= own.upper) {
      return this.#rounded(x, { granularity, origin });
    }
    const within = `CASE WHEN ${x} < ${double(lower)} THEN ${double(lower)} WHEN ${x} > ${
      double(upper)
    } THEN ${double(upper)} ELSE ${x} END`;
    return this.#rounded(`(${within})`, { granularity, origin });
  }

  #rounded(
    x: string,
    { granularity, origin }: { readonly granularity: number; readonly origin: number },
  ): string {
    const { double, whole, quotient } = this.#dialect;
    return `(${whole(`floor(${quotient(x, granularity)} + ${double(0.5)})`)} - (${origin}))`;
  }

  /** NULL where there is no number. Most are within the limits, and NaN is in no database below infinity. */
  #clipped({ value, lower, upper }: Clipped): string {
    const x = this.#name("x", this.#number(value, "or NaN")), { double } = this.#dialect;
    const least = double(lower), most = double(upper);
    return `(CASE WHEN ${x} BETWEEN ${least} AND ${most} THEN ${x} WHEN ${x} < ${least} THEN ${least} WHEN ${x} <= ${
      double(Infinity)
    } THEN ${most} END)`;
  }

  /** A double; NULL where it is missing or NaN, which a cell may also give as such. */
  #number(value: NumberOfRow, odd: "or NaN" | "as NULL" = "as NULL"): string {
    const { double } = this.#dialect;
    switch (value.kind) {
      case "constant":
        return double(value.value);
      case "or else":
        return `coalesce(${this.#number(value.value)}, ${double(value.missing)})`;
      case "apply": {
        const left = this.#number(value.left), right = this.#number(value.right);
        const divisor = value.operator === "/" ? `nullif(${right}, ${double(0)})` : right;
        return this.#dialect.apply(value.operator, left, divisor);
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
    const { column: quoted, asDouble, numberOfText, unlessNaN } = this.#dialect;
    const cell = quoted(column);
    const type = this.#typeOf(column);
    if (days) return this.#dialect.dayOf(cell, type);
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
      case "decimal":
      case "double":
        // −0 and 0 are one key.
        return {
          sql: `(${this.#dialect.asDouble(cell, type)} + ${this.#dialect.double(0)})`,
          type: "double",
        };
      case "text":
      case "integer":
      case "wide integer":
      case "boolean":
        return { sql: this.#dialect.asText(cell, type), type: "text" };
      default:
        return { sql: this.#dialect.asText("NULL", "text"), type: "text" };
    }
  }

  /** Who a row is of. Decimals are told apart by all of their digits, as no double can. */
  #person(column: string): string {
    const type = this.#typeOf(column);
    if (type.endsWith("integer") && this.#dialect.keepsIntegers) {
      return this.#dialect.column(column);
    }
    return type === "decimal"
      ? this.#dialect.asText(this.#dialect.column(column), type)
      : this.#key({ column }).sql;
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
    const { double } = this.#dialect;
    const cases = keys.flatMap((key, i) => {
      const value = values[i], matched = this.#literal(key, keyType);
      if (value === undefined || Number.isNaN(value) || matched === undefined) return [];
      return [
        `WHEN ${matched} THEN ${
          type === "text" ? this.#text(value as string) : double(value as number)
        }`,
      ];
    });
    return cases.length === 0
      ? (type === "text"
        ? this.#dialect.asText("NULL", "text")
        : this.#dialect.asDouble("NULL", "double"))
      : `(CASE ${sql} ${cases.join(" ")} END)`;
  }

  /** A listed text as a key of a column; `undefined` where no cell of it has that text. */
  #keyOf(text: string, type: "text" | "double"): string | number | undefined {
    if (type === "text") return this.#dialect.canHold(text) ? text : undefined;
    return String(Number(text)) === text ? Number(text) : undefined;
  }

  #literal(text: string, type: "text" | "double"): string | undefined {
    const key = this.#keyOf(text, type), { double } = this.#dialect;
    return typeof key === "number" ? double(key) : key === undefined ? key : this.#text(key);
  }

  /** @throws {RangeError} where a public text cannot be one of this database. */
  #text(text: string): string {
    if (this.#dialect.canHold(text)) return this.#dialect.text(text);
    throw new RangeError(
      `Cannot ask ${this.#dialect.name}: texts of public tables must be well-formed, and of characters that it can hold: current length is ${text.length}`,
    );
  }

  #part(part: KeyPart): Placed {
    if (part.kind === "bins") return { sql: this.#bin(part), keys: undefined, found: (key) => key };
    const { cell, texts, missing, unseen } = part;
    const isInteger = cell.lookup === undefined && this.#typeOf(cell.column) === "integer" &&
      this.#dialect.keepsIntegers === true;
    const { sql, type } = isInteger
      ? { sql: this.#dialect.column(cell.column), type: "integer" as const }
      : this.#key(cell);
    const rows = texts.flatMap((text, place): [string | number | bigint, number][] => {
      const key = type === "integer" ? integerOf(text) : this.#keyOf(text, type);
      return key === undefined ? [] : [[key, place]];
    });
    const keys: KeyTable = { name: `keys${this.#keys.length}`, type, rows };
    this.#keys.push(keys);
    const or = (at: number): string => at < 0 ? "NULL" : String(at);
    return {
      sql: this.#name("k", sql),
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
      case "missing":
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

/** The whole number of 64 bits that has this text; `undefined` where none has it. */
function integerOf(text: string): bigint | undefined {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) return undefined;
  const whole = BigInt(text);
  return BigInt.asIntN(64, whole) === whole ? whole : undefined;
}

/** A part of a key as it is found in rows. */
interface Placed {
  /** The place of a bin, or the key. */
  readonly sql: string;
  /** Where the key is looked up. */
  readonly keys: KeyTable | undefined;
  /** The place, of the key. */
  readonly found: (key: string) => string;
}

/** The number of a group, of the places of its parts. */
function groupOf(parts: Plan["parts"], places: readonly string[]): string {
  return places.reduce(
    (group, place, i) => i === 0 ? place : `(${group} * ${sizeOf(parts[i]!)} + ${place})`,
    "0",
  );
}

function havingAll(rows: string, conditions: readonly string[]): string {
  return conditions.length === 0
    ? rows
    : `SELECT * FROM (${rows}) AS c WHERE ${conditions.join(" AND ")}`;
}
