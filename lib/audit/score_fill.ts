import { type Cells, lowerBound, MAX_CELLS } from "./score_cells.ts";

/**
 * A score that adds one term a column: how much likelier the column's value is on the right dataset
 * than on the left. Where coordinates are independent given the dataset it is the log-likelihood
 * ratio itself; elsewhere it is still a direction worth splitting on.
 */
export interface AdditiveScore {
  /** Writes the scores of rows `from` to `from + n` into `out`. */
  fill(rows: Float64Array, width: number, from: number, n: number, out: Float64Array): void;
}

/** Cells with the weight of each. */
export interface Layout extends Cells {
  readonly weights: Float64Array;
}

/** The score with these weights. */
export function scoreOf(layout: Layout): AdditiveScore {
  const groups = layout.cuts.length / (MAX_CELLS - 1);
  if (layout.cuts.some((cut, at) => at % (MAX_CELLS - 1) > 2 && cut < Infinity)) {
    const grid = gridOf(layout, groups);
    return {
      fill: (all, stride, from, count, out) =>
        fillFromGrid(layout, grid, all, stride, from, count, out),
    };
  }
  return {
    fill: (all, stride, from, count, out) => fillFromCuts(layout, all, stride, from, count, out),
  };
}

/** Scores of columns of few values: at most 3 cuts, found by two halvings. */
function fillFromCuts(
  { cuts, weights, terms, differences, pooled, sign }: Layout,
  rows: Float64Array,
  width: number,
  from: number,
  n: number,
  out: Float64Array,
): void {
  const cutStep = pooled ? 0 : MAX_CELLS - 1, weightStep = pooled ? 0 : MAX_CELLS + 1;
  for (let i = 0; i < n; i++) {
    let c = 0, w = 0, at = (from + i) * width, before = 0, score = 0;
    for (let j = 0; j < terms; j++, at++, c += cutStep, w += weightStep) {
      const x = rows[at]! - before;
      if (differences) before = rows[at]!;
      const factor = sign[j]!;
      if (factor === 0) continue;
      let k = 2 * Number(x > cuts[c + 1]!);
      k += Number(x > cuts[c + k]!);
      k += MAX_CELLS * Number(x !== x);
      score += factor * weights[w + k]!;
    }
    out[i] = score;
  }
}

/** Equal cells between the outermost cuts, two beyond them and one for missing values. */
const GRID_CELLS = 128;
const GRID_STEP = GRID_CELLS + 3;

/** The weights by equal cells of the line instead of quantiles: found by one product, no search. */
interface Grid {
  readonly low: Float64Array;
  readonly scale: Float64Array;
  readonly weights: Float64Array;
}

function gridOf({ cuts, weights }: Layout, groups: number): Grid {
  const low = new Float64Array(groups), scale = new Float64Array(groups);
  const table = new Float64Array(groups * GRID_STEP);
  for (let g = 0; g < groups; g++) {
    const own = cuts.subarray(g * (MAX_CELLS - 1), (g + 1) * (MAX_CELLS - 1))
      .filter((cut) => cut < Infinity);
    const at = g * (MAX_CELLS + 1);
    const span = own.length > 1 ? own[own.length - 1]! - own[0]! : 1;
    low[g] = own[0] ?? 0;
    scale[g] = GRID_CELLS / span;
    for (let cell = -1; cell <= GRID_CELLS; cell++) {
      const middle = low[g]! + (cell + 0.5) / scale[g]!;
      table[g * GRID_STEP + cell + 1] = weights[at + lowerBound(own, middle)]!;
    }
    table[g * GRID_STEP + GRID_STEP - 1] = weights[at + MAX_CELLS]!;
  }
  return { low, scale, weights: table };
}

function fillFromGrid(
  { terms, differences, pooled, sign }: Layout,
  { low, scale, weights }: Grid,
  rows: Float64Array,
  width: number,
  from: number,
  n: number,
  out: Float64Array,
): void {
  const groupStep = pooled ? 0 : 1;
  for (let i = 0; i < n; i++) {
    let g = 0, at = (from + i) * width, before = 0, score = 0;
    for (let j = 0; j < terms; j++, at++, g += groupStep) {
      const x = rows[at]! - before;
      if (differences) before = rows[at]!;
      const factor = sign[j]!;
      if (factor === 0) continue;
      const place = (x - low[g]!) * scale[g]!;
      // NaN becomes 0 by `| 0`.
      const inside = (Math.min(Math.max(place, -1), GRID_CELLS) + 1) | 0;
      const cell = inside + (GRID_STEP - 1) * Number(x !== x);
      score += factor * weights[g * GRID_STEP + cell]!;
    }
    out[i] = score;
  }
}
