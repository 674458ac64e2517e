import { numbersOf } from "./additive_score";

// The bins of the columns of additive scores (lib/audit/model/scores/score_bins.ts).
//
// Bound by arithmetic: all 15 thresholds are compared with the numbers of two rows, for a search among them takes more
// instructions and none of them on vectors.

/** The numbers of thresholds below two numbers; 16 for NaN. The thresholds are 15, ascending. */
@inline
function binsOf(x: v128, thresholds: usize): v128 {
  let k = i64x2.splat(0), l = k;
  for (let t: usize = 0; t < 120; t += 40) {
    const at = thresholds + t;
    k = i64x2.add(k, f64x2.gt(x, v128.load64_splat(at)));
    l = i64x2.add(l, f64x2.gt(x, v128.load64_splat(at, 8)));
    k = i64x2.add(k, f64x2.gt(x, v128.load64_splat(at, 16)));
    l = i64x2.add(l, f64x2.gt(x, v128.load64_splat(at, 24)));
    k = i64x2.add(k, f64x2.gt(x, v128.load64_splat(at, 32)));
  }
  const missing = v128.and(f64x2.ne(x, x), i64x2.splat(16));
  return i64x2.sub(missing, i64x2.add(k, l));
}

/** Writes the bin of column j in row i, of `n` rows, to `bins[j * n + i]`; each column has 15 thresholds. */
export function placeScoreBins(
  rows: usize,
  width: usize,
  n: usize,
  terms: usize,
  differences: bool,
  thresholds: usize,
  bins: usize,
): void {
  const stride = width << 3;
  for (let j: usize = 0; j < terms; j++, thresholds += 120, bins += n) {
    const hasBefore = differences && j > 0;
    let at = rows + (j << 3);
    for (let i: usize = 0; i < n; i += 2, at += 2 * stride) {
      const other = i + 1 < n ? stride : 0;
      const y = numbersOf(at, other);
      const k = binsOf(hasBefore ? f64x2.sub(y, numbersOf(at - 8, other)) : y, thresholds);
      store<u8>(bins + i, <u8> i64x2.extract_lane(k, 0));
      if (other !== 0) store<u8>(bins + i, <u8> i64x2.extract_lane(k, 1), 1);
    }
  }
}

@inline
function count(hits: usize, bin: u64, label: usize, lane: usize): void {
  const place = hits + ((((<usize> bin) << 1) + label) << 4) + (lane << 2);
  store<u32>(place, load<u32>(place) + 1);
}

/**
 * Counts the numbers of every second row by the bins of 15 thresholds, at `[4 * (2 * bin + label) + lane]`; `flips` has 0 for each
 * column, 1 where its labels are exchanged, and 2 where it is left out. An addition to a count waits for the one before it, so
 * there are four counts of a bin.
 */
export function countScoreBins(
  rows: usize,
  width: usize,
  n: usize,
  terms: usize,
  differences: bool,
  thresholds: usize,
  flips: usize,
  labels: usize,
  hits: usize,
): void {
  const stride = width << 4;
  for (let i: usize = 0; i < n; i += 4, rows += 2 * stride) {
    const other = i + 2 < n ? stride : 0;
    const label0 = <usize> load<u8>(labels + i), label1 = <usize> load<u8>(labels + i, 2);
    let before = f64x2.splat(0);
    for (let j: usize = 0; j < terms; j++) {
      const y = numbersOf(rows + (j << 3), other), x = f64x2.sub(y, before);
      if (differences) before = y;
      const flip = <usize> load<u8>(flips + j);
      if (flip === 2) continue;
      const k = binsOf(x, thresholds), lane = (j & 1) << 1;
      count(hits, i64x2.extract_lane(k, 0), label0 ^ flip, lane);
      if (other !== 0) count(hits, i64x2.extract_lane(k, 1), label1 ^ flip, lane + 1);
    }
  }
}
