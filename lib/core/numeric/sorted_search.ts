// Binary search in ascending values.

/** Returns the index of the first item ≥ value. */
export function firstAtLeast(sorted: Float64Array, value: number): number {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the first item > value. */
export function firstAbove(sorted: Float64Array, value: number): number {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
