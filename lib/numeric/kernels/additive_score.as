// Additive scores of rows (lib/audit/model/scores/evaluate_scores.ts).
//
// Bound by arithmetic: all thresholds of a column are compared with a number, at most 15, for a search among them takes more
// instructions and none of them on vectors. The comparisons of four rows share the load of a threshold. Scores add their terms
// in the order of the reference, so they are equal to the last bit.

/** The numbers of two rows, the second one `other` bytes further on. */
@inline
export function numbersOf(at: usize, other: usize): v128 {
  return v128.load_lane<f64>(at + other, v128.load64_zero(at), 1);
}

@inline
function weightsOf(weights: usize, bins: v128): v128 {
  const first = v128.load64_zero(weights + (<usize> i64x2.extract_lane(bins, 0) << 3));
  return v128.load_lane<f64>(weights + (<usize> i64x2.extract_lane(bins, 1) << 3), first, 1);
}

/**
 * Writes the scores of `n` rows. Each term has a table of `size` places for ascending thresholds, the last one infinite, `size`
 * weights of bins, and the weight of missing values.
 */
export function scoreRows(
  rows: usize,
  width: usize,
  n: usize,
  terms: usize,
  differences: bool,
  tables: usize,
  size: usize,
  out: usize,
): void {
  const stride = width << 3, weightsAt = size << 3;
  for (let i: usize = 0; i < n; i += 4, rows += stride << 2, out += 32) {
    // Rows beyond the last one are the first of the four again.
    const r1 = i + 1 < n ? stride : 0, r2 = i + 2 < n ? 2 * stride : 0, r3 = i + 3 < n ? 3 * stride : r2;
    let before01 = f64x2.splat(0), before23 = before01, score01 = before01, score23 = before01;
    for (let j: usize = 0, at = rows, table = tables; j < terms; j++, at += 8) {
      const y01 = numbersOf(at, r1), y23 = numbersOf(at + r2, r3 - r2);
      const x01 = f64x2.sub(y01, before01), x23 = f64x2.sub(y23, before23);
      if (differences) {
        before01 = y01;
        before23 = y23;
      }
      let k01 = i64x2.splat(0), k23 = k01;
      const weights = table + weightsAt;
      for (; table < weights; table += 32) {
        const t0 = v128.load64_splat(table), t1 = v128.load64_splat(table, 8);
        const t2 = v128.load64_splat(table, 16), t3 = v128.load64_splat(table, 24);
        k01 = i64x2.add(k01, i64x2.add(f64x2.gt(x01, t0), f64x2.gt(x01, t1)));
        k23 = i64x2.add(k23, i64x2.add(f64x2.gt(x23, t0), f64x2.gt(x23, t1)));
        k01 = i64x2.add(k01, i64x2.add(f64x2.gt(x01, t2), f64x2.gt(x01, t3)));
        k23 = i64x2.add(k23, i64x2.add(f64x2.gt(x23, t2), f64x2.gt(x23, t3)));
      }
      k01 = i64x2.neg(k01);
      k23 = i64x2.neg(k23);
      const no01 = f64x2.ne(x01, x01), no23 = f64x2.ne(x23, x23);
      if (v128.any_true(v128.or(no01, no23))) {
        const missing = i64x2.splat(<i64> size);
        k01 = v128.bitselect(missing, k01, no01);
        k23 = v128.bitselect(missing, k23, no23);
      }
      score01 = f64x2.add(score01, weightsOf(weights, k01));
      score23 = f64x2.add(score23, weightsOf(weights, k23));
      table = weights + weightsAt + 8;
    }
    // The room for scores has places beyond the last row.
    v128.store(out, score01);
    v128.store(out, score23, 16);
  }
}
