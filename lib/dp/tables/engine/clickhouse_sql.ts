import { clickhouseDialect } from "./clickhouse_dialect.ts";
import type { KeyTable, SqlTable } from "./dialect.ts";
import type { Plan, StepsOfValue } from "./plan.ts";
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
 * rows (`k`), or for each person and text (`i`, `k`). All are texts.
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
    const key = isOpen ? row.key(wanted.cell) : undefined;
    const open = key && this.#present(row.name("t", key.sql));
    const places = parts.map((part) => {
      const { sql, keys } = row.part(part);
      const place = row.name(
        "p",
        keys === undefined ? `ifNull(${sql}, -1)` : placeOf(part, sql, keys),
      );
      this.#conditions.push(`${place} >= 0`);
      return place;
    });
    const group = open ?? groupOf(parts, places);
    const value = clipped && this.#present(row.name("v", row.clipped(clipped)));
    const person = persons && this.#present(row.name("i", row.person(persons.column)));
    this.#conditions.push(...where.map((condition) => row.condition(condition)));
    const { index, count } = this.#shard;
    if (person !== undefined && count > 1) {
      this.#conditions.push(`cityHash64(${person}) % ${count} = ${index}`);
    }
    const query = person === undefined
      ? this.#ofRows(group, value)
      : this.#ofPersons(person, group, value);
    return { query, keys: key?.type ?? "text" };
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

  #ofRows(group: string, value: string | undefined): string {
    const { wanted, parts } = this.#plan, own = (name: string): string => this.#own(name);
    switch (wanted.kind) {
      case "distinct":
        return this.#shard.count > 1
          ? `SELECT ${this.#text("k")} AS k FROM (${
            this.#select({ k: group }, { distinct: true })
          })`
          : `SELECT toString(uniqExact(${own("k")})) AS n FROM (${this.#select({ k: group })})`;
      case "units":
        return `SELECT ${this.#text("k")} AS k, toString(${own("n")}) AS n FROM (${
          this.#select({ k: group, n: "count()" }, { by: ["k"] })
        })`;
      default: {
        const { by, found } = this.#measures(value ?? "0");
        // All rows are one group where there are no parts: a query without GROUP BY gives one row.
        const keys = [...(parts.length > 0 ? ["g"] : []), ...Object.keys(by)];
        const inner = this.#select(
          { ...(parts.length > 0 && { g: group }), ...by, ...found },
          { by: keys },
        );
        return this.#answer(inner, [...Object.keys(by), ...Object.keys(found)]);
      }
    }
  }

  #ofPersons(person: string, group: string, value: string | undefined): string {
    const { wanted } = this.#plan, { bounds, key } = this.#plan.persons!;
    const own = (name: string): string => this.#own(name), { hash } = clickhouseDialect;
    if (wanted.kind === "distinct") {
      return `SELECT ${this.#person()} AS i, ${this.#text("k")} AS k FROM (${
        this.#select({ i: person, k: group }, { distinct: true })
      })`;
    }
    const [i, g, vs, v] = ["i", "g", "vs", "v"].map(own) as [string, string, string, string];
    // So many groups of each person: those of the smallest hashes.
    const kept = (columns: string, groups: string): string =>
      `SELECT ${columns} FROM (${groups}) ORDER BY ${
        hash([i, g], key)
      }, ${g} LIMIT ${bounds.groups} BY ${i}`;
    if (wanted.kind === "units") {
      const pairs = this.#select({ i: person, g: group }, { distinct: true });
      return `SELECT ${this.#text("g")} AS k, toString(count()) AS n FROM (${
        kept(g, pairs)
      }) GROUP BY ${g}`;
    }
    // And so many rows in each. Those that are alike have hashes by their number.
    const all = value === undefined
      ? "arrayResize([0], toUInt64(count()))"
      : `groupArray(${value})`;
    const groups = this.#select({ i: person, g: group, vs: all }, { by: ["i", "g"] });
    const [x, o] = ["x", "o"].map(own);
    const sorted = `arraySort((${x}, ${o}) -> (${
      hash([i, g, x!, o!], key ^ 0x5bd1e995)
    }, ${x}, ${o}), ${vs}, arrayEnumerateUniq(${vs}))`;
    // Columns that a lambda alone reads are taken for columns that nobody needs: those of this one order groups, too.
    const sliced = kept(`${g}, arraySlice(${sorted}, 1, ${bounds.rows}) AS ${own("rs")}`, groups);
    const rows = `SELECT ${g}, arrayJoin(${own("rs")}) AS ${v} FROM (${sliced})`;
    const { by, found } = this.#measures(v);
    const columns = Object.entries({ ...by, ...found }).map(([name, sql]) =>
      `${sql} AS ${own(name)}`
    );
    const keys = [g, ...Object.keys(by).map(own)];
    const answer = `SELECT ${[g, ...columns].join(", ")} FROM (${rows}) GROUP BY ${
      keys.join(", ")
    }`;
    return this.#answer(answer, [...Object.keys(by), ...Object.keys(found)], true);
  }

  /** What is added up, and in which cells of a grid. */
  #measures(value: string): {
    readonly by: Readonly<Record<string, string>>;
    readonly found: Readonly<Record<string, string>>;
  } {
    const { wanted } = this.#plan;
    if (wanted.kind === "cells") {
      const { unit, first } = wanted;
      return {
        by: { c: this.#row.rounded(value, { granularity: unit, origin: first }) },
        found: { m0: "count()" },
      };
    }
    const measures = wanted.kind === "totals" ? wanted.measures : [];
    return {
      by: {},
      found: Object.fromEntries(measures.map(({ steps }, i) => [
        `m${i}`,
        steps === undefined ? "count()" : sumOf(this.#row.steps(steps, value), bitsOfSteps(steps)),
      ])),
    };
  }

  #answer(rows: string, names: readonly string[], hasGroup = this.#plan.parts.length > 0): string {
    const columns = names.map((name) => `toString(${this.#own(name)}) AS ${name}`);
    return `SELECT ${
      [`${hasGroup ? `toString(${this.#own("g")})` : "'0'"} AS g`, ...columns].join(", ")
    } FROM (${rows})`;
  }

  /** A key as it is handed over. */
  #text(name: string): string {
    const { wanted } = this.#plan, isOpen = wanted.kind === "units" || wanted.kind === "distinct";
    const isDouble = isOpen && this.#row.key(wanted.cell).type === "double";
    return isDouble ? `toString(${this.#own(name)})` : `hex(${this.#own(name)})`;
  }

  #person(): string {
    return `hex(toString(${this.#own("i")}))`;
  }
}

