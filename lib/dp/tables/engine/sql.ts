import type { Dialect, KeyTable, PlannedQuery, SqlTable, Sums } from "./dialect.ts";
import type { Plan } from "./plan.ts";
import { groupOf, RowWriter } from "./row_sql.ts";

/**
 * Writes a plan as a query: a row for each group (`g`) with a whole number for each measure (`m0`, …) and, of sums of doubles without a count, the number of addends (`n`), for each cell (`g`, `c`, `m0`), for each text (`k`, `n`), or for
 * each person and text (`i`, `k`).
 */
export function queryOf(
  plan: Plan,
  { table, dialect, place, sums = "whole" }: {
    readonly table: SqlTable;
    readonly dialect: Dialect;
    /** How a key table is named in the query. */
    readonly place: (keys: KeyTable) => string;
    readonly sums?: Sums;
  },
): PlannedQuery {
  return new QueryWriter(plan, { table, dialect, sums }).write(place);
}

class QueryWriter {
  readonly #plan: Plan;
  readonly #table: SqlTable;
  readonly #dialect: Dialect;
  readonly #sums: Sums;
  readonly #row: RowWriter;

  constructor(
    plan: Plan,
    { table, dialect, sums }: {
      readonly table: SqlTable;
      readonly dialect: Dialect;
      readonly sums: Sums;
    },
  ) {
    this.#plan = plan;
    this.#table = table;
    this.#dialect = dialect;
    this.#sums = sums;
    this.#row = new RowWriter(plan, { table, dialect, reference: (name) => `a.${name}` });
  }

  write(place: (keys: KeyTable) => string): PlannedQuery {
    const { wanted, persons, clipped, where, parts } = this.#plan;
    const isOpen = wanted.kind === "units" || wanted.kind === "distinct";
    const open = isOpen ? this.#row.name("t", this.#row.key(wanted.cell).sql) : undefined;
    const placed = parts.map((part) => this.#row.part(part));
    const value = clipped === undefined ? undefined : this.#row.clipped(clipped);
    const person = persons && this.#row.name("i", this.#row.person(persons.column));
    const conditions = where.map((condition) => this.#row.condition(condition));
    const named = this.#row.named.map(({ name, sql }) => `${sql} AS ${name}`);
    const cells = `SELECT ${named.join(", ") || "1 AS one"} FROM ${this.#table.source}${
      conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`
    }`;
    const isListed = this.#row.keys.length > 0;
    const columns: readonly (readonly [name: string, sql: string, isNeeded: boolean])[] = [
      ...(isListed
        ? placed.map(({ sql, keys }, i) => [`q${i}`, sql, keys === undefined] as const)
        : [["g", open ?? groupOf(parts, placed.map(({ sql }) => sql)), true] as const]),
      ...(value === undefined ? [] : [["v", value.value, false] as const]),
      ...(person === undefined ? [] : [["i", person, true] as const]),
    ];
    const r = havingAll(
      `SELECT ${columns.map(([name, sql]) => `${sql} AS ${name}`).join(", ")} FROM (${cells}) AS a${
        value === undefined ? "" : ` WHERE ${value.isThere}`
      }`,
      columns.flatMap(([name, , isNeeded]) => isNeeded ? [`${name} IS NOT NULL`] : []),
    );
    if (!isListed) return { query: this.#answer(r), keys: this.#row.keys };
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
      return { query: this.#answer(rows), keys: this.#row.keys };
    }
    // Rows are grouped by keys first: there are fewer groups to look up than rows.
    const { by, found } = this.#measures(), own = placed.map((_, i) => `q${i}`);
    const grouped = `SELECT ${
      [...own, ...by.map((sql) => `${sql} AS c`), ...found].join(", ")
    } FROM (${r}) AS b GROUP BY ${[...own, ...by.map(() => "c")].join(", ")}`;
    const names = found.map((sql) => sql.slice(sql.lastIndexOf(" ") + 1));
    // Listed keys differ, so that each group is found once, if nothing else has its place.
    if (parts.every((part) => part.kind === "bins" || (part.missing < 0 && part.unseen < 0))) {
      return { query: listed(grouped, [...by.map(() => "c"), ...names]), keys: this.#row.keys };
    }
    const sums = names.map((name) =>
      `${this.#sums === "doubles" ? `sum(${name})` : this.#dialect.sumOfSums(name)} AS ${name}`
    );
    const keys = ["g", ...by.map(() => "c")].join(", ");
    return {
      query: `SELECT ${keys}, ${sums.join(", ")} FROM (${
        listed(grouped, [...by.map(() => "c"), ...names])
      }) AS d GROUP BY ${keys}`,
      keys: this.#row.keys,
    };
  }

  /** What is added up of rows with values `v`, and in which cells of a grid. */
  #measures(): { readonly by: readonly string[]; readonly found: readonly string[] } {
    const { wanted } = this.#plan, { sum, whole, doubles } = this.#dialect;
    const isOfDoubles = this.#sums === "doubles";
    const count = isOfDoubles ? `CAST(count(*) AS ${doubles})` : "count(*)";
    if (wanted.kind === "cells") {
      const { unit, first } = wanted;
      return {
        by: [this.#row.rounded("v", { granularity: unit, origin: first })],
        found: [`${count} AS m0`],
      };
    }
    const sumOf = (steps: string): string => isOfDoubles ? `sum(${steps})` : sum(whole(steps));
    const measures = wanted.kind === "totals" ? wanted.measures : [];
    const found = measures.map(({ steps }, i) =>
      `${steps === undefined ? count : sumOf(this.#row.steps(steps, "v"))} AS m${i}`
    );
    const isCounted = measures.some(({ steps }) => steps === undefined);
    return { by: [], found: isOfDoubles && !isCounted ? [...found, `${count} AS n`] : found };
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
    if (persons !== undefined && wanted.kind === "totals" && this.#plan.clipped === undefined) {
      return this.#ofCounts(bounded);
    }
    const { by, found } = this.#measures(), columns = ["g", ...by.map((sql) => `${sql} AS c`)];
    return `SELECT ${[...columns, ...found].join(", ")} FROM (${bounded}) AS b GROUP BY ${
      columns.map((_, i) => i + 1).join(", ")
    }`;
  }

  /** Counts of rows, of which it does not matter which are kept: so many of each person and group (`n`), or fewer. */
  #ofCounts(bounded: string): string {
    const { wanted, persons } = this.#plan, kept = `least(n, ${persons!.bounds.rows})`;
    const sum = this.#sums === "doubles"
      ? `sum(CAST(${kept} AS ${this.#dialect.doubles}))`
      : this.#dialect.sumOfSums(kept);
    const measures = wanted.kind === "totals" ? wanted.measures : [];
    const found = measures.map((_, i) => `${sum} AS m${i}`);
    return `SELECT g, ${found.join(", ")} FROM (${bounded}) AS b GROUP BY g`;
  }

