import { normalTail } from "../../../lib/core/numeric/normal_tail.ts";

/** Two laws on the same outcomes. */
export interface Pair {
  readonly p: readonly number[];
  readonly q: readonly number[];
}

export const reversed = ({ p, q }: Pair): Pair => ({ p: q, q: p });

export const sumOf = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0);

export function normalised(weights: readonly number[]): number[] {
  const all = sumOf(weights);
  return weights.map((weight) => weight / all);
}

/** The largest logarithm of a ratio, in both directions. */
export function largestLoss({ p, q }: Pair): number {
  return Math.max(
    ...p.map((x, i) => x === q[i] ? 0 : Math.abs(Math.log(x) - Math.log(q[i]!))),
  );
}

/** δ at ε, in both directions: the sum of (p − e^ε·q)⁺. */
export function deltaOf(pair: Pair, epsilon: number): number {
  const growth = Math.exp(epsilon);
  return Math.max(
    ...[pair, reversed(pair)].map(({ p, q }) =>
      sumOf(p.map((x, i) => Math.max(0, x - growth * q[i]!)))
    ),
  );
}

/** The Rényi divergence of order α > 1, by logarithms. */
export function renyi({ p, q }: Pair, order: number): number {
  const logs = p.flatMap((x, i) =>
    x > 0 ? [order * Math.log(x) + (1 - order) * Math.log(q[i]!)] : []
  );
  const largest = Math.max(...logs);
  if (largest === Infinity) return Infinity;
  return (largest + Math.log(sumOf(logs.map((log) => Math.exp(log - largest))))) / (order - 1);
}

/** Randomised response that tells the truth with odds e^ε, so many times: by the number of lies. */
export function responses(epsilon: number, count = 1): Pair {
  return biased({ truth: 1 / (1 + Math.exp(-epsilon)), other: 1 / (1 + Math.exp(epsilon)) }, count);
}

/** The number of failures of so many coins of one probability of success under P, and of another under Q. */
export function biased(
  { truth, other }: { readonly truth: number; readonly other: number },
  count: number,
): Pair {
  const law = (success: number): number[] => {
    let log = count * Math.log(success);
    return Array.from({ length: count + 1 }, (_, k) => {
      if (k > 0) log += Math.log((count - k + 1) / k) + Math.log1p(-success) - Math.log(success);
      return Math.exp(log);
    });
  };
  return { p: law(truth), q: law(other) };
}

/** Four points of Gauss and Legendre in each of so many cells. */
export function integral(
  f: (x: number) => number,
  { from, to, cells = 400 }: {
    readonly from: number;
    readonly to: number;
    readonly cells?: number;
  },
): number {
  const half = (to - from) / (2 * cells);
  let sum = 0;
  for (let cell = 0; cell < cells; cell++) {
    const centre = from + (2 * cell + 1) * half;
    for (const [node, weight] of GAUSS) {
      sum += weight * (f(centre + node * half) + f(centre - node * half));
    }
  }
  return sum * half;
}

const GAUSS = [
  [0.3399810435848563, 0.6521451548625461],
  [0.8611363115940526, 0.3478548451374538],
] as const;

export type Density = (x: number) => number;

/** δ at ε of two densities, in both directions. */
export function deltaOfDensities(
  p: Density,
  q: Density,
  { epsilon, reach, cells = 4000 }: {
    readonly epsilon: number;
    readonly reach: number;
    readonly cells?: number;
  },
): number {
  const growth = Math.exp(epsilon);
  const one = (a: Density, b: Density): number =>
    integral((x) => Math.max(0, a(x) - growth * b(x)), { from: -reach, to: reach, cells });
  return Math.max(one(p, q), one(q, p));
}

export const normal = (mean: number, deviation: number): Density => (x) =>
  Math.exp(-0.5 * ((x - mean) / deviation) ** 2) / (deviation * Math.sqrt(2 * Math.PI));

/** Mixtures of densities by their weights. */
export const mixed = (parts: readonly (readonly [number, Density])[]): Density => (x) =>
  parts.reduce((sum, [weight, density]) => sum + weight * density(x), 0);

/** Φ. */
export const below = (x: number): number => normalTail(-x);

export const laplaceDensity = (x: number, scale: number): number =>
  Math.exp(-Math.abs(x) / scale) / (2 * scale);

/** The probability that Laplace noise is above x. */
export const laplaceTail = (x: number, scale: number): number =>
  x >= 0 ? 0.5 * Math.exp(-x / scale) : 1 - 0.5 * Math.exp(x / scale);

/** All lists of so many of some values. */
export function* lists<T>(values: readonly T[], length: number): Generator<T[]> {
  if (length === 0) yield [];
  else for (const rest of lists(values, length - 1)) for (const x of values) yield [...rest, x];
}
