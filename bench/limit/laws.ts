import { normalTail } from "../../lib/core/numeric/normal_tail.ts";
import type { SparseVectorOptions } from "../../fixtures/judge/mutants/sparse_vector.ts";
import type { Laws } from "./limit.ts";

/** P(noise ≤ x) of one dimension. */
export type Distribution = (x: number) => number;

/** The standard laws of noise. */
export const laplace = (x: number): number => x < 0 ? Math.exp(x) / 2 : 1 - Math.exp(-x) / 2;
export const normal = (x: number): number => normalTail(-x);
export const exponential = (x: number): number => x < 0 ? 0 : -Math.expm1(-x);
export const gumbel = (x: number): number => Math.exp(-Math.exp(-x));

/** The value that Laplace noise exceeds with this probability. */
export function laplaceQuantile(tail: number): number {
  return tail < 0.5 ? -Math.log(2 * tail) : Math.log(2 * (1 - tail));
}

/** Points of a quadrature over noise, of equal probability each. */
const POINTS = 2000;

/** Ends of cells: 6,000 of a width that grows with the distance from 0, out to 10⁸. */
const GROWING = Float64Array.from({ length: 6001 }, (_, i) => 0.02 * Math.sinh((i - 3000) / 136));

/** The probabilities of the cells between `ends`, and of what is beyond the first and the last. */
function cells(distribution: Distribution, ends: Float64Array): Float64Array {
  const below = Float64Array.from([0, ...ends.map(distribution), 1]);
  return below.subarray(1).map((value, i) => Math.max(0, value - below[i]!));
}

/** Two laws of one number; between the cells nothing is lost but what a grid this fine hides. */
export function numbers(left: Distribution, right: Distribution, ends = GROWING): Laws {
  return { left: cells(left, ends), right: cells(right, ends) };
}

/** `center + scale·noise`. */
export function scaled(noise: Distribution, center: number, scale: number): Distribution {
  return (x) => noise((x - center) / scale);
}

/** The largest of several independent numbers. */
export function largest(parts: readonly Distribution[]): Distribution {
  return (x) => parts.reduce((product, part) => product * part(x), 1);
}

/** Outputs of several independent parts with equal laws, where only how often each cell of a part occurs matters. */
export function repeatedly(part: Laws, times: number): Laws {
  const power = (law: ArrayLike<number>): Float64Array => {
    let all = Float64Array.of(1);
    for (let k = 0; k < times; k++) {
      const next = new Float64Array(all.length + law.length - 1);
      all.forEach((mass, i) => {
        for (let j = 0; j < law.length; j++) next[i + j]! += mass * law[j]!;
      });
      all = next;
    }
    return all;
  };
  return { left: power(part.left), right: power(part.right) };
}

/**
 * The place of the largest of some numbers plus noise: the probability of each. `quantile` is the noise that is exceeded with a probability.
 */
export function places(
  scores: readonly number[],
  { noise, quantile }: {
    readonly noise: Distribution;
    readonly quantile: (tail: number) => number;
  },
): Float64Array {
  const middles = Float64Array.from(
    { length: 10 * POINTS },
    (_, k) => quantile((k + 0.5) / (10 * POINTS)),
  );
  return Float64Array.from(scores, (own, i) =>
    middles.reduce((total, value) =>
      total +
      scores.reduce((p, other, j) => j === i ? p : p * noise(own + value - other), 1), 0) /
    middles.length);
}

/** A shift of Laplace noise in cells of equal steps of its odds, which sums of indices keep apart. */
export function shiftedLaplace(shift: number, scale: number): Laws {
  const steps = 80;
  return numbers(
    scaled(laplace, 0, scale),
    scaled(laplace, shift, scale),
    Float64Array.from({ length: steps + 1 }, (_, i) => shift * i / steps),
  );
}

/** Of all transcripts of a sparse vector of one threshold that says 0 or 1: the probabilities, by quadrature over the threshold. */
export function transcripts(
  data: readonly number[],
  { threshold, cutoff, thresholdScale, answerScale }: SparseVectorOptions,
): Float64Array {
  const all = new Float64Array(2 ** data.length);
  for (let point = 0; point < 2 * POINTS; point++) {
    const noise = -thresholdScale * Math.log((point % POINTS + 0.5) / POINTS);
    const bar = threshold + (point < POINTS ? noise : -noise);
    // Of the transcripts so far, by their bits: the probability, and nothing of those that have ended.
    let begun = Float64Array.of(1 / (2 * POINTS));
    data.forEach((answer, i) => {
      const gap = bar - answer;
      const below = answerScale > 0 ? laplace(gap / answerScale) : Number(gap > 0);
      const next = new Float64Array(2 * begun.length);
      begun.forEach((mass, bits) => {
        next[2 * bits] = mass * below;
        if (cutoff === Infinity) next[2 * bits + 1] = mass * (1 - below);
        else all[(2 * bits + 1) << (data.length - 1 - i)]! += mass * (1 - below);
      });
      begun = next;
    });
    begun.forEach((mass, bits) => all[bits]! += mass);
  }
  return all;
}

/**
 * A mean with noise of scale `half / (size + half·noise)`, or its exact value where that is negative. The last cell is the exact value 0, the one
 * before it the exact value of any other mean.
 */
export function meanByNoisySize(
  { mean, size, half, noise, quantile }: {
    readonly mean: number;
    readonly size: number;
    readonly half: number;
    readonly noise: Distribution;
    /** The noise that is exceeded with this probability. */
    readonly quantile: (tail: number) => number;
  },
): Float64Array {
  const positive = 1 - noise(-size / half);
  const scales = Float64Array.from(
    { length: POINTS / 2 },
    (_, k) => half / (size + half * quantile(positive * (k + 0.5) / (POINTS / 2))),
  );
  const spread = cells(
    (x) => scales.reduce((total, scale) => total + noise((x - mean) / scale), 0) / scales.length,
    GROWING,
  );
  const exact = 1 - positive;
  return Float64Array.from([
    ...spread.map((mass) => positive * mass),
    mean === 0 ? 0 : exact,
    mean === 0 ? exact : 0,
  ]);
}
