import type { Rows } from "../rows/rows.ts";

/**
 * Rows that are not in memory: every visit reads them anew, a block at a time and in the same order, as from a
 * file. A learner makes some tens of visits.
 */
export interface RowBlocks {
  /** The layout: blocks, each dense or sparse. */
  readonly kind: "blocks";
  /** n. */
  readonly rowCount: number;
  /** d. */
  readonly columnCount: number;
  /** Stored values of all rows together. */
  readonly valueCount: number;
  /** Rows of the largest block. */
  readonly rowsAtOnce: number;
  /**
   * Calls `each` with every block and the place of its first row, counted from 0. A block may share memory with
   * the next: it is good until `each` returns.
   */
  visit(each: (block: Rows, first: number) => void): void;
}

/** The most rows that a visit hands over at once: all, where they are in memory. */
export function rowsAtOnce(rows: Rows | RowBlocks): number {
  return rows.kind === "blocks" ? rows.rowsAtOnce : rows.rowCount;
}

/** Calls `each` with every block, or once with rows that are in memory. */
export function visitBlocks(
  rows: Rows | RowBlocks,
  each: (block: Rows, first: number) => void,
): void {
  if (rows.kind === "blocks") rows.visit(each);
  else each(rows, 0);
}

/**
 * The blocks, each turned into another of as many rows when it is visited. `begin` gives a map that may use the same memory for one
 * block after the other: a visit has it for itself, and the next visit uses it again.
 *
 * @throws {RangeError} at the end of a visit to blocks that were not all the rows, each once and in their order.
 */
export function mapBlocks(
  blocks: RowBlocks,
  { columnCount, valueCount, begin }: {
    readonly columnCount: number;
    readonly valueCount: number;
    readonly begin: () => (block: Rows, first: number) => Rows;
  },
): RowBlocks {
  const { rowCount, rowsAtOnce } = blocks;
  const idle: ((block: Rows, first: number) => Rows)[] = [];
  return {
    kind: "blocks",
    rowCount,
    columnCount,
    valueCount,
    rowsAtOnce,
    visit(each): void {
      const map = idle.pop() ?? begin();
      let next = 0;
      blocks.visit((block, first) => {
        requireNext(first, next);
        next += block.rowCount;
        each(map(block, first), first);
      });
      requireNext(rowCount, next);
      idle.push(map);
    },
  };
}

function requireNext(first: number, next: number): void {
  if (first === next) return;
  throw new RangeError(
    `Cannot read rows: blocks must follow each other to the last row: row ${
      next + 1
    } comes next, not ${first + 1}`,
  );
}
