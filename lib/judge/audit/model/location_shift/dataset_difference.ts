/** By how much the right dataset of a pair differs from the left one. */
export interface DatasetDifference {
  /** The difference of the sums; of the numbers of rows where the sums agree or are not finite. */
  readonly total: number;
  /** The difference of each number, where both sides are lists of numbers of one length. */
  readonly each: Float64Array | undefined;
}

/** Returns the difference from the left dataset to the right one. */
export function datasetDifferenceOf(
  { left, right }: Readonly<Record<"left" | "right", unknown>>,
): DatasetDifference {
  const [from, to] = [numbersOf(left), numbersOf(right)];
  const difference = sumOf(to) - sumOf(from);
  return {
    total: difference !== 0 && Number.isFinite(difference) ? difference : to.length - from.length,
    each: from.length !== to.length || [...from, ...to].some(Number.isNaN)
      ? undefined
      : Float64Array.from(to, (x, i) => x - from[i]!),
  };
}

function numbersOf(data: unknown): number[] {
  return Array.isArray(data) ? data.map(Number) : [];
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
