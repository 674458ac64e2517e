/** Returns the median of the numbers that are not NaN, of an even number of them the larger middle one; `undefined` where there are none. */
export function medianOf(values: Iterable<number>): number | undefined {
  const numbers = Float64Array.from(values).filter((value) => !Number.isNaN(value)).sort();
  return numbers[numbers.length >> 1];
}
