import type { LocationShiftBatch, PredictedOdds } from "../betting/prediction_batch.ts";
import { type BinIndex, countBins } from "../encoding/bin_index.ts";
import type { Encoder } from "../encoding/encoder.ts";
import { type LabelledRows, sideOf } from "../encoding/labelled_rows.ts";
import type { DatasetDifference } from "./dataset_difference.ts";
import { estimateShift } from "./estimate_shift.ts";
import { type NoiseDensity, noiseDensityOf } from "./noise_density.ts";

/** What is known of the outputs seen so far. */
interface Seen {
  /** The way that each number of an output is expected to go. */
  readonly signs: Float64Array;
  /** How far outputs move if they move as far as the data. */
  readonly distance: number;
  readonly shape: NoiseDensity;
  /** Draws at `[2 * cell + label]`. */
  readonly counts: Float64Array;
}

/** Standard errors by which who bets on the distance seen so far takes it for smaller. */
const CAUTION = 0.5;

/**
 * Expects outputs to move where the data move, and to keep their shape: an output in the upper half of those seen
 * so far is taken to come from the larger data, and the slope of the density tells where that is clearest.
 * Counts, sums and histograms do so whatever their noise is. There is then no event to find and no direction to
 * learn, at most one number: how far outputs move.
 */
export class LocationShiftPredictor {
  readonly #direction: DatasetDifference;
  #seen: Seen | undefined;

  /** Begins with a direction and no outputs. */
  constructor(direction: DatasetDifference) {
    this.#direction = direction;
  }

  /**
   * Learns the shape of some rows, and how far they moved. An output of one number goes the way of the total, as
   * far as the one of the data that moves most; one of as many numbers as the data goes the way of each.
   */
  centre(all: LabelledRows, { elements }: Pick<Encoder, "elements">): void {
    this.#seen = this.#lookAt(all, elements);
  }

  #lookAt({ rows, labels, width }: LabelledRows, elements: number): Seen | undefined {
    const { total, each } = this.#direction;
    const moves = elements === 1 ? Float64Array.of(total) : each;
    if (moves?.length !== elements || moves.every((move) => move === 0)) return undefined;
    const lengths = (each ?? moves).map(Math.abs);
    const distance = elements === 1
      ? Math.max(...lengths)
      : lengths.reduce((sum, own) => sum + own);
    const signs = moves.map(Math.sign);
    const places = placesOf(rows, width, signs);
    const shape = noiseDensityOf(places);
    if (shape === undefined) return undefined;
    const sides = ([0, 1] as const).map((side) => sideOf({ rows: places, labels, width: 1 }, side));
    return { signs, distance, shape, counts: countBoth(shape.guide, sides) };
  }

  /**
   * Counts rows of `width` numbers from both sides, and says what was expected of them; nothing is before it
   * knows their shape.
   */
  count(
    { left, right }: Readonly<Record<"left" | "right", Float64Array>>,
    width: number,
  ): LocationShiftBatch | undefined {
    const seen = this.#seen;
    if (seen === undefined) return undefined;
    const { guide, leaves, halves } = seen.shape;
    const expected = {
      before: seen.counts.slice(),
      leaves,
      halves,
      asData: oddsAfter(seen, seen.distance),
      asSeen: oddsSeen(seen, CAUTION),
    };
    const counts = countBoth(guide, [left, right].map((rows) => placesOf(rows, width, seen.signs)));
    counts.forEach((count, i) => seen.counts[i]! += count);
    return { counts, ...expected };
  }

  /** What is known of the cells, with odds for the distance seen so far less `caution` standard errors. */
  known(caution: number): PredictedOdds | undefined {
    if (this.#seen === undefined) return undefined;
    const { shape, counts } = this.#seen;
    return { leaves: shape.leaves, counts, odds: oddsSeen(this.#seen, caution) };
  }
}

/** The log odds of each cell after a move. */
function oddsAfter({ shape }: Seen, distance: number): Float64Array {
  return shape.slopes.map((slope) => {
    const odds = distance * slope;
    return Number.isFinite(odds) ? odds : 0;
  });
}

function oddsSeen(seen: Seen, caution: number): Float64Array {
  const { distance, error } = estimateShift({ slopes: seen.shape.slopes, counts: seen.counts });
  return oddsAfter(seen, Math.max(0, distance - caution * error));
}

/** How often the values of either side are in each cell, at `[2 * cell + label]`; a last cell for those missing. */
function countBoth(guide: BinIndex, sides: readonly Float64Array[]): Float64Array {
  const counts = new Float64Array(2 * (guide.cuts.length + 2));
  sides.forEach((values, label) => {
    const hits = new Float64Array(guide.cuts.length + 2);
    countBins(guide, values, values.length, hits);
    hits.forEach((count, cell) => counts[2 * cell + label] = count);
  });
  return counts;
}

/** How far up rows are, in the direction of the data; NaN where a number that should move is missing. */
function placesOf(rows: Float64Array, width: number, signs: Float64Array): Float64Array {
  if (width === 1 && signs[0] === 1) return rows;
  const places = new Float64Array(rows.length / width);
  signs.forEach((sign, j) => {
    if (sign === 0) return;
    for (let i = 0; i < places.length; i++) places[i]! += sign * rows[i * width + j]!;
  });
  return places;
}
