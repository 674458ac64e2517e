import { firstAtLeast } from "../numeric/sorted_search.ts";
import { type Cells, MAX_CELLS } from "./score_cells.ts";

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
    const grid = gridOf(layout.cuts, groups);
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

/** Equal cells of the line between the outermost cuts, and one beyond them on either side. */
const GRID_CELLS = 128;
const GRID_STEP = GRID_CELLS + 2;

/** For equal cells of the line, the first cut that can matter there: a step or two find a value's place. */
interface Grid {
  readonly low: Float64Array;
  readonly scale: Float64Array;
  readonly start: Uint8Array;
}

function gridOf(cuts: Float64Array, groups: number): Grid {
  const low = new Float64Array(groups), scale = new Float64Array(groups);
  const start = new Uint8Array(groups * GRID_STEP);
  for (let g = 0; g < groups; g++) {
    const own = cuts.subarray(g * (MAX_CELLS - 1), (g + 1) * (MAX_CELLS - 1));
    const finite = own.filter(Number.isFinite);
    const span = finite.length > 1 ? finite[finite.length - 1]! - finite[0]! : 0;
    low[g] = finite[0] ?? 0;
    scale[g] = Number.isFinite(GRID_CELLS / span) && span < Infinity ? GRID_CELLS / span : 0;
    for (let cell = 0; cell <= GRID_CELLS; cell++) {
      // One cell back, for the product that finds a value's cell may round up into the next one.
      const edge = scale[g] === 0 ? -Infinity : low[g]! + (cell - 1) / scale[g]!;
      start[g * GRID_STEP + cell + 1] = firstAtLeast(own, edge);
    }
  }
  return { low, scale, start };
}

function fillFromGrid(
  { cuts, weights, terms, differences, pooled, sign }: Layout,
  { low, scale, start }: Grid,
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
      // NaN becomes 0 by `| 0`: it is above no cut, and its weight is the last one.
      let k = start[g * GRID_STEP + ((Math.min(Math.max(place, -1), GRID_CELLS) + 1) | 0)]!;
      const c = g * (MAX_CELLS - 1);
      while (k < MAX_CELLS - 1 && cuts[c + k]! < x) k++;
      k += (MAX_CELLS - k) * Number(x !== x);
      score += factor * weights[g * (MAX_CELLS + 1) + k]!;
    }
    out[i] = score;
  }
}
