import type { LossLaw } from "./privacy_loss.ts";

/**
 * A loss law that lives on the multiples of `spacing`: under P, the loss is (first + i)·spacing with
 * probability `masses[i]` and infinite with probability `infinite`. What the law says of Q follows, as
 * the masses times e^−loss.
 */
export interface LossGrid {
  /** Nats between two points. */
  readonly spacing: number;
  /** The lowest point, as a multiple of the spacing. */
  readonly first: number;
  /** P(loss = (first + i)·spacing). */
  readonly masses: Float64Array;
  /** P(loss = ∞). */
  readonly infinite: number;
  /** Probabilities under P and under Q are right up to a factor e^±`relativeError`. */
  readonly relativeError: number;
}

/** Losses this close to a multiple of the spacing, in nats, are taken to be on it. */
const ON_GRID = 5e-13;
/** What that and a dozen roundings may change in a probability under Q. */
const GRID_ERROR = 1e-12;
/** A grid this size takes seconds to compose and is never needed. */
const MAX_POINTS = 2 ** 22;

function gridIndexBelow(loss: number, spacing: number): number {
  return Math.floor((loss + ON_GRID) / spacing);
}

function gridIndexAbove(loss: number, spacing: number): number {
  return Math.ceil((loss - ON_GRID) / spacing);
}

/** The points from the one below the lowest loss to the one above the highest. */
function gridRange(law: LossLaw, spacing: number): { first: number; last: number } {
  const first = gridIndexBelow(law.lowest, spacing), last = gridIndexAbove(law.highest, spacing);
  if (last - first > MAX_POINTS) {
    throw new RangeError(
      `Cannot put a privacy loss on a grid: spacing must leave at most ${MAX_POINTS} points: ` +
        `current value is ${spacing}`,
    );
  }
  return { first, last };
}

/**
 * A grid that is at least as far from private as `law` at every ε ("connect the dots": Doroshenko,
 * Ghazi, Kamath, Kumar, Manurangsi 2022, section 4).
 *
 * The outputs with losses between two neighbouring points are replaced by two outputs with exactly
 * those losses and, together, the same probability under P and under Q: a pair from which the true one
 * is obtained by merging. The mean loss moves by the square of the spacing, not by half of it as when
 * losses are rounded up. Losses above the range count as infinite, those below as its lowest point.
 */
export function pessimisticGrid(
  law: LossLaw,
  { spacing }: { spacing: number },
): LossGrid {
  const { first, last } = gridRange(law, spacing);
  const masses = new Float64Array(last - first + 1);
  let infinite = law.infinite;
  // The end of the law's range in place of the last point, so that no sliver is cut off for a rounding.
  const point = (index: number): number => index < last ? index * spacing : law.highest;
  const split = -Math.expm1(-spacing);
  const add = (index: number, p: number, q: number): void => {
    // (a, b) on points (x, x + spacing) with a + b = p and a e^−x + b e^−(x + spacing) = q.
    const high = Math.min(p, Math.max(0, (p - q * Math.exp(index * spacing)) / split));
    masses[index - first]! += p - high;
    masses[index - first + 1]! += high;
  };
  for (const { loss, p, q } of law.atoms) {
    const below = gridIndexBelow(loss, spacing);
    if (below === gridIndexAbove(loss, spacing)) masses[below - first]! += p;
    else add(below, p, q);
  }
  if (law.intervalMass !== undefined) {
    for (let index = first; index < last; index++) {
      const { p, q } = law.intervalMass(point(index), point(index + 1));
      add(index, p, q);
    }
    masses[0]! += law.intervalMass(-Infinity, point(first)).p;
    infinite += law.intervalMass(point(last), Infinity).p;
  }
  return { spacing, first, masses, infinite, relativeError: law.relativeError + GRID_ERROR };
}

interface Cell {
  readonly loss: number;
  readonly p: number;
  readonly q: number;
}

