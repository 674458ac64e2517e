import { clickhouseDialect } from "./clickhouse_dialect.ts";
import type { KeyTable, SqlTable } from "./dialect.ts";
import { mostSteps, type Plan, type StepsOfValue } from "./plan.ts";
import { groupOf, RowWriter } from "./row_sql.ts";

/** One of the servers that have a table, each of whose rows is on one of them. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** A plan as one query of ClickHouse. */
export interface ClickhouseQuery {
  readonly query: string;
  /** Whether keys (`k`) are texts by their bytes, in hexadecimal digits, or doubles by their bits. */
  readonly keys: "text" | "double";
}

/**
 * Writes a plan as a query of ClickHouse: a row for each group (`g`) with a whole number for each measure (`m0`, …), for each cell (`g`, `c`, `m0`), for each text (`k`, `n`), for each text of
 * rows (`k`), or for each person and text (`i`, `k`). All are texts, and each column is one list of them.
 *
 * The innermost part is one SELECT, which a Distributed table has each of its servers run. Persons count on the server to which their hash assigns them, and nowhere else: rows of theirs that
 * are elsewhere do not count, so that nobody contributes twice.
 */
export function clickhouseQueryOf(
  plan: Plan,
  { table, shard }: { readonly table: SqlTable; readonly shard: Shard },
): ClickhouseQuery {
  return new ClickhouseWriter(plan, table, shard).write();
}

