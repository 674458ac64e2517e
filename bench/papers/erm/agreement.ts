/** One computed mean, its standard error, and the mean that a paper prints. */
export interface Compared {
  readonly error: number;
  readonly standardError: number;
  readonly printed: number;
}

/** In how many cells ours and the printed mean agree, by each of four criteria. */
export interface Agreement {
  readonly cells: number;
  /** |d| ≤ .01. */
  readonly hundredth: number;
  /** |d| ≤ 2 of our standard errors. */
  readonly standardErrors: number;
  /** By both of the above. */
  readonly both: number;
  /** |d| ≤ .01 + 2 standard errors: the widest. */
  readonly sum: number;
}

/** Counts the cells that agree. Cells without a printed mean (NaN) agree by no criterion. */
export function agreementOf(cells: readonly Compared[]): Agreement {
  const count = (agrees: (distance: number, deviation: number) => boolean): number =>
    cells.filter(({ error, standardError, printed }) =>
      agrees(Math.abs(error - printed), 2 * standardError)
    ).length;
  return {
    cells: cells.length,
    hundredth: count((distance) => distance <= 0.01),
    standardErrors: count((distance, deviation) => distance <= deviation),
    both: count((distance, deviation) => distance <= Math.min(0.01, deviation)),
    sum: count((distance, deviation) => distance <= 0.01 + deviation),
  };
}
