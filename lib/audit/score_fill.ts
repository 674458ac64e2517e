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
  const isWide = layout.cuts.some((cut, at) => at % (MAX_CELLS - 1) > 2 && cut < Infinity);
  const fillFrom = isWide ? fillFromManyCuts : fillFromFewCuts;
  return {
    fill: (all, stride, from, count, out) => fillFrom(layout, all, stride, from, count, out),
  };
}

/** Scores of columns of few values: at most 3 cuts, found by two halvings. */
function fillFromFewCuts(
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

/** Scores of any columns: up to 15 cuts, found by four halvings without a branch to be guessed. */
function fillFromManyCuts(
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
      let k = 8 * Number(x > cuts[c + 7]!);
      k += 4 * Number(x > cuts[c + k + 3]!);
      k += 2 * Number(x > cuts[c + k + 1]!);
      k += Number(x > cuts[c + k]!);
      // NaN is above no cut.
      k += MAX_CELLS * Number(x !== x);
      score += factor * weights[w + k]!;
    }
    out[i] = score;
  }
}