/** Cells to a grid interval: finer ones lose less when they are merged across a boundary. */
const CELLS_PER_INTERVAL = 4;

/** Outputs merged into cells of nearly one loss each, by ascending loss. Merging loses distance only. */
function cellsOf(law: LossLaw, spacing: number): Cell[] {
  const cells: Cell[] = [...law.atoms];
  const { intervalMass } = law;
  if (intervalMass !== undefined) {
    const { first, last } = gridRange(law, spacing);
    let from = -Infinity;
    for (let i = 1; i <= (last - first) * CELLS_PER_INTERVAL; i++) {
      const isLast = i === (last - first) * CELLS_PER_INTERVAL;
      const to = isLast ? Infinity : (first + i / CELLS_PER_INTERVAL) * spacing;
      const { p, q } = intervalMass(from, to);
      cells.push({ loss: Math.log(p) - Math.log(q), p, q });
      from = to;
    }
  }
  // Those that underflow have no loss.
  return cells.filter(({ p, q }) => p > 0 && q > 0).sort((a, b) => a.loss - b.loss);
}

/**
 * A grid that is at most as far from private as `law` at every ε: outputs are merged, neighbours in
 * loss with neighbours, until the loss of what was merged is a point of the grid. Merging is
 * post-processing, so it can only hide; a cell may be divided between two mergers (by a coin flip).
 *
 * Mergers are made from the highest loss down and from the lowest up, so that the atoms at the ends
 * stay what they are; what is left where the two meet (at the least likely place) is rounded down.
 */
export function optimisticGrid(
  law: LossLaw,
  { spacing }: { spacing: number },
): LossGrid {
  const cells = cellsOf(law, spacing);
  const range = gridRange(law, spacing);
  const first = Math.min(range.first, gridIndexBelow(cells[0]?.loss ?? Infinity, spacing));
  const last = Math.max(range.last, gridIndexAbove(cells.at(-1)?.loss ?? -Infinity, spacing));
  const masses = new Float64Array(last - first + 1);
  const emit = (index: number, p: number): void => {
    masses[index - first]! += p;
  };
  const meeting = lightestOf(cells);
  merge(cells.slice(meeting).reverse(), { spacing, side: 1, emit });
  merge(cells.slice(0, meeting), { spacing, side: -1, emit });
  return {
    spacing,
    first,
    masses,
    infinite: law.infinite,
    relativeError: law.relativeError + GRID_ERROR,
  };
}

/** The least likely cell: what is rounded down, where mergers meet, is about as likely as it is. */
function lightestOf(cells: readonly Cell[]): number {
  let lightest = 0;
  for (const [i, { p }] of cells.entries()) if (p < cells[lightest]!.p) lightest = i;
  return lightest;
}

/**
 * Merges neighbours until their loss is a point: by falling losses the point below the first of them (side 1), by
 * rising losses the point above (side −1). What is left at the end is rounded down.
 */
function merge(
  cells: readonly Cell[],
  { spacing, side, emit }: {
    spacing: number;
    side: 1 | -1;
    emit: (index: number, p: number) => void;
  },
): void {
  const indexOf = side === 1 ? gridIndexBelow : gridIndexAbove;
  let p = 0, q = 0, index = 0, target = 0;
  for (const cell of cells) {
    let part = 1;
    // How far the merger still is from its point, and how much further than that the cell would take it.
    const short = Math.max(0, side * (p - target * q)),
      beyond = side * (target * cell.q - cell.p);
    if (short < beyond) {
      const used = short / beyond;
      emit(index, p + used * cell.p);
      part = 1 - used;
      p = q = 0;
    }
    if (p === 0) {
      index = indexOf(cell.loss, spacing);
      target = Math.exp(index * spacing);
    }
    p += part * cell.p;
    q += part * cell.q;
  }
  if (p > 0) emit(gridIndexBelow(Math.log(p) - Math.log(q), spacing), p);
}
