import type { Source } from "../../core/mechanism/source.ts";
import type { StepPoints } from "./k_means_sums.ts";

/** The noisy records of places, [count, sums…] each, in rows and steps: one release. */
export type ReleaseRecords = (placeOf: (from: number) => number, count: number) => Float64Array;

/** Cells are cut along so many columns at once, at most, and so many times that they are cut into 2⁸ where that is not at most 2⁸ already. */
const MOST_CUT = 10, CUTS = 8;

/** Cells of a release at most. */
const MOST_CELLS = 1024;

/** A cell counts from so many deviations of the noise on, and is cut from so many on. */
const KEPT = 4, CUT = 8;

/** Number of restarts of the clustering of weighted points, and of moves of the centres in each. */
const RESTARTS = 10, MOVES = 20;

const cutColumns = (columnCount: number): number => Math.min(columnCount, MOST_CUT);

/** Returns the maximum number of cells of each release for seeding. The first is one cell, of all rows. */
export function seedingCells(columnCount: number): number[] {
  const columns = cutColumns(columnCount), stages = Math.ceil(CUTS / columns);
  return [
    1,
    ...Array.from({ length: stages }, (_, i) => Math.min(MOST_CELLS, 2 ** (columns * (i + 1)))),
  ];
}

/** A cell of rows, by its noisy record. */
interface Cell {
  readonly count: number;
  /** d numbers, in steps, within the box. */
  readonly mean: Float64Array;
}

/**
 * Centres to begin with, from noisy records alone. All rows are one cell; a cell is cut at its noisy mean, along all columns (ten that are
 * drawn, where there are more), again and again while noise lets it be seen. The means of the cells that are left,
 * weighted by their noisy counts, are clustered by k-means++ (Arthur, Vassilvitskii 2007) and Lloyd's algorithm. So a coarse summary
 * is paid for once and then looked at as often as one likes, as in Su, Cao, Li, Bertino, Jin 2016 (EUGkM), whose cells are a uniform grid.
 *
 * Every release is of disjoint cells, which earlier releases decide: a row is in one of them at most.
 *
 * @param half half a side of the box, in steps.
 * @param deviation that of the noise on a count.
 */
export function seedCentres(
  source: Source,
  { points: { columnCount, steps }, clusters, half, deviation, release }: {
    readonly points: StepPoints;
    readonly clusters: number;
    readonly half: number;
    readonly deviation: number;
    readonly release: ReleaseRecords;
  },
): Float64Array {
  const width = columnCount + 1, cut = cutColumns(columnCount), children = 2 ** cut;
  const cellsOf = (records: Float64Array): Cell[] =>
    Array.from({ length: records.length / width }, (_, i) => {
      const count = records[i * width]!;
      const mean = Float64Array.from(
        { length: columnCount },
        (_, j) => within(records[i * width + 1 + j]! / Math.max(count, 1), half),
      );
      return { count, mean };
    });
  let front = cellsOf(release(() => 0, 1));
  // The cell of the front that each row is in.
  let placeOf = new Int32Array(steps.length / columnCount);
  const kept: Cell[] = [];
  for (const most of seedingCells(columnCount).slice(1)) {
    const order = [...front.keys()].sort((a, b) => front[b]!.count - front[a]!.count);
    const chosen = order.slice(0, most / children)
      .filter((i) => front.length === 1 || front[i]!.count > CUT * deviation);
    const rank = new Int32Array(front.length).fill(-1);
    chosen.forEach((i, k) => rank[i] = k);
    const columns = chosen.map(() => drawnColumns(source, { columnCount, count: cut }));
    const next = placeOf.map((place, row) => {
      const parent = place < 0 ? -1 : rank[place]!;
      if (parent < 0) return -1;
      const { mean } = front[place]!, from = row * columnCount;
      return columns[parent]!.reduce(
        (bits, j) => 2 * bits + (steps[from + j]! > mean[j]! ? 1 : 0),
        parent,
      );
    });
    const cells = cellsOf(
      release((from) => next[from / columnCount]!, chosen.length * children),
    );
    const seen = cells.flatMap(({ count }, i) => count > KEPT * deviation ? [i] : []);
    // A cell that was not cut, or of which no part is seen, stays as it is.
    const cutUp = new Set(seen.map((i) => chosen[Math.floor(i / children)]!));
    kept.push(...front.filter(({ count }, i) => !cutUp.has(i) && count > KEPT * deviation));
    const at = new Int32Array(cells.length).fill(-1);
    seen.forEach((i, k) => at[i] = k);
    placeOf = next.map((place) => place < 0 ? -1 : at[place]!);
    front = seen.map((i) => cells[i]!);
  }
  return clusterCells(source, { cells: [...kept, ...front], clusters, columnCount, half });
}

