import { requirePositive } from "../../../../core/numeric/require.ts";
import { BlockMemory } from "../solver/block_memory.ts";
import { checkedRows } from "./checked_rows.ts";
import { clipRows } from "./clip_rows.ts";
import { applyRandomFeatures, type RandomFeatures } from "./random_features.ts";
import { mapBlocks, type RowBlocks } from "../files/row_blocks.ts";
import { compactRows, type Rows } from "./rows.ts";
import { withIntercept } from "./with_intercept.ts";

/** Transformation of each row by itself, the same before training and before prediction. */
export interface Preparation {
  /**
   * Declared bound on the Euclidean norm of rows, after the feature map if there is one; longer rows
   * are scaled down to it. May be left out with random features, whose rows are no longer than 1.
   */
  readonly normBound?: number;
  /** Value of one more constant feature, whose weight is the intercept; absent: no intercept. */
  readonly intercept?: number;
  /** Random features that stand in for a kernel. */
  readonly features?: RandomFeatures;
}

/**
 * Checks rows, and maps, clips and extends them as declared; blocks at every visit.
 *
 * @throws {RangeError} when rows are malformed, naming row and column.
 */
export function prepareRows(rows: Rows, preparation: Preparation): Rows;
export function prepareRows(rows: Rows | RowBlocks, preparation: Preparation): Rows | RowBlocks;
export function prepareRows(rows: Rows | RowBlocks, preparation: Preparation): Rows | RowBlocks {
  if (rows.kind !== "blocks") return prepareBlock(compactRows(checkedRows(rows)), preparation);
  const { intercept, features } = preparation;
  return mapBlocks(checkedRows(rows), {
    columnCount: (features?.count ?? rows.columnCount) + (intercept === undefined ? 0 : 1),
    valueCount: features === undefined ? rows.valueCount : rows.rowCount * features.count,
    begin: () => {
      const memory = new BlockMemory();
      return (block) => prepareBlock(block, preparation, memory);
    },
  });
}

function prepareBlock(
  checked: Rows,
  preparation: Preparation,
  memory: BlockMemory = new BlockMemory(),
): Rows {
  const { intercept, features } = preparation;
  const mapped = features === undefined ? checked : applyRandomFeatures(features, checked);
  const clipped = clipRows(mapped, { normBound: rowNormBound(preparation), memory });
  return intercept === undefined ? clipped : withIntercept(clipped, { value: intercept, memory });
}

/**
 * The norm that no prepared row exceeds, intercept included: what the noise is calibrated to.
 *
 * @throws {RangeError} unless normBound (which only random features may leave out) and intercept are
 * positive and finite.
 */
export function preparedNormBound(preparation: Preparation): number {
  const { intercept } = preparation;
  const bound = rowNormBound(preparation);
  if (intercept === undefined) return bound;
  requirePositive("append an intercept", "intercept", intercept);
  return Math.sqrt(bound * bound + intercept * intercept);
}

function rowNormBound(
  { features, normBound = features === undefined ? NaN : 1 }: Preparation,
): number {
  requirePositive("bound rows", "normBound", normBound);
  return normBound;
}
