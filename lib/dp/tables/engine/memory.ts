import { closestName } from "../../../core/text/closest_name.ts";
import type { Row } from "../../schema/cells.ts";
import { isFileRows, type RowSource } from "../rows.ts";
import { type Batch, batchOfRows } from "./batch.ts";
import { columnsOf, type Engine, type Found, type Plan } from "./plan.ts";
import { planInMemory } from "./plan_in_memory.ts";

/** Rows that are looked at together. */
const ROWS = 2 ** 12;

/**
 * The engine of this process: rows of an array, of anything that can be iterated, or of a file. It keeps of them what a question needs, and no row of a file becomes
 * an object.
 */
export function memoryEngine(source: RowSource): Engine {
  let spent = false;
  return {
    engine: "memory",
    async run(plans, declared = []): Promise<readonly Found[]> {
      const names = [...new Set(plans.flatMap(columnsOf))];
      const readers = plans.map(planInMemory);
      const take = (batch: Batch): void => readers.forEach((reader) => reader.take(batch));
      const rows = typeof source === "function" ? source() : source;
      if (isFileRows(rows)) {
        requireColumns(await rows.columns(), [...declared, ...names]);
        for await (const batch of rows.batches(names)) take(batch);
      } else await takeRows(rows, take);
      return readers.map(({ end }) => end());
    },
  };

  async function takeRows(
    rows: Iterable<Row> | AsyncIterable<Row>,
    take: (batch: Batch) => void,
  ): Promise<void> {
    const isRecord = rows !== null && typeof rows === "object";
    if (Array.isArray(rows)) return takeAll(rows, take);
    const some = rowBuffer(take);
    if (isRecord && Symbol.iterator in rows) {
      requireFresh(rows[Symbol.iterator]() === (rows as unknown));
      for (const row of rows) some.add(row);
    } else if (isRecord && Symbol.asyncIterator in rows) {
      requireFresh(rows[Symbol.asyncIterator]() === (rows as unknown));
      for await (const row of rows) some.add(row);
    } else {
      throw new TypeError(
        `Cannot read rows: rows must be an array, an iterable or a function that gives one, or an engine: current value is ${
          rows === null ? "null" : typeof rows
        }`,
      );
    }
    some.end();
  }

  /** A generator has nothing left for a second question, which would be answered as for an empty table. */
  function requireFresh(isGenerator: boolean): void {
    if (!isGenerator || typeof source === "function") return;
    if (spent) {
      throw new RangeError(
        "Cannot read rows: rows must be an array, or a function that opens them again, as in table(() => rows(), schema): " +
          "current value is a generator that was read before",
      );
    }
    spent = true;
  }
}

/** Answers a plan about an array at once. */
export function foundInMemory(plan: Plan, rows: readonly Row[]): Found {
  const { take, end } = planInMemory(plan);
  takeAll(rows, take);
  return end();
}

function takeAll(rows: readonly Row[], take: (batch: Batch) => void): void {
  for (let from = 0; from < rows.length; from += ROWS) {
    const some = rows.length <= ROWS ? rows : rows.slice(from, from + ROWS);
    take(batchOfRows(some, Math.min(ROWS, rows.length - from)));
  }
}

/** Puts single rows together. */
export function rowBuffer(
  take: (batch: Batch) => void,
): { readonly add: (row: Row) => void; readonly end: () => void } {
  const rows: Row[] = [];
  const end = (): void => {
    if (rows.length > 0) take(batchOfRows(rows, rows.length));
    rows.length = 0;
  };
  return {
    add: (row) => {
      if (rows.push(row) === ROWS) end();
    },
    end,
  };
}

/** Throws when a file lacks a column: answers would say that it is empty, and be paid for. */
export function requireColumns(columns: readonly string[], names: readonly string[]): void {
  const absent = names.find((name) => !columns.includes(name));
  if (absent === undefined) return;
  // Names of the file are not shown but for a near one: the first line of a file that has none is a row.
  throw new RangeError(
    `Cannot read rows: columns of the schema must be in the file: current value is ${absent}${
      closestName(absent, columns)
    }`,
  );
}
