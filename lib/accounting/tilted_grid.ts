import type { LossGrid } from "./loss_grid.ts";
import { minimiserOf } from "../numeric/minimiser_of.ts";

/** Grids of one spacing, each composed with itself `count` times. */
export interface GridPart {
  /** The loss of one run. */
  readonly grid: LossGrid;
  /** How many runs. */
  readonly count: number;
}

/** A grid whose masses were multiplied by e^(tilt·loss) and divided by their sum. */
export interface TiltedGrid {
  /** What was tilted. */
  readonly part: GridPart;
  /** Probabilities under the tilted law. */
  readonly weights: Float64Array;
  /** ln of the sum that was divided out: the logarithm of the moment generating function. */
  readonly logSum: number;
  /** Of the tilted loss, in grid points. */
  readonly mean: number;
  /** Likewise, in squared grid points. */
  readonly variance: number;
}

/** Tilts one grid; the largest term is taken out of the exponentials. */
export function tiltedGrid(part: GridPart, { tilt }: { tilt: number }): TiltedGrid {
  const { masses, first, spacing } = part.grid;
  const size = masses.length;
  const weights = new Float64Array(size);
  let greatest = -Infinity;
  for (let i = 0; i < size; i++) {
    greatest = Math.max(greatest, Math.log(masses[i]!) + tilt * (first + i) * spacing);
  }
  let sum = 0, carry = 0;
  for (let i = 0; i < size; i++) {
    if (masses[i] === 0) continue;
    // Half of the exponent at a time: that of a mass below 1e-308 overflows.
    const root = Math.exp(0.5 * (tilt * (first + i) * spacing - greatest));
    const weight = masses[i]! * root * root;
    weights[i] = weight;
    // Neumaier's sum would be dearer: all terms are positive, so Kahan's is as good.
    const term = weight - carry, next = sum + term;
    carry = (next - sum) - term;
    sum = next;
  }
  let mean = 0, square = 0;
  for (let i = 0; i < size; i++) {
    weights[i]! /= sum;
    mean += weights[i]! * i;
  }
  for (let i = 0; i < size; i++) square += weights[i]! * (i - mean) ** 2;
  return { part, weights, logSum: greatest + Math.log(sum), mean: first + mean, variance: square };
}

/** Σ count·ln E[e^(tilt·loss)] − tilt·ε + ln max_y e^(−tilt·y)(1 − e^−y): a bound on ln δ(ε). */
function logBound(parts: readonly GridPart[], { tilt, epsilon }: Query): number {
  let log = -tilt * epsilon + tilt * Math.log(tilt) - (1 + tilt) * Math.log1p(tilt);
  for (const part of parts) log += part.count * logMoment(part.grid, tilt);
  return log;
}

/** Powers of e^step are multiplied up for this long, if steps are so small, before one is computed afresh. */
const LONGEST_RUN = 64, LARGEST_STEP = 0.5;
/** More than all terms that underflow: each is below e^(LONGEST_RUN·LARGEST_STEP − 745), and there are at most 2²². */
const UNDERFLOW = 1e-280;

/**
 * ln Σ masses·e^(tilt·loss), to about 1e-13: the searches below call it often. Never too small by more
 * than that, since what underflowed is made up for.
 */
function logMoment({ masses, first, spacing }: LossGrid, tilt: number): number {
  const step = tilt * spacing, size = masses.length, factor = Math.exp(step);
  const shift = Math.max(step * first, step * (first + size - 1));
  const run = step > LARGEST_STEP ? 1 : LONGEST_RUN;
  let sum = UNDERFLOW;
  for (let start = 0; start < size; start += run) {
    const end = Math.min(size, start + run);
    let power = Math.exp(step * (first + start) - shift);
    for (let i = start; i < end; i++) {
      sum += masses[i]! * power;
      power *= factor;
    }
  }
  return shift + Math.log(sum);
}

interface Query {
  readonly epsilon: number;
  readonly tilt: number;
}

/** The tilt that makes losses near ε typical. */
export function bestTilt(parts: readonly GridPart[], { epsilon }: { epsilon: number }): number {
  return minimiserOf((tilt) => logBound(parts, { tilt, epsilon }), {
    from: 1e-4,
    to: 1e4,
    within: 0.02,
  });
}

/**
 * Chernoff's bound on the probability, under the tilted laws, that the sum of losses (in grid points) is
 * at least `edge`, with side 1, or at most `edge`, with side −1.
 */
export function farProbability(
  tilted: readonly TiltedGrid[],
  { edge, side }: { edge: number; side: 1 | -1 },
): number {
  const log = (scale: number): number =>
    tilted.reduce(
      (sum, { part: { grid, count }, weights }) =>
        sum + count * logMoment({ ...grid, spacing: 1, masses: weights }, side * scale),
      -side * scale * edge,
    );
  const best = log(minimiserOf(log, { from: 1e-9, to: 10, within: 0.02 }));
  // The margin is for the roundings of a bound that is tiny wherever it matters.
  return Number.isNaN(best) ? 1 : Math.exp(Math.min(0, best + 1e-6));
}
