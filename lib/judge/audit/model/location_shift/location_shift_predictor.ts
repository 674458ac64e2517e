import type { LocationShiftBatch, PredictedOdds } from "../../kernel/betting/prediction_batch.ts";
import { type BinIndex, countBins } from "../encoding/bin_index.ts";
import type { Encoder } from "../encoding/encoder_data.ts";
import { type LabelledRows, sideOf } from "../encoding/labelled_rows.ts";
import type { DatasetDifference } from "./dataset_difference.ts";
import { estimateShift } from "./estimate_shift.ts";
import { densityOfOdds, type NoiseDensity, noiseDensityOf } from "./noise_density.ts";
import { SharedNoise } from "./shared_noise.ts";

/** The estimates from the outputs so far. */
interface Learned {
  /** The sign of the expected shift of each number of an output. */
  readonly signs: Float64Array;
  /** The noise that the numbers of an output share, where there are several: places are log odds then. */
  readonly noise: SharedNoise | undefined;
  /** The shift if outputs move as far as the data. */
  readonly distance: number;
  readonly density: NoiseDensity;
  /** Draws at `[2 * bin + label]`. */
  readonly counts: Float64Array;
}

/** Standard errors subtracted from the estimated shift before it is bet on. */
const STANDARD_ERRORS_OFF = 0.5;

/**
 * Predicts that outputs are shifted in the direction in which the data differ, and that their noise keeps its density.
 * Counts, sums and histograms behave so, whatever their noise is. Then there is no event to find and no direction to
 * learn; at most one number, the distance, is estimated.
 */
export class LocationShiftPredictor {
  readonly #difference: DatasetDifference;
  #learned: Learned | undefined;

  /** Begins without outputs. */
  constructor(difference: DatasetDifference) {
    this.#difference = difference;
  }

  /**
   * Learns the density of some rows and counts them. An output of one number is expected to move with the sum of the data,
   * by the largest difference of a single number; an output of as many numbers as the data, or its steps, each with its own.
   */
  learn(all: LabelledRows, { elements }: Pick<Encoder, "elements">): void {
    this.#learned = this.#learnedFrom(all, elements);
  }

  #learnedFrom({ rows, labels, width }: LabelledRows, elements: number): Learned | undefined {
    const { total, each } = this.#difference;
    const moves = elements === 1 ? Float64Array.of(total) : each;
    if (moves?.length !== elements || moves.every((move) => move === 0)) return undefined;
    const noise = elements === 1 ? undefined : SharedNoise.of({ rows, width, moves });
    const signs = moves.map(Math.sign);
    const places = placesOf(rows, { width, signs, noise });
    const density = noise === undefined ? noiseDensityOf(places) : densityOfOdds(places);
    if (density === undefined) return undefined;
    const sides = ([0, 1] as const).map((side) => sideOf({ rows: places, labels, width: 1 }, side));
    const distance = noise === undefined ? distanceOf(each ?? moves, elements) : 1;
    return { signs, noise, distance, density, counts: countBoth(density.index, sides) };
  }

  /**
   * Counts rows of `width` numbers from both sides, with what was predicted of them before; `undefined` as long as no
   * density is known.
   */
  count(
    { left, right }: Readonly<Record<"left" | "right", Float64Array>>,
    width: number,
  ): LocationShiftBatch | undefined {
    const learned = this.#learned;
    if (learned === undefined) return undefined;
    const { index, leaves, halves } = learned.density;
    const expected = {
      before: learned.counts.slice(),
      leaves,
      halves,
      asData: oddsAfter(learned, learned.distance),
      asSeen: oddsForEstimate(learned, STANDARD_ERRORS_OFF),
    };
    const counts = countBoth(
      index,
      [left, right].map((rows) => placesOf(rows, { ...learned, width })),
    );
    counts.forEach((count, i) => learned.counts[i]! += count);
    return { counts, ...expected };
  }

  /** Returns the bins with odds for the estimated shift less `standardErrors` standard errors. */
  predictedOdds(standardErrors: number): PredictedOdds | undefined {
    if (this.#learned === undefined) return undefined;
    const { density, counts } = this.#learned;
    return { leaves: density.leaves, counts, odds: oddsForEstimate(this.#learned, standardErrors) };
  }
}

/** Returns the log odds of each bin after a shift. */
function oddsAfter({ density }: Learned, distance: number): Float64Array {
  return density.slopes.map((slope) => {
    const odds = distance * slope;
    return Number.isFinite(odds) ? odds : 0;
  });
}

function oddsForEstimate(learned: Learned, standardErrors: number): Float64Array {
  const { distance, error } = estimateShift({
    slopes: learned.density.slopes,
    counts: learned.counts,
  });
  return oddsAfter(learned, Math.max(0, distance - standardErrors * error));
}

/** Counts the values of each side in each bin, at `[2 * bin + label]`; the last bin is for missing values. */
function countBoth(index: BinIndex, sides: readonly Float64Array[]): Float64Array {
  const counts = new Float64Array(2 * (index.thresholds.length + 2));
  sides.forEach((values, label) => {
    const hits = new Float64Array(index.thresholds.length + 2);
    countBins(index, values, values.length, hits);
    hits.forEach((count, bin) => counts[2 * bin + label] = count);
  });
  return counts;
}

/** Returns how far outputs move that move as far as the data: of one number by the most that one of them moves, of several by all. */
function distanceOf(moves: Float64Array, elements: number): number {
  // There may be more rows than a call takes arguments.
  return moves.map(Math.abs).reduce(
    (all, own) => elements === 1 ? Math.max(all, own) : all + own,
    0,
  );
}

/** Returns the place of each row along the direction of the data; NaN where a number that should move is missing. */
function placesOf(
  rows: Float64Array,
  { width, signs, noise }: Pick<Learned, "signs" | "noise"> & { readonly width: number },
): Float64Array {
  if (noise !== undefined) return noise.oddsOf(rows, width);
  if (width === 1 && signs[0] === 1) return rows;
  const places = new Float64Array(rows.length / width);
  signs.forEach((sign, j) => {
    if (sign === 0) return;
    for (let i = 0; i < places.length; i++) places[i]! += sign * rows[i * width + j]!;
  });
  return places;
}
