import { numbersOf } from "./additive_score";

// Statistics of rows (lib/audit/model/encoding/row_statistics.ts), of two rows at a time.
//
// Bound by memory: a number takes three or four instructions on vectors. Rows lie one after the other, so each number of a vector
// has a load of its own. Numbers are added in the order of the reference: sums are equal to the last bit.

@inline
function storeBoth(to: usize, other: usize, values: v128): void {
  if (other !== 0) v128.store(to, values);
  else store<f64>(to, f64x2.extract_lane(values, 0));
}

/** Sums of the elements of each row, missing ones left out. */
export function sumRows(rows: usize, width: usize, elements: usize, n: usize, out: usize): void {
  const stride = width << 3;
  for (let i: usize = 0; i < n; i += 2, rows += 2 * stride, out += 16) {
    const other = i + 1 < n ? stride : 0;
    let sum = f64x2.splat(0);
    for (let j: usize = 0, at = rows; j < elements; j++, at += 8) {
      const x = numbersOf(at, other);
      sum = f64x2.add(sum, v128.and(x, f64x2.eq(x, x)));
    }
    storeBoth(out, other, sum);
  }
}

/** The largest (`sign` 1) or smallest (−1) element of each row, or its place. */
export function extremesOfRows(
  rows: usize,
  width: usize,
  elements: usize,
  n: usize,
  out: usize,
  sign: f64,
  isPlace: bool,
): void {
  const stride = width << 3, signs = f64x2.splat(sign), one = f64x2.splat(1);
  for (let i: usize = 0; i < n; i += 2, rows += 2 * stride, out += 16) {
    const other = i + 1 < n ? stride : 0;
    let best = f64x2.splat(-Infinity), place = f64x2.splat(-1), own = f64x2.splat(0);
    for (let j: usize = 0, at = rows; j < elements; j++, at += 8) {
      const x = f64x2.mul(signs, numbersOf(at, other)), isBetter = f64x2.gt(x, best);
      best = v128.bitselect(x, best, isBetter);
      place = v128.bitselect(own, place, isBetter);
      own = f64x2.add(own, one);
    }
    storeBoth(out, other, isPlace ? place : f64x2.mul(signs, best));
  }
}

/** How many elements of each row are above a value (`kind` 0), equal to it (1) or not missing (2). */
export function countInRows(
  rows: usize,
  width: usize,
  elements: usize,
  n: usize,
  out: usize,
  kind: i32,
  value: f64,
): void {
  const stride = width << 3, values = f64x2.splat(value);
  for (let i: usize = 0; i < n; i += 2, rows += 2 * stride, out += 16) {
    const other = i + 1 < n ? stride : 0;
    let count = i64x2.splat(0);
    for (let j: usize = 0, at = rows; j < elements; j++, at += 8) {
      const x = numbersOf(at, other);
      const holds = kind === 0
        ? f64x2.gt(x, values)
        : kind === 1
        ? f64x2.eq(x, values)
        : f64x2.eq(x, x);
      count = i64x2.sub(count, holds);
    }
    storeBoth(
      out,
      other,
      f64x2.convert_low_i32x4_u(v128.shuffle<i32>(count, count, 0, 2, 0, 2)),
    );
  }
}
