import { BlockMemory } from "./block_memory.ts";
import type { Loss } from "../losses/loss.ts";
import { type RowBlocks, visitBlocks } from "../files/row_blocks.ts";
import { computeMargins } from "./row_kernels.ts";
import type { Rows } from "../rows/rows.ts";
import { type Signs, signsOfRows } from "../rows/signs.ts";

/** Rows and their signs, in memory or not. */
export interface SignedRows {
  /** The features. */
  readonly rows: Rows | RowBlocks;
  /** The labels, each −1 or 1. */
  readonly signs: Signs;
}

/** With rows that are in memory. */
export type InMemory<Signed extends SignedRows> = Signed & {
  /** The features. */
  readonly rows: Rows;
  /** A sign, −1 or 1, for every row. */
  readonly signs: Float64Array;
};

/** Calls `each` with every block of rows and its signs, which are good until `each` returns. */
export function visitRows(
  { rows, signs }: SignedRows,
  each: (block: Rows, blockSigns: Float64Array) => void,
): void {
  const memory = new BlockMemory();
  visitBlocks(rows, (block, first) => {
    each(block, signsOfRows(signs, { first, count: block.rowCount, memory }));
  });
}

/**
 * Calls `each` with every block, its signs, and its margins at `weights`. `margins` holds them already where rows
 * are in memory; else it has room for a block, and they are computed anew.
 */
export function visitMargins(
  problem: SignedRows,
  { weights, margins }: { readonly weights: Float64Array; readonly margins: Float64Array },
  each: (block: Rows, signs: Float64Array, margins: Float64Array) => void,
): void {
  const known = problem.rows.kind !== "blocks";
  visitRows(problem, (block, signs) => {
    const into = known ? margins : margins.subarray(0, block.rowCount);
    if (!known) computeMargins(block, { weights, signs, into });
    each(block, signs, into);
  });
}

/**
 * Calls `each` with every block, its signs, and ℓ″(margin)/n of its rows at `weights`. `factors` holds them
 * already where rows are in memory; else it has room for a block, and they are computed anew.
 */
export function visitFactors(
  problem: SignedRows & { readonly loss: Loss },
  { weights, factors }: { readonly weights: Float64Array; readonly factors: Float64Array },
  each: (block: Rows, signs: Float64Array, factors: Float64Array) => void,
): void {
  const { rows, loss } = problem;
  const known = rows.kind !== "blocks";
  visitMargins(problem, { weights, margins: factors }, (block, signs, into) => {
    for (let i = 0; i < into.length && !known; i++) {
      into[i] = loss.curvature(into[i]!) / rows.rowCount;
    }
    each(block, signs, into);
  });
}
