import type { Source } from "../../../core/mechanism/source.ts";
import type { ClassIndices } from "../erm/rows/signs.ts";
import { MOST_STEPS } from "../../mechanisms/unit_steps.ts";
import type { AdditiveNoise, UnitNoise } from "./additive_noise.ts";
import { binCount, type Bins, joinBins, type Places } from "./bins.ts";

/** The bins of one column and what was learned of them: as many scores and counts as bins. */
export interface Shape {
  /** The edges of a number's bins, ascending, in the units of the column; none for categories. */
  readonly edges?: readonly number[];
  /** Amount that a row in the bin adds to the score. */
  readonly scores: readonly number[];
  /** With a probability of at least 95%, noise moved the score by no more than this. */
  readonly halfWidths: readonly number[];
  /** Noisy numbers of rows. */
  readonly counts: readonly number[];
}

/** Rows by their places in the finest bins of each column, and their classes: 1 is the positive one. */
export interface PlacedRows {
  readonly places: readonly Places[];
  readonly classes: ClassIndices;
}

/** A residual counts as no more than this: that of a row whose score is 0. */
const RESIDUAL_BOUND = 0.5;

/** The second derivative of the logistic loss is at most this. */
const CURVATURE = 0.25;

/**
 * Rows are added to a bin, which score nothing: so many deviations of the noise of a round, over √rounds. Bins of numbers are joined until they
 * hold half as many.
 */
const ROWS_IN_DEVIATIONS = 10;

/** Scores stay within this, so that no sum of them overflows. */
const MOST_SCORE = 1e100;

/**
 * The noisy counts of all columns, then `rounds` rounds over the columns, each of which adds to the scores of its bins
 * learningRate·(noisy sum of residuals)/(¼·(noisy count + rows for shrinkage)). All that depends on the rows is drawn here, with
 * `noise`; {@linkcode additiveNoise} says what it costs.
 */
export function boost(
  source: Source,
  { places, classes, bins, noise: { counts: onCounts, residuals, halfWidth }, ...options }:
    & PlacedRows
    & {
      readonly bins: readonly Bins[];
      readonly noise: AdditiveNoise;
      readonly rounds: number;
      readonly learningRate: number;
      /** Told of all that is released, in order: noisy counts of rows, then noisy sums in units of the bound on a residual. */
      readonly onRelease?: (values: Float64Array) => void;
    },
): Shape[] {
  const { rounds, learningRate, onRelease } = options;
  const deviation = residuals.deviation / Math.sqrt(rounds);
  const shrinkage = ROWS_IN_DEVIATIONS * deviation;
  const shapes = bins.map((each, j): Counted => {
    const counts = noisyCounts(source, { places: places[j]!, count: binCount(each), on: onCounts });
    onRelease?.(counts);
    return "edges" in each
      ? joined({ edges: each.edges, counts, places: places[j]!, least: shrinkage / 2 })
      : { counts: counts.map((count) => Math.max(0, count)), places: places[j]! };
  });
  const scores = shapes.map(({ counts }) => new Float64Array(counts.length));
  const scoreOf = new Float64Array(classes.length);
  // Never infinite: 0 times that is no number, and what follows would not be bounded.
  const factor = Math.min(MOST_SCORE, learningRate * RESIDUAL_BOUND / CURVATURE);
  for (let round = 0; round < rounds; round++) {
    shapes.forEach(({ counts, places }, j) => {
      const exact = residualSums({
        places,
        classes,
        scores: scoreOf,
        count: counts.length,
        stepsPerBound: residuals.stepsPerUnit,
      });
      const noises = residuals.noise.fill(source, new Float64Array(exact.length));
      const sums = exact.map((sum, b) => (sum + noises[b]!) / residuals.stepsPerUnit);
      onRelease?.(sums);
      const moves = sums.map((sum, b) => factor * sum / (counts[b]! + shrinkage));
      const own = scores[j]!;
      for (let b = 0; b < own.length; b++) {
        const before = own[b]!;
        own[b] = Math.max(-MOST_SCORE, Math.min(MOST_SCORE, before + moves[b]!));
        moves[b] = own[b]! - before;
      }
      for (let i = 0; i < scoreOf.length; i++) scoreOf[i]! += moves[places[i]!]!;
    });
  }
  return shapes.map(({ counts, edges }, j) => ({
    ...(edges === undefined ? {} : { edges }),
    scores: [...scores[j]!],
    halfWidths: Array.from(
      counts,
      (count) => halfWidth * factor * deviation * rounds / (count + shrinkage),
    ),
    counts: [...counts],
  }));
}

/** Returns the number of rows in each bin, with noise. A count stops at 2⁵² steps, which reveals no more about a row. */
function noisyCounts(
  source: Source,
  { places, count, on: { stepsPerUnit, noise } }: {
    readonly places: Places;
    readonly count: number;
    readonly on: UnitNoise;
  },
): Float64Array {
  const counts = new Float64Array(count);
  for (let i = 0; i < places.length; i++) counts[places[i]!]!++;
  const noises = noise.fill(source, new Float64Array(count));
  return counts.map((each, b) =>
    Math.min(MOST_STEPS / stepsPerUnit, each) + noises[b]! / stepsPerUnit
  );
}

/** Rows of a column in the bins that it has from here on. */
interface Counted {
  readonly edges?: readonly number[];
  readonly counts: Float64Array;
  readonly places: Places;
}

function joined(
  { counts, places, ...given }: {
    readonly edges: readonly number[];
    readonly counts: Float64Array;
    readonly places: Places;
    readonly least: number;
  },
): Counted {
  const { edges, joined } = joinBins({ ...given, counts });
  const sums = new Float64Array(edges.length + 1);
  counts.forEach((count, b) => sums[joined[b]!]! += count);
  return {
    edges,
    counts: sums.map((sum) => Math.max(0, sum)),
    places: places.map((place) => joined[place]!),
  };
}

/**
 * The residuals of the rows of each bin, summed in whole steps of the bound over `stepsPerBound`. A residual is that of the logistic loss, 1 − p or
 * −p, p = 1/(1 + e^−score), cut off at ±½ and rounded towards 0: no row adds more than `stepsPerBound` steps, whatever the scores are. A sum
 * that would pass ±2⁵² stays there, row by row, which lets a row change it by no more than before.
 */
export function residualSums(
  { places, classes, scores, count, stepsPerBound }: {
    readonly places: Places;
    readonly classes: ClassIndices;
    readonly scores: Float64Array;
    readonly count: number;
    readonly stepsPerBound: number;
  },
): Float64Array {
  const sums = new Float64Array(count);
  for (let i = 0; i < scores.length; i++) {
    const sign = classes[i] === 1 ? 1 : -1;
    const residual = Math.min(1, 1 / (RESIDUAL_BOUND * (1 + Math.exp(sign * scores[i]!))));
    const place = places[i]!;
    const sum = sums[place]! + sign * Math.trunc(residual * stepsPerBound);
    sums[place] = Math.max(-MOST_STEPS, Math.min(MOST_STEPS, sum));
  }
  return sums;
}