  /**
   * Groups of persons with their numbers of rows, so many of each, or the rows with values that are kept in each: all where they are not too many, and else those of the smallest hashes. Rows of a
   * person that are alike have hashes by their number.
   */
  #bounded(r: string): string {
    const { bounds: { groups, rows }, key } = this.#plan.persons!, { hash, alike } = this.#dialect;
    const kept = `SELECT i, g, n FROM (SELECT i, g, n, row_number() OVER (PARTITION BY ${
      alike("i")
    } ORDER BY ${
      hash(["i", "g"], key)
    }, g) AS k FROM (SELECT i, g, count(*) AS n FROM r GROUP BY i, g) AS d) AS f WHERE k <= ${groups}`;
    if (this.#plan.clipped === undefined) return `WITH r AS (${r}) ${kept}`;
    const own = "FROM r JOIN kept ON kept.i = r.i AND kept.g = r.g WHERE kept.n";
    const like = `SELECT r.i, r.g, r.v, row_number() OVER (PARTITION BY ${
      ["r.i", "r.g", "r.v"].map(alike).join(", ")
    } ORDER BY r.i) AS o ${own} > ${rows}`;
    const ofRow = hash(["i", "g", "v", "o"], key ^ 0x5bd1e995);
    const ranked = `SELECT g, v, row_number() OVER (PARTITION BY ${alike("i")}, ${
      alike("g")
    } ORDER BY ${ofRow}, v, o) AS m FROM (${like}) AS l`;
    return `WITH r AS (${r}), kept AS (${kept}) SELECT r.g, r.v ${own} <= ${rows} UNION ALL SELECT g, v FROM (${ranked}) AS q WHERE m <= ${rows}`;
  }
}

function havingAll(rows: string, conditions: readonly string[]): string {
  return conditions.length === 0
    ? rows
    : `SELECT * FROM (${rows}) AS c WHERE ${conditions.join(" AND ")}`;
}
