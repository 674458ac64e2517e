// The bins of values between ascending thresholds (lib/audit/model/encoding/bin_index.ts).
//
// Bound by loads, and before by branches that are predicted badly. A table by cells of the line holds the thresholds in lower
// cells; those in the value's own cell are compared in a loop of as many turns as the fullest cell needs, whose end is always
// predicted. Four values are under way at once, for a turn waits for the one before it, and they are counted in four histograms,
// for an addition to a count waits for the one before it too.

/** The cells of two values, one in each half: that of NaN is 0. */
@inline
function cellsOf(x: v128, low: v128, scale: v128, most: v128): u64 {
  const place = f64x2.mul(f64x2.sub(x, low), scale);
  const cells = f64x2.pmin(f64x2.pmax(place, f64x2.splat(0)), most);
  return i64x2.extract_lane(i32x4.trunc_sat_f64x2_s_zero(cells), 0);
}

@inline
function startIn(cell: u64, first: usize): usize {
  return <usize> load<u16>(first + (<usize> cell << 1));
}

@inline
function isBelow(thresholds: usize, k: usize, x: f64): usize {
  return <usize> (load<f64>(thresholds + (k << 3)) < x);
}

/** One more to the count of a bin, in the histogram of a lane. */
@inline
function count(hits: usize, k: usize, lane: usize): void {
  const place = hits + (k << 4) + (lane << 2);
  store<u32>(place, load<u32>(place) + 1);
}

/**
 * Counts the bins of `n` values: the number of thresholds below, one more than all for NaN, at `[4 * bin + lane]`; or writes
 * them as 32-bit integers where `hits` is 0. `first` has the thresholds in lower cells for each cell, and the thresholds, of
 * which there are `last`, end with an infinite one more.
 */
export function placeInBins(
  values: usize,
  n: usize,
  hits: usize,
  bins: usize,
  thresholds: usize,
  last: usize,
  low: f64,
  scale: f64,
  most: f64,
  first: usize,
  turns: i32,
): void {
  const lows = f64x2.splat(low), scales = f64x2.splat(scale), mosts = f64x2.splat(most);
  for (let i: usize = 0, at = values; i < n; i += 4, at += 32) {
    const x01 = v128.load(at), x23 = v128.load(at, 16);
    const c01 = cellsOf(x01, lows, scales, mosts), c23 = cellsOf(x23, lows, scales, mosts);
    let k0 = startIn(c01 & 65535, first), k1 = startIn(c01 >> 32, first);
    let k2 = startIn(c23 & 65535, first), k3 = startIn(c23 >> 32, first);
    const x0 = f64x2.extract_lane(x01, 0), x1 = f64x2.extract_lane(x01, 1);
    const x2 = f64x2.extract_lane(x23, 0), x3 = f64x2.extract_lane(x23, 1);
    for (let turn = turns; turn > 0; turn--) {
      k0 += isBelow(thresholds, k0, x0);
      k1 += isBelow(thresholds, k1, x1);
      k2 += isBelow(thresholds, k2, x2);
      k3 += isBelow(thresholds, k3, x3);
    }
    if (v128.any_true(v128.or(f64x2.ne(x01, x01), f64x2.ne(x23, x23)))) {
      k0 = select(k0, last + 1, x0 === x0);
      k1 = select(k1, last + 1, x1 === x1);
      k2 = select(k2, last + 1, x2 === x2);
      k3 = select(k3, last + 1, x3 === x3);
    }
    if (hits === 0) {
      v128.store(bins + (i << 2), i32x4(<i32> k0, <i32> k1, <i32> k2, <i32> k3));
    } else {
      count(hits, k0, 0);
      if (i + 1 < n) count(hits, k1, 1);
      if (i + 2 < n) count(hits, k2, 2);
      if (i + 3 < n) count(hits, k3, 3);
    }
  }
}