/** How many bits the whole steps of a row have, without their sign. */
function bitsOfSteps({ lower, upper, granularity, origin }: StepsOfValue): number {
  const most = Math.max(...[lower, upper].map((end) => Math.abs(end / granularity - origin))) + 1;
  return Math.min(63, Math.ceil(Math.log2(most)) + 1);
}

/**
 * The sum of whole numbers of so many bits, as a text: of few as such, of others the sum of their upper halves, that of their lower ones, and how many bits these have. None of these sums
 * is beyond 64 bits below 2³¹ rows, or 2³⁶ where numbers are below 2⁵³.
 */
export function sumOf(whole: string, bits: number): string {
  if (bits <= 24) return `toString(sum(${whole}))`;
  const half = Math.ceil(bits / 2);
  return `concat(toString(sum(bitShiftRight(${whole}, ${half}))), ' ', toString(sum(bitAnd(${whole}, ${
    2 ** half - 1
  }))), ' ${half}')`;
}

/** The whole number of such a text. */
export function wholeOfSum(text: string): bigint {
  const [upper = "", lower = "0", half = "0"] = text.split(" ");
  return (BigInt(upper) << BigInt(half)) + BigInt(lower);
}

/** The place of a key in a public list, or −1. */
function placeOf(part: Plan["parts"][number], sql: string, { type, rows }: KeyTable): string {
  const { missing, unseen } = part.kind === "values" ? part : { missing: -1, unseen: -1 };
  const or = (key: string): string => {
    if (rows.length === 0) return `if(isNull(${key}), ${missing}, ${unseen})`;
    const keys = rows.map(([key]) =>
      typeof key === "string"
        ? clickhouseDialect.text(key)
        : typeof key === "bigint"
        ? String(key)
        : clickhouseDialect.doubleKey.listed(key)
    );
    const places = rows.map(([, place]) => place);
    return `ifNull(transform(${key}, [${keys.join(", ")}], [${
      places.join(", ")
    }], ${unseen}), ${missing})`;
  };
  return `toInt64(${or(type === "integer" ? `toInt64(${sql})` : sql)})`;
}