function within(value: number, half: number): number {
  return Math.min(half, Math.max(-half, value));
}

/** So many different columns in random order, or all of them. */
function drawnColumns(
  source: Source,
  { columnCount, count }: { readonly columnCount: number; readonly count: number },
): number[] {
  const columns = Array.from({ length: columnCount }, (_, j) => j);
  if (count === columnCount) return columns;
  return Array.from({ length: count }, () => {
    const [column] = columns.splice(Math.floor(source.uniform() * columns.length), 1);
    return column!;
  });
}

/** The best of some runs of k-means++ and Lloyd's algorithm on weighted cells; centres that cells are too few for are uniform in the box. */
function clusterCells(
  source: Source,
  { cells, clusters, columnCount, half }: {
    readonly cells: readonly Cell[];
    readonly clusters: number;
    readonly columnCount: number;
    readonly half: number;
  },
): Float64Array {
  let best: Float64Array[] = [], least = Infinity;
  for (let run = 0; run < RESTARTS; run++) {
    let centres: Float64Array[] = [];
    while (centres.length < clusters) {
      const weights = cells.map(({ count, mean }) => count * nearestOf(mean, centres).distance);
      const mean = drawnCell(source, { cells, weights })?.mean ??
        Float64Array.from({ length: columnCount }, () => (2 * source.uniform() - 1) * half);
      centres.push(mean);
    }
    for (let move = 0; move < MOVES; move++) centres = moved(centres, cells);
    const error = cells.reduce(
      (sum, { count, mean }) => sum + count * nearestOf(mean, centres).distance,
      0,
    );
    if (error < least) [best, least] = [centres, error];
  }
  return Float64Array.from(best.flatMap((centre) => [...centre]));
}

/** The nearest centre, and its squared distance: 1 where there is no centre yet. */
function nearestOf(
  point: Float64Array,
  centres: readonly Float64Array[],
): { readonly place: number; readonly distance: number } {
  let place = -1, least = Infinity;
  for (let k = 0; k < centres.length; k++) {
    const centre = centres[k]!;
    let distance = 0;
    for (let j = 0; j < point.length; j++) distance += (centre[j]! - point[j]!) ** 2;
    if (distance < least) [place, least] = [k, distance];
  }
  return { place, distance: place < 0 ? 1 : least };
}

function drawnCell(
  source: Source,
  { cells, weights }: { readonly cells: readonly Cell[]; readonly weights: readonly number[] },
): Cell | undefined {
  let left = source.uniform() * weights.reduce((sum, weight) => sum + weight, 0);
  return cells.find((_, i) => weights[i]! > 0 && (left -= weights[i]!) <= 0);
}

/** One step of Lloyd's algorithm; a centre without cells stays. */
function moved(centres: readonly Float64Array[], cells: readonly Cell[]): Float64Array[] {
  const sums = centres.map((centre) => new Float64Array(centre.length));
  const counts = new Float64Array(centres.length);
  for (const { count, mean } of cells) {
    const { place } = nearestOf(mean, centres);
    counts[place]! += count;
    mean.forEach((value, j) => sums[place]![j]! += count * value);
  }
  return centres.map((centre, k) =>
    counts[k] === 0 ? centre : sums[k]!.map((sum) => sum / counts[k]!)
  );
}
