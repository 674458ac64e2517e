import { pchisq, pnorm } from "lib-r-math.js";

/** A continuous law as R knows it, for samplers to be held against. */
export interface Law {
  /** The x with P(X ≤ x) = p, or P(X > x) = p for the upper tail. */
  quantile(p: number, lowerTail: boolean): number;
  cumulative(x: number): number;
  readonly mean: number;
  readonly variance: number;
  /** E((X − mean)⁴)/variance². */
  readonly kurtosis: number;
}

/** Every statistical check of the float samplers accepts when its p-value is above this. */
export const FALSE_ALARM = 1e-7;

/** Both tails are cut at these probabilities, and between them every cell has 1/200. */
const TAIL = [1e-5, 1e-4, 1e-3];

/** Pearson's chi-square on 206 cells, of which the outermost have 1e-5 on either side. */
export function chiSquareFit(draws: Float64Array, law: Law): number {
  const lower = [...TAIL, ...Array.from({ length: 100 }, (_, i) => (i + 1) / 200)];
  const upper = lower.slice(0, -1).reverse();
  const edges = Float64Array.of(
    ...lower.map((p) => law.quantile(p, true)),
    ...upper.map((p) => law.quantile(p, false)),
  );
  const half = lower.map((p, i) => p - (lower[i - 1] ?? 0));
  const probabilities = [...half, ...half.toReversed()];
  const counts = new Float64Array(probabilities.length);
  for (let i = 0; i < draws.length; i++) counts[cellOf(draws[i]!, edges)]!++;
  return chiSquare(counts, probabilities.map((p) => p * draws.length));
}

/** The number of edges below x. */
function cellOf(x: number, edges: Float64Array): number {
  let low = 0, high = edges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (edges[middle]! < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** P-value of Pearson's statistic. */
export function chiSquare(
  counts: ArrayLike<number>,
  expected: ArrayLike<number>,
  degrees = counts.length - 1,
): number {
  let statistic = 0;
  for (let i = 0; i < counts.length; i++) {
    statistic += (counts[i]! - expected[i]!) ** 2 / expected[i]!;
  }
  return pchisq(statistic, degrees, undefined, false);
}

/** Kolmogorov and Smirnov's statistic; the p-value is the bound 2e^(−2nD²) of Massart 1990, valid for every n. */
export function kolmogorovSmirnovFit(draws: Float64Array, law: Law): number {
  const sorted = draws.toSorted();
  let distance = 0;
  for (let i = 0; i < sorted.length; i++) {
    const p = law.cumulative(sorted[i]!);
    distance = Math.max(distance, p - i / sorted.length, (i + 1) / sorted.length - p);
  }
  return Math.min(1, 2 * Math.exp(-2 * sorted.length * distance ** 2));
}

/** P-value of the mean. */
export function meanFit(draws: Float64Array, law: Law): number {
  let sum = 0;
  for (const x of draws) sum += x - law.mean;
  return twoSided(sum / Math.sqrt(draws.length * law.variance));
}

/** P-value of the variance about the known mean. */
export function varianceFit(draws: Float64Array, law: Law): number {
  let sum = 0;
  for (const x of draws) sum += (x - law.mean) ** 2 / law.variance - 1;
  return twoSided(sum / Math.sqrt(draws.length * (law.kurtosis - 1)));
}

/** P-value of the correlation of draws that are `lag` apart. */
export function serialFit(draws: Float64Array, law: Law, lag: number): number {
  let sum = 0;
  const count = draws.length - lag;
  for (let i = 0; i < count; i++) sum += (draws[i]! - law.mean) * (draws[i + lag]! - law.mean);
  return twoSided(sum / law.variance / Math.sqrt(count));
}

/** P-value of the independence of sign and magnitude, of a symmetric law. */
export function signFit(draws: Float64Array, law: Law): number {
  const tail = [
    0.5,
    ...Array.from({ length: 49 }, (_, i) => 0.5 - (i + 1) / 100),
    ...TAIL.toReversed(),
  ];
  const edges = Float64Array.from(tail, (p) => law.quantile(p, false)).subarray(1);
  const counts = new Float64Array(2 * (edges.length + 1));
  for (const x of draws) counts[2 * cellOf(Math.abs(x), edges) + (x < 0 ? 1 : 0)]!++;
  const expected = counts.map((_, i) => (counts[i]! + counts[i ^ 1]!) / 2);
  // Given the magnitudes, every cell is a fair coin: one degree of freedom each.
  return chiSquare(counts, expected, counts.length / 2);
}

/** How many draws equal another one. */
export function duplicates(draws: Float64Array): number {
  const sorted = draws.toSorted();
  let count = 0;
  for (let i = 1; i < sorted.length; i++) if (sorted[i] === sorted[i - 1]) count++;
  return count;
}

/** P-value of a standard normal score. */
export function twoSided(score: number): number {
  return 2 * pnorm(Math.abs(score), 0, 1, false);
}
