import { isotonic } from "../../../../core/numeric/isotonic.ts";
import { type BinIndex, binIndex, countBins, fillBins } from "../encoding/bin_index.ts";

// Additive noise has the same density around every value. So the densities of the outputs on two neighbours differ by a
// shift, and the log odds of an output are to first order the distance times minus the slope of the log density. The slope
// is estimated without labels.

/** Bins of equal mass between the tails, and the fewest values beyond the last threshold of a tail. */
const BINS = 8, FEWEST_BEYOND = 32;

/** The most values that are sorted to place the thresholds. */
const MOST_SORTED = 1 << 15;

/** A density estimate in bins between ascending thresholds; the last bin is for missing values. */
export interface NoiseDensity {
  /** Finds the bin of a value. */
  readonly index: BinIndex;
  /** All bins. */
  readonly leaves: Int32Array;
  /** −1 for bins in the lower half, 1 for those in the upper half, 0 for missing values. */
  readonly halves: Float64Array;
  /** Minus the slope of the log density in each bin: its log odds of "right" after a shift by 1. */
  readonly slopes: Float64Array;
}

/** Returns the density of some values; `undefined` where fewer than two of them differ. */
export function noiseDensityOf(values: Float64Array): NoiseDensity | undefined {
  const thresholds = densityThresholds(values);
  if (thresholds.length === 0) return undefined;
  const index = binIndex(thresholds);
  const hits = new Float64Array(thresholds.length + 2);
  countBins(index, values, values.length, hits);
  const mass = hits.subarray(0, -1);
  return {
    index,
    leaves: Int32Array.from(hits.keys()),
    halves: Float64Array.of(...halvesOf(mass), 0),
    slopes: Float64Array.of(...slopesOf(mass, thresholds), 0),
  };
}

/** Returns the density of values that are log odds of "right" after a shift by 1: the slope of a bin is their mean. */
export function densityOfOdds(odds: Float64Array): NoiseDensity | undefined {
  const density = noiseDensityOf(odds);
  if (density === undefined) return undefined;
  const missing = density.index.thresholds.length + 1;
  const bins = new Int32Array(odds.length), hits = new Float64Array(missing + 1);
  fillBins(density.index, odds, odds.length, bins);
  const sums = new Float64Array(missing + 1);
  bins.forEach((bin, i) => {
    hits[bin]!++;
    if (bin < missing) sums[bin]! += odds[i]!;
  });
  return { ...density, slopes: sums.map((sum, bin) => hits[bin] === 0 ? 0 : sum / hits[bin]!) };
}

/** Thresholds at the eighths of the values, and in both tails at a half, a quarter, … of an eighth. */
function densityThresholds(values: Float64Array): Float64Array {
  const stride = Math.ceil(values.length / MOST_SORTED);
  const sorted = values.filter((x, i) => i % stride === 0 && Number.isFinite(x)).sort();
  const n = sorted.length;
  if (n === 0) return sorted;
  const thresholds = new Set<number>();
  for (let k = 1; k < BINS; k++) thresholds.add(sorted[Math.floor((k * n) / BINS)]!);
  for (let tail = n / BINS / 2; tail >= FEWEST_BEYOND; tail /= 2) {
    thresholds.add(sorted[Math.floor(tail)]!);
    thresholds.add(sorted[n - 1 - Math.floor(tail)]!);
  }
  // No value lies above the largest.
  thresholds.delete(sorted[n - 1]!);
  return Float64Array.from(thresholds).sort();
}

/**
 * Minus the slope of the log density in each of the bins between `thresholds`, from the number of values in each; 0 where
 * there is one threshold only. Noise is nearly always log-concave, and minus the slope then rises from bin to bin; so an
 * isotonic regression smooths the estimates.
 */
function slopesOf(mass: Float64Array, thresholds: Float64Array): Float64Array {
  const slopes = new Float64Array(mass.length);
  const last = thresholds.length - 1;
  if (last < 1) return slopes;
  const widthOf = (bin: number): number => thresholds[bin]! - thresholds[bin - 1]!;
  // The estimate at each threshold, from the bins on its two sides, with the inverse of its variance as its weight.
  const own = new Float64Array(thresholds.length), weights = new Float64Array(thresholds.length);
  for (let k = 0; k <= last; k++) {
    const below = mass[k]! + 0.5, above = mass[k + 1]! + 0.5;
    let width: number;
    if (k === 0 || k === last) {
      // The tail is taken to be exponential: the bin next to it and the tail have a ratio that gives the slope.
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
  for (let bin = 0; bin <= thresholds.length; bin++) {
    slopes[bin] = (smooth[Math.max(0, bin - 1)]! + smooth[Math.min(last, bin)]!) / 2;
  }
  return slopes;
}

/** Divides the bins into two halves whose masses are as equal as the thresholds allow. */
function halvesOf(mass: Float64Array): Float64Array {
  const total = mass.reduce((sum, own) => sum + own, 0);
  let below = 0, lower = 0, nearest = Infinity;
  mass.forEach((own, bin) => {
    below += own;
    const off = Math.abs(2 * below - total);
    if (off < nearest) {
      nearest = off;
      lower = bin;
    }
  });
  return mass.map((_, bin) => (bin <= lower ? -1 : 1));
}
