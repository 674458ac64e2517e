import { prepareRows } from "../../../lib/dp/learners/erm/rows/prepare_rows.ts";
import type { Rows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import { withIntercept } from "../../../lib/dp/learners/erm/rows/with_intercept.ts";

/** Decisions on what section 7 of Chaudhuri, Monteleoni, Sarwate 2011 leaves open or says twice. */
export interface Reading {
  /** True if a column of ones is appended before rows are scaled. */
  readonly constantColumn: boolean;
  /** Every row divided by its own norm, or all by the largest. */
  readonly rowScale: "own" | "common";
  /** Whether the draws of noise are the same in all folds, losses and Λ, or fresh in each. */
  readonly draws: "shared" | "fresh";
  /** Objective perturbation's β, by ε′: a half in Algorithm 2, one in the text of section 3.2. */
  readonly betaPerEpsilon: 0.5 | 1;
  /** c of the Huber hinge at h = 1/2: 1/(2h) in Corollary 13, 1/4 in Corollary 21. */
  readonly huberBound: 1 | 0.25;
}

const PAPER: Reading = {
  constantColumn: true,
  rowScale: "own",
  draws: "shared",
  betaPerEpsilon: 0.5,
  huberBound: 1,
};

/** The reading adopted, and each of the others with one thing changed. README says why. */
export const READINGS: Readonly<Record<string, Reading>> = {
  "paper": PAPER,
  "fresh-draws": { ...PAPER, draws: "fresh" },
  "no-constant": { ...PAPER, constantColumn: false },
  "common-norm": { ...PAPER, rowScale: "common" },
  "whole-beta": { ...PAPER, betaPerEpsilon: 1 },
  "huber-quarter": { ...PAPER, huberBound: 0.25 },
};

/** Section 7.1 as read: columns are at most 1 already; rows come to norm at most 1. */
export function prepareAsRead(rows: Rows, { constantColumn, rowScale }: Reading): Rows {
  const wider = constantColumn ? withIntercept(rows, { value: 1 }) : rows;
  return rowScale === "own" ? prepareRows(wider, { normBound: 1 }) : divideByLargestNorm(wider);
}

function divideByLargestNorm(rows: Rows): Rows {
  let largest = 0;
  for (let i = 0; i < rows.rowCount; i++) {
    const from = rows.kind === "dense" ? i * rows.columnCount : rows.offsets[i]!;
    const to = rows.kind === "dense" ? from + rows.columnCount : rows.offsets[i + 1]!;
    let square = 0;
    for (let k = from; k < to; k++) square += rows.values[k]! ** 2;
    largest = Math.max(largest, Math.sqrt(square));
  }
  return { ...rows, values: rows.values.map((value) => value / largest) };
}
