/** One thing for each dataset of a pair. */
export interface Sides<Each> {
  readonly left: Each;
  readonly right: Each;
}

/** Outputs in a cell, on each dataset. */
export type CellCounts = Sides<number>;

/** What {@linkcode countCells} counts. */
interface CountedOutputs {
  readonly cells: readonly CellCounts[];
  readonly draws: CellCounts;
  readonly tradeOff: readonly CellCounts[];
}

/**
 * Counts the outputs in each cell. For the trade-off cells are ordered by the first half of each side's outputs, those first
 * that are likelier on the left, and counted on the second half: an order chosen on what is counted would show too much.
 */
export function countCells(places: Sides<Uint16Array>, cells: number): CountedOutputs {
  const halves = (side: Uint16Array): [Float64Array, Float64Array] => {
    const middle = Math.floor(side.length / 2);
    const first = new Float64Array(cells), second = new Float64Array(cells);
    side.forEach((cell, i) => {
      const half = i < middle ? first : second;
      half[cell] = half[cell]! + 1;
    });
    return [first, second];
  };
  const [left, leftCounted] = halves(places.left), [right, rightCounted] = halves(places.right);
  const sum = (counts: Float64Array): number => counts.reduce((a, b) => a + b, 0);
  const total = { left: sum(left), right: sum(right) };
  const logRatio = (cell: number): number =>
    Math.log((left[cell]! + 0.5) / (total.left + 0.5)) -
    Math.log((right[cell]! + 0.5) / (total.right + 0.5));
  const order = Array.from({ length: cells }, (_, cell) => cell)
    .sort((a, b) => logRatio(b) - logRatio(a));
  const draws = { left: Math.max(1, sum(leftCounted)), right: Math.max(1, sum(rightCounted)) };
  let hits = { left: 0, right: 0 };
  const tradeOff = order.map((cell) => {
    hits = { left: hits.left + leftCounted[cell]!, right: hits.right + rightCounted[cell]! };
    return { left: hits.left / draws.left, right: hits.right / draws.right };
  });
  return {
    cells: Array.from({ length: cells }, (_, cell) => ({
      left: left[cell]! + leftCounted[cell]!,
      right: right[cell]! + rightCounted[cell]!,
    })),
    draws: { left: places.left.length, right: places.right.length },
    tradeOff: [{ left: 0, right: 0 }, ...tradeOff],
  };
}
