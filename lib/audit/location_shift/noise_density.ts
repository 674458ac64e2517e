import { isotonic } from "../../numeric/isotonic.ts";
import { type BinIndex, binIndex, countBins } from "../encoding/bin_index.ts";

// What noise does to a number it does whatever the number is: outputs on two datasets have the same shape, one a
// little further up. So the shape alone, labels unseen, says what the odds of every output are but for one
// factor, how far: to first order they are that distance times minus the slope of the log density.

/** Cells of equal mass between the tails, and the fewest values beyond a cut. */
const CELLS = 8;
const FEWEST_BEYOND = 32;

/** Values that are sorted for it, at most. */
const MOST_SORTED = 1 << 15;

/** The shape of some values, in cells between cuts from below; the last cell is for those missing. */
export interface NoiseDensity {
  readonly guide: BinIndex;
  readonly leaves: Int32Array;
  /** −1 for cells in the lower half, 1 for those in the upper one, 0 for values missing. */
  readonly halves: Float64Array;
  /** Minus the slope of the log density in each cell: its log odds after a move of 1. */
  readonly slopes: Float64Array;
}

/** The shape of some values; nothing where they are not told apart. */
export function noiseDensityOf(values: Float64Array): NoiseDensity | undefined {
  const cuts = densityThresholds(values);
  if (cuts.length === 0) return undefined;
  const guide = binIndex(cuts);
  const hits = new Float64Array(cuts.length + 2);
  countBins(guide, values, values.length, hits);
  const mass = hits.subarray(0, -1);
  return {
    guide,
    leaves: Int32Array.from(hits.keys()),
    halves: Float64Array.of(...halvesOf(mass), 0),
    slopes: Float64Array.of(...slopesOf(mass, cuts), 0),
  };
}

/** Where the shape of some values is looked at: at eighths of them, and in both tails by halves. */
function densityThresholds(values: Float64Array): Float64Array {
  const stride = Math.ceil(values.length / MOST_SORTED);
  const sorted = values.filter((x, i) => i % stride === 0 && Number.isFinite(x)).sort();
  const n = sorted.length;
  if (n === 0) return sorted;
  const cuts = new Set<number>();
  for (let k = 1; k < CELLS; k++) cuts.add(sorted[Math.floor((k * n) / CELLS)]!);
  for (let tail = n / CELLS / 2; tail >= FEWEST_BEYOND; tail /= 2) {
    cuts.add(sorted[Math.floor(tail)]!);
    cuts.add(sorted[n - 1 - Math.floor(tail)]!);
  }
  // Nothing is above it.
  cuts.delete(sorted[n - 1]!);
  return Float64Array.from(cuts).sort();
}

/**
 * Minus the slope of the log density in each of the cells between `cuts`, from how many values are in each: 0 where
 * two cuts are too few to tell. Noise is nearly always of one peak and light tails, log-concave: slopes then only
 * fall, and are made to.
 */
export function slopesOf(mass: Float64Array, cuts: Float64Array): Float64Array {
  const slopes = new Float64Array(mass.length);
  const last = cuts.length - 1;
  if (last < 1) return slopes;
  const widthOf = (cell: number): number => cuts[cell]! - cuts[cell - 1]!;
  // At each cut, from the cells on its two sides, with the inverse of its variance.
  const own = new Float64Array(cuts.length), weights = new Float64Array(cuts.length);
  for (let k = 0; k <= last; k++) {
    const below = mass[k]! + 0.5, above = mass[k + 1]! + 0.5;
    let width: number;
    if (k === 0 || k === last) {
      // An exponential tail, of which the cell next to it is the beginning.
      width = widthOf(k === 0 ? 1 : last);
      own[k] = (k === 0 ? -Math.log1p(above / below) : Math.log1p(below / above)) / width;
    } else {
      width = (widthOf(k) + widthOf(k + 1)) / 2;
      own[k] = (Math.log(below / widthOf(k)) - Math.log(above / widthOf(k + 1))) / width;
    }
    weights[k] = width ** 2 / (1 / below + 1 / above);
  }
  if (![...own, ...weights].every(Number.isFinite)) return slopes;
  const smooth = isotonic(own, weights);
  for (let cell = 0; cell <= cuts.length; cell++) {
    slopes[cell] = (smooth[Math.max(0, cell - 1)]! + smooth[Math.min(last, cell)]!) / 2;
  }
  return slopes;
}

/** As nearly halves as there are cuts for. */
function halvesOf(mass: Float64Array): Float64Array {
  const total = mass.reduce((sum, own) => sum + own, 0);
  let below = 0, lower = 0, nearest = Infinity;
  mass.forEach((own, cell) => {
    below += own;
    const off = Math.abs(2 * below - total);
    if (off < nearest) {
      nearest = off;
      lower = cell;
    }
  });
  return mass.map((_, cell) => (cell <= lower ? -1 : 1));
}
