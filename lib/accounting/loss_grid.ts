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

/** The point as a loss; at an end of the law's range the end itself, so that no sliver is cut off. */
function pointOf(position: number, law: LossLaw, spacing: number): number {
  const point = position * spacing;
  if (Math.abs(point - law.highest) <= ON_GRID) return law.highest;
  return Math.abs(point - law.lowest) <= ON_GRID ? law.lowest : point;
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
  const point = (index: number): number => pointOf(index, law, spacing);
  const split = -Math.expm1(-spacing);
  const add = (index: number, p: number, q: number): void => {
    // (a, b) on points (x, x + spacing) with a + b = p and a e^−x + b e^−(x + spacing) = q.
    const high = Math.min(p, Math.max(0, (p - q * Math.exp(index * spacing)) / split));
    masses[index - first]! += p - high;
    if (high > 0) masses[index - first + 1]! += high;
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
  const cells: Cell[] = [];
  const { intervalMass } = law;
  if (intervalMass !== undefined) {
    const { first, last } = gridRange(law, spacing);
    const bounds = [-Infinity];
    for (let i = 0; i <= (last - first) * CELLS_PER_INTERVAL; i++) {
      bounds.push(pointOf(first + i / CELLS_PER_INTERVAL, law, spacing));
    }
    bounds.push(Infinity);
    for (let i = 1; i < bounds.length; i++) {
      const { p, q } = intervalMass(bounds[i - 1]!, bounds[i]!);
      if (p > 0 && q > 0) cells.push({ loss: Math.log(p) - Math.log(q), p, q });
    }
  }
  cells.push(...law.atoms.filter(({ p, q }) => p > 0 && q > 0));
  return cells.sort((a, b) => a.loss - b.loss);
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
  const meeting = leastLikely(cells);
  mergeDown(cells.slice(meeting), { spacing, emit });
  mergeUp(cells.slice(0, meeting), { spacing, emit });
  return {
    spacing,
    first,
    masses,
    infinite: law.infinite,
    relativeError: law.relativeError + GRID_ERROR,
  };
}

/** Where the fewest outputs are: between two far apart cells, or at the lightest one. */
function leastLikely(cells: readonly Cell[]): number {
  let best = cells.length, lightest = Infinity;
  for (let i = 1; i < cells.length; i++) {
    const gap = cells[i]!.loss - cells[i - 1]!.loss;
    const weight = Math.min(cells[i]!.p, cells[i - 1]!.p) / (gap + 1e-300);
    if (weight < lightest) [best, lightest] = [i, weight];
  }
  return best;
}

interface Merging {
  /** Nats between two points. */
  readonly spacing: number;
  emit(index: number, p: number): void;
}

function mergeDown(cells: readonly Cell[], { spacing, emit }: Merging): void {
  let p = 0, q = 0, index = 0, target = 0;
  for (let i = cells.length - 1; i >= 0; i--) {
    const { loss } = cells[i]!;
    let { p: cellP, q: cellQ } = cells[i]!;
    while (cellP > 0) {
      if (p === 0) {
        index = gridIndexBelow(loss, spacing);
        target = Math.exp(index * spacing);
      }
      // A merger starts with any cell: rounding must not leave it empty for ever.
      if (p === 0 || p + cellP >= target * (q + cellQ)) {
        p += cellP;
        q += cellQ;
        break;
      }
      const fraction = Math.min(1, Math.max(0, (p - target * q) / (target * cellQ - cellP)));
      emit(index, p + fraction * cellP);
      p = q = 0;
      cellP *= 1 - fraction;
      cellQ *= 1 - fraction;
    }
  }
  // The loss of what is left is at least the target's: rounding it down only hides.
  if (p > 0) emit(index, p);
}

function mergeUp(cells: readonly Cell[], { spacing, emit }: Merging): void {
  let p = 0, q = 0, index = 0, target = 0;
  for (const { loss, p: wholeP, q: wholeQ } of cells) {
    let cellP = wholeP, cellQ = wholeQ;
    while (cellP > 0) {
      if (p === 0) {
        index = gridIndexAbove(loss, spacing);
        target = Math.exp(index * spacing);
      }
      if (p === 0 || p + cellP <= target * (q + cellQ)) {
        p += cellP;
        q += cellQ;
        break;
      }
      const fraction = Math.min(1, Math.max(0, (target * q - p) / (cellP - target * cellQ)));
      emit(index, p + fraction * cellP);
      p = q = 0;
      cellP *= 1 - fraction;
      cellQ *= 1 - fraction;
    }
  }
  // The loss of what is left is at most the target's: it is rounded down to its own point.
  if (p > 0) emit(gridIndexBelow(Math.log(p) - Math.log(q), spacing), p);
}
