/** How the data move from one dataset to another. */
export interface DatasetDifference {
  /** How far their total does, else their number. */
  readonly total: number;
  /** How far each of them does, if they are as many numbers on both sides. */
  readonly each: Float64Array | undefined;
}

/** The direction from one dataset to another. */
export function datasetDifferenceOf(
  { left, right }: Readonly<Record<"left" | "right", unknown>>,
): DatasetDifference {
  const [from, to] = [numbersOf(left), numbersOf(right)];
  const moved = sumOf(to) - sumOf(from);
  return {
    total: moved !== 0 && Number.isFinite(moved) ? moved : to.length - from.length,
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
