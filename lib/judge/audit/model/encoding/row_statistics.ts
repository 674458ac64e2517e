// Comparisons are added up as numbers, for a branch on random data is mispredicted half the time.
// Hot loops over the leading `elements` columns of rows `from` to `from + n`; results go to `out`. They are alike on
// purpose: a shared loop with a callback would cost a call for every number.

/** Sums of the elements of each row, missing ones left out. */
export function fillSum(
  rows: Float64Array,
  width: number,
  elements: number,
  from: number,
  n: number,
  out: Float64Array,
): void {
  for (let i = 0; i < n; i++) {
    let at = (from + i) * width;
    let sum = 0;
    for (let j = 0; j < elements; j++) {
      const x = rows[at++]!;
      if (x === x) sum += x;
    }
    out[i] = sum;
  }
}

/** Writes the largest (`sign` 1) or smallest (−1) element of each row, or its position, into `out`. */
export function fillExtreme(
  rows: Float64Array,
  width: number,
  elements: number,
  from: number,
  n: number,
  out: Float64Array,
  sign: number,
  position: boolean,
): void {
  for (let i = 0; i < n; i++) {
    let at = (from + i) * width;
    let best = -Infinity, place = -1;
    for (let j = 0; j < elements; j++) {
      const x = sign * rows[at++]!;
      if (x > best) {
        best = x;
        place = j;
      }
    }
    out[i] = position ? place : sign * best;
  }
}

/** Counts the elements of each row that are not missing. */
export function fillPresent(
  rows: Float64Array,
  width: number,
  elements: number,
  from: number,
  n: number,
  out: Float64Array,
): void {
  for (let i = 0; i < n; i++) {
    let at = (from + i) * width;
    let count = 0;
    for (let j = 0; j < elements; j++) {
      const x = rows[at++]!;
      count += Number(x === x);
    }
    out[i] = count;
  }
}

/** Counts the elements of each row that equal an earlier one; missing ones equal nothing. */
export function fillRepeats(
  rows: Float64Array,
  width: number,
  elements: number,
  from: number,
  n: number,
  out: Float64Array,
): void {
  for (let i = 0; i < n; i++) {
    const start = (from + i) * width, end = start + elements;
    let count = 0;
    for (let at = start + 1; at < end; at++) {
      const x = rows[at]!;
      let earlier = start;
      while (earlier < at && rows[earlier] !== x) earlier++;
      count += Number(earlier < at);
    }
    out[i] = count;
  }
}

/** Counts the elements of each row that are above a value. */
export function fillCountAbove(
  rows: Float64Array,
  width: number,
  elements: number,
  from: number,
  n: number,
  out: Float64Array,
  value: number,
): void {
  for (let i = 0; i < n; i++) {
    let at = (from + i) * width;
    let count = 0;
    for (let j = 0; j < elements; j++) count += Number(rows[at++]! > value);
    out[i] = count;
  }
}

/** Counts the elements of each row that equal a value. */
export function fillCountEqual(
  rows: Float64Array,
  width: number,
  elements: number,
  from: number,
  n: number,
  out: Float64Array,
  value: number,
): void {
  for (let i = 0; i < n; i++) {
    let at = (from + i) * width;
    let count = 0;
    for (let j = 0; j < elements; j++) count += Number(rows[at++] === value);
    out[i] = count;
  }
}

/** Returns the position of the first element that equals a value; the number of elements if none does. */
export function fillFirstEqual(
  rows: Float64Array,
  width: number,
  elements: number,
  from: number,
  n: number,
  out: Float64Array,
  value: number,
): void {
  for (let i = 0; i < n; i++) {
    const at = (from + i) * width;
    let j = 0;
    while (j < elements && rows[at + j] !== value) j++;
    out[i] = j;
  }
}

/** Writes 1 where an odd number of the conditions "the number lies above its threshold" holds, else 0. */
export function fillParity(
  rows: Float64Array,
  width: number,
  conditions: readonly { readonly index: number; readonly threshold: number }[],
  from: number,
  n: number,
  out: Float64Array,
): void {
  out.fill(0, 0, n);
  for (const { index, threshold } of conditions) {
    for (let i = 0, at = from * width + index; i < n; i++, at += width) {
      const above = Number(rows[at]! > threshold), odd = out[i]!;
      out[i] = odd + above - 2 * odd * above;
    }
  }
}