class ClickhouseWriter {
  readonly #plan: Plan;
  readonly #source: string;
  readonly #shard: Shard;
  readonly #row: RowWriter;
  readonly #conditions: string[] = [];
  /** Parts of keys: of a row, and their place in a public list, where they have one. */
  readonly #keys: {
    readonly name: string;
    readonly key: string;
    readonly place: string | undefined;
  }[] = [];

  constructor(plan: Plan, table: SqlTable, shard: Shard) {
    this.#plan = plan;
    this.#source = table.source;
    this.#shard = shard;
    const dialect = clickhouseDialect;
    this.#row = new RowWriter(plan, { table, dialect, reference: (name) => name });
  }

  write(): ClickhouseQuery {
    const { wanted, persons, clipped, where, parts } = this.#plan, row = this.#row;
    const isOpen = wanted.kind === "units" || wanted.kind === "distinct";
    const open = isOpen ? row.key(wanted.cell) : undefined;
    const k = open && this.#present(row.name("t", open.sql));
    for (const part of parts) this.#part(part);
    const number = clipped && row.clipped(clipped), value = number && row.name("v", number.value);
    if (number !== undefined) this.#conditions.push(number.isThere);
    const person = persons && this.#present(row.name("i", row.person(persons.column)));
    this.#conditions.push(...where.map((condition) => row.condition(condition)));
    const { index, count } = this.#shard;
    if (person !== undefined && count > 1) {
      this.#conditions.push(`cityHash64(${person}) % ${count} = ${index}`);
    }
    const keys = open?.type ?? "text";
    const query = k !== undefined
      ? this.#ofTexts(k, person, keys)
      : person === undefined
      ? this.#ofRows(value)
      : this.#ofPersons(person, value);
    // Each column is one list: rows would be lists of their own.
    const lists = this.#columns().map((name) => `groupArray(${name}) AS ${name}`);
    return { query: `SELECT ${lists.join(", ")} FROM (${query})`, keys };
  }

  /** The names of what is answered. */
  #columns(): readonly string[] {
    const { wanted, persons } = this.#plan;
    switch (wanted.kind) {
      case "totals":
        return ["g", ...wanted.measures.map((_, i) => `m${i}`)];
      case "cells":
        return ["g", "c", "m0"];
      case "units":
        return ["k", "n"];
      case "distinct":
        return persons !== undefined ? ["i", "k"] : this.#shard.count > 1 ? ["k"] : ["n"];
    }
  }

  /** A part of a key, which is looked up when rows are grouped: there are fewer groups than rows. */
  #part(part: Plan["parts"][number]): void {
    const { sql, keys } = this.#row.part(part), name = `q${this.#keys.length}`;
    const key = keys === undefined ? this.#row.name("p", `ifNull(${sql}, -1)`) : sql;
    if (keys === undefined) this.#conditions.push(`${key} >= 0`);
    else if (part.kind === "values" && part.missing < 0) {
      this.#conditions.push(`${key} IS NOT NULL`);
    }
    this.#keys.push({
      name,
      key,
      place: keys &&
        placeOf(part, this.#own(name), { ...keys, isLiteral: this.#plan.persons !== undefined }),
    });
  }

  /** Rows without it do not count. */
  #present(name: string): string {
    this.#conditions.push(`${name} IS NOT NULL`);
    return `assumeNotNull(${name})`;
  }

  /** Selects of the rows that count. Aliases hide columns, so that they are all called as no column is. */
  #select(
    columns: Readonly<Record<string, string>>,
    more: { readonly distinct?: boolean; readonly by?: readonly string[] } = {},
  ): string {
    const named = this.#row.named.map(({ name, sql }) => `${sql} AS ${name}`);
    const selected = Object.entries(columns).map(([name, sql]) =>
      `${
        // A Distributed table does not find an alias of an alias.
        /^\w+$/.test(sql) ? `identity(${sql})` : sql} AS ${this.#own(name)}`
    );
    const { distinct = false, by = [] } = more;
    return `${named.length > 0 ? `WITH ${named.join(", ")} ` : ""}SELECT ${
      distinct ? "DISTINCT " : ""
    }${selected.join(", ")} FROM ${this.#source}${
      this.#conditions.length > 0 ? ` WHERE ${this.#conditions.join(" AND ")}` : ""
    }${by.length > 0 ? ` GROUP BY ${by.map((name) => this.#own(name)).join(", ")}` : ""}`;
  }

  #own(name: string): string {
    return `${this.#row.prefix}${name}`;
  }

  /** Questions whose groups are texts of rows. */
  #ofTexts(k: string, person: string | undefined, keys: "text" | "double"): string {
    const { wanted, persons } = this.#plan;
    const [own, i, g] = [this.#own("k"), this.#own("i"), this.#own("g")];
    const text = (name: string): string => keys === "double" ? `toString(${name})` : `hex(${name})`;
    if (wanted.kind === "units") {
      if (person === undefined) {
        return `SELECT ${text(own)} AS k, toString(${this.#own("n")}) AS n FROM (${
          this.#select({ k, n: "count()" }, { by: ["k"] })
        })`;
      }
      const kept = this.#kept(g, this.#select({ i: person, g: k }, { distinct: true }));
      return `SELECT ${text(g)} AS k, toString(count()) AS n FROM (${kept}) GROUP BY ${g}`;
    }
    if (persons !== undefined) {
      return `SELECT hex(toString(${i})) AS i, ${text(own)} AS k FROM (${
        this.#select({ i: person!, k }, { distinct: true })
      })`;
    }
    return this.#shard.count > 1
      ? `SELECT ${text(own)} AS k FROM (${this.#select({ k }, { distinct: true })})`
      : `SELECT toString(uniqExact(${own})) AS n FROM (${this.#select({ k })})`;
  }

  #ofRows(value: string | undefined): string {
    const { by, found } = this.#measures(value ?? "0"),
      own = [...Object.keys(by), ...Object.keys(found)];
    const keys = Object.fromEntries(this.#keys.map(({ name, key }) => [name, key]));
    // All rows are one group where there are no parts: a query without GROUP BY gives one row.
    const rows = this.#select({ ...keys, ...by, ...found }, {
      by: [...Object.keys(keys), ...Object.keys(by)],
    });
    return this.#answer(this.#inGroups(rows, own));
  }

  #ofPersons(person: string, value: string | undefined): string {
    const { bounds, key } = this.#plan.persons!, { hash } = clickhouseDialect;
    const [i, g, n, vs, all, v, x, o] = ["i", "g", "n", "vs", "all", "v", "x", "o"].map((name) =>
      this.#own(name)
    ) as [string, string, string, string, string, string, string, string];
    const keys = Object.fromEntries(this.#keys.map(({ name, key }) => [name, key]));
    const rows = this.#select({
      i: person,
      ...keys,
      ...(value === undefined ? { n: "count()" } : { vs: `groupArray(${value})` }),
    }, { by: ["i", ...Object.keys(keys)] });
    // Several keys may be one group.
    const merged = `SELECT ${i}, ${g}, ${
      value === undefined ? `sum(${n})` : `groupArrayArray(${vs})`
    } AS ${all} FROM (${
      this.#inGroups(rows, ["i", value === undefined ? "n" : "vs"])
    }) GROUP BY ${i}, ${g}`;
    const { by, found } = this.#measures(v);
    if (value === undefined) {
      const kept = this.#kept(`${g}, least(${all}, ${bounds.rows}) AS ${n}`, merged);
      const counts = Object.keys(found).map((name) => `sum(${n}) AS ${this.#own(name)}`);
      return this.#answer(`SELECT ${[g, ...counts].join(", ")} FROM (${kept}) GROUP BY ${g}`);
    }
    // So many rows in each group. Those that are alike have hashes by their number. Columns that a lambda alone reads are taken for columns that nobody needs: those of this one order groups, too.
    const sorted = `arraySort((${x}, ${o}) -> (${
      hash([i, g, x, o], key ^ 0x5bd1e995)
    }, ${x}, ${o}), ${all}, arrayEnumerateUniq(${all}))`;
    const kept = this.#kept(`${g}, arraySlice(${sorted}, 1, ${bounds.rows}) AS ${vs}`, merged);
    const columns = Object.entries({ ...by, ...found }).map(([name, sql]) =>
      `${sql} AS ${this.#own(name)}`
    );
    return this.#answer(
      `SELECT ${
        [g, ...columns].join(", ")
      } FROM (SELECT ${g}, arrayJoin(${vs}) AS ${v} FROM (${kept})) GROUP BY ${
        [g, ...Object.keys(by).map((name) => this.#own(name))].join(", ")
      }`,
    );
  }

  /** So many groups of each person: those of the smallest hashes. */
  #kept(columns: string, groups: string): string {
    const { bounds, key } = this.#plan.persons!, [i, g] = [this.#own("i"), this.#own("g")];
    return `SELECT ${columns} FROM (${groups}) ORDER BY ${
      clickhouseDialect.hash([i, g], key)
    }, ${g} LIMIT ${bounds.groups} BY ${i}`;
  }

  /** Puts the numbers of groups in place of keys, and leaves out what is in none. */
  #inGroups(rows: string, names: readonly string[]): string {
    const listed = this.#keys.flatMap(({ name, place }) =>
      place === undefined ? [] : [{ name: this.#own(`${name}_place`), place }]
    );
    const places = this.#keys.map(({ name, place }) =>
      this.#own(place === undefined ? name : `${name}_place`)
    );
    const columns = [
      `toInt64(${groupOf(this.#plan.parts, places)}) AS ${this.#own("g")}`,
      ...names.map((name) => this.#own(name)),
    ];
    const selected = `SELECT ${columns.join(", ")} FROM (${rows})`;
    if (listed.length === 0) return selected;
    const named = listed.map(({ name, place }) => `${place} AS ${name}`);
    return `WITH ${named.join(", ")} ${selected} WHERE ${
      listed.map(({ name }) => `${name} >= 0`).join(" AND ")
    }`;
  }

  /** What is added up, and in which cells of a grid. */
  #measures(value: string): {
    readonly by: Readonly<Record<string, string>>;
    readonly found: Readonly<Record<string, string>>;
  } {
    const { wanted } = this.#plan, { whole } = clickhouseDialect;
    if (wanted.kind === "cells") {
      const { unit, first } = wanted;
      return {
        by: { c: whole(this.#row.rounded(value, { granularity: unit, origin: first })) },
        found: { m0: "count()" },
      };
    }
    const measures = wanted.kind === "totals" ? wanted.measures : [];
    const found = measures.map(({ steps }, i) =>
      steps === undefined
        ? { [`m${i}`]: "count()" }
        : sumsOf(`m${i}`, whole(this.#row.steps(steps, value)), halfOf(steps))
    );
    return { by: {}, found: Object.assign({}, ...found) };
  }

  /** Returns the query that adds up parts, by group. */
  #answer(parts: string): string {
    const { wanted } = this.#plan, own = (name: string): string => this.#own(name);
    const measures = wanted.kind === "totals" ? wanted.measures : [{ steps: undefined }];
    // Numbers of groups and of rows are doubles, which are not quoted: texts are read at ten times the cost.
    const sums = measures.map(({ steps }, i) =>
      `${
        steps === undefined
          ? `toFloat64(sum(${own(`m${i}`)}))`
          : textOfSums(own(`m${i}`), halfOf(steps))
      } AS m${i}`
    );
    const by = wanted.kind === "cells" ? ["g", "c"] : ["g"];
    const keys = by.map((name) =>
      `${name === "g" ? "toFloat64" : "toString"}(${own(name)}) AS ${name}`
    );
    return `SELECT ${[...keys, ...sums].join(", ")} FROM (${parts}) GROUP BY ${
      by.map(own).join(", ")
    }`;
  }
}

/**
 * Of how many bits the lower half is into which whole steps of a row fall, where their sum might be beyond 64 bits; `undefined` where it is not, below 2³⁵ rows. Sums of halves are not, where steps are below 2⁵⁴.
 */
function halfOf(steps: StepsOfValue): number | undefined {
  const bits = Math.min(63, Math.ceil(Math.log2(mostSteps(steps))) + 1);
  return bits <= 28 ? undefined : Math.ceil(bits / 2);
}

/** The sum of whole numbers: as such, or of their upper halves and their lower ones. */
export function sumsOf(
  name: string,
  whole: string,
  half: number | undefined,
): Readonly<Record<string, string>> {
  if (half === undefined) return { [name]: `sum(${whole})` };
  return {
    [`${name}_u`]: `sum(bitShiftRight(${whole}, ${half}))`,
    [`${name}_l`]: `sum(bitAnd(${whole}, ${2 ** half - 1}))`,
  };
}

/** Such sums, added up, as a text: of halves that of the upper ones, that of the lower ones, and how many bits these have. */
export function textOfSums(name: string, half: number | undefined): string {
  return half === undefined
    ? `toString(sum(${name}))`
    : `concat(toString(sum(${name}_u)), ' ', toString(sum(${name}_l)), ' ${half}')`;
}

/** The whole number of such a text. */
export function wholeOfSum(text: string): number | bigint {
  // Few are beyond doubles, and big ones cost ten times as much.
  if (text.length <= 15 && !text.includes(" ")) return Number(text);
  const [upper = "", lower = "0", half = "0"] = text.split(" ");
  return (BigInt(upper) << BigInt(half)) + BigInt(lower);
}

/** The place of a key in a public list, or −1. */
function placeOf(
  part: Plan["parts"][number],
  sql: string,
  { type, rows, isLiteral }: KeyTable & { readonly isLiteral: boolean },
): string {
  const { missing, unseen } = part.kind === "values" ? part : { missing: -1, unseen: -1 };
  const or = (key: string): string => {
    if (rows.length === 0) return `if(isNull(${key}), ${missing}, ${unseen})`;
    const [first] = rows[0]!;
    if (
      typeof first === "bigint" &&
      rows.every(([key, place], i) => place === i && key === first + BigInt(i))
    ) {
      // Of a condition that is NULL newer servers take the other branch.
      const from = `toInt64('${first}')`, to = `toInt64('${first + BigInt(rows.length - 1)}')`;
      const place = `if(${key} >= ${from} AND ${key} <= ${to}, ${key} - ${from}, ${unseen})`;
      return `ifNull(if(isNull(${key}), ${missing}, ${place}), ${missing})`;
    }
    const keys = rows.map(([key]) =>
      typeof key === "string"
        ? clickhouseDialect.text(key)
        : typeof key === "bigint"
        ? String(key)
        : clickhouseDialect.doubleKey.listed(key)
    );
    // Long lists of numbers are read at half of the cost where they are one text, or none at all, but then anew for each block of rows.
    const listed = type === "integer" && !isLiteral
      ? `CAST('[${keys}]' AS Array(Int64))`
      : `[${keys}]`;
    const places = !isLiteral && rows.every(([, place], i) => place === i)
      ? `range(${rows.length})`
      : `[${rows.map(([, place]) => place)}]`;
    return `ifNull(transform(${key}, ${listed}, ${places}, ${unseen}), ${missing})`;
  };
  return `toInt64(${or(type === "integer" ? `toInt64(${sql})` : sql)})`;
}
