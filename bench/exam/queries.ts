/** A query on five numbers in [0, 1], and by how much it can change when one of them is replaced. */
export interface Query {
  readonly name: string;
  /** The value, from five numbers in [0, 1]. */
  readonly of: (x: readonly number[]) => number;
  /** The largest change when one number is replaced. */
  readonly sensitivity: number;
  /** Two neighbours between which the query changes by its sensitivity, and the place at which they differ. */
  readonly left: readonly number[];
  readonly right: readonly number[];
  readonly at: number;
}

const N = 5;

const sum = (x: readonly number[]): number => x.reduce((total, value) => total + value, 0);
const sumOf = (x: readonly number[], of: (value: number, i: number) => number): number =>
  x.reduce((total, value, i) => total + of(value, i), 0);
const sorted = (x: readonly number[]): number[] => x.toSorted((a, b) => a - b);
const count = (x: readonly number[], holds: (value: number) => boolean): number =>
  x.filter(holds).length;
/** The sum over all neighbouring places. */
const overSteps = (x: readonly number[], of: (a: number, b: number) => number): number =>
  x.slice(1).reduce((total, b, i) => total + of(x[i]!, b), 0);
const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** The other four numbers, the place of the fifth, and its two values. */
interface Change {
  readonly others: readonly number[];
  readonly from?: number;
  readonly to?: number;
  readonly at?: number;
}

function query(
  name: string,
  of: Query["of"],
  sensitivity: number,
  { others, from = 0, to = 1, at = 0 }: Change = { others: zeros },
): Query {
  return {
    name,
    of,
    sensitivity,
    left: others.toSpliced(at, 0, from),
    right: others.toSpliced(at, 0, to),
    at,
  };
}

const zeros = [0, 0, 0, 0], ones = [1, 1, 1, 1], halves = [0, 0, 1, 1], mixed = [0, 0, 0, 1];
const toHalf = { others: zeros, to: 0.5 };

/**
 * The functions of DPriv-Bench's first part in the order of their numbers, of five numbers. Where it leaves a constant open, the one is taken at which the function changes
 * most: μ = 1 in 10, [0.4, 0.6] in 24, τ = 0.5 in 32, the first number in 45, δ = 2 in 48.
 */
export const queries: readonly Query[] = [
  query("sum", sum, 1),
  query("product", (x) => x.reduce((a, b) => a * b), 1, { others: ones }),
  query("largest", (x) => Math.max(...x), 1),
  query("smallest", (x) => Math.min(...x), 1, { others: ones }),
  query("mean", (x) => sum(x) / N, 1 / N),
  query("Euclidean norm", (x) => Math.hypot(...x), 1),
  query("total variation", (x) => overSteps(x, (a, b) => Math.abs(a - b)), 2, {
    others: zeros,
    at: 2,
  }),
  query(
    "sum of distances from the mean",
    (x) => sumOf(x, (v) => Math.abs(v - sum(x) / N)),
    2 * (N - 1) / N,
  ),
  query("squares about the mean", (x) => sumOf(x, (v) => (v - sum(x) / N) ** 2), (N - 1) / N),
  query("squares about 1", (x) => sumOf(x, (v) => (v - 1) ** 2), 1),
  query("sum of squares", (x) => sumOf(x, (v) => v ** 2), 1),
  query("sum of cubes", (x) => sumOf(x, (v) => v ** 3), 1),
  query("sum of roots", (x) => sumOf(x, Math.sqrt), 1),
  query("sum of logarithms", (x) => sumOf(x, Math.log1p), Math.LN2),
  query("sum of exponentials", (x) => sumOf(x, Math.exp), Math.E - 1),
  query("sum of sines", (x) => sumOf(x, (v) => Math.sin(Math.PI * v)), 1, toHalf),
  query("sum of cosines", (x) => sumOf(x, (v) => Math.cos(Math.PI * v)), 2),
  query("sum of arctangents", (x) => sumOf(x, Math.atan), Math.PI / 4),
  query("sum of x (1 − x)", (x) => sumOf(x, (v) => v * (1 - v)), 1 / 4, toHalf),
  query("sum of x² (1 − x)²", (x) => sumOf(x, (v) => (v * (1 - v)) ** 2), 1 / 16, toHalf),
  query("median", (x) => sorted(x)[2]!, 1, { others: halves }),
  query("interquartile range", (x) => sorted(x)[3]! - sorted(x)[1]!, 1, { others: mixed }),
  query("numbers above 0.5", (x) => count(x, (v) => v > 0.5), 1),
  query("numbers from 0.4 to 0.6", (x) => count(x, (v) => v >= 0.4 && v <= 0.6), 1, toHalf),
  query("products of neighbours", (x) => overSteps(x, (a, b) => a * b), 2, {
    others: ones,
    at: 2,
  }),
  query("products of pairs", (x) => (sum(x) ** 2 - sumOf(x, (v) => v ** 2)) / 2, N - 1, {
    others: ones,
  }),
  query("alternating sum", (x) => x[0]! - x[1]! + x[2]! - x[3]!, 1),
  query("square of the sum", (x) => sum(x) ** 2, 2 * N - 1, { others: ones }),
  query("weighted sum", (x) => sumOf(x, (v, i) => (i + 1) * v), N, { others: zeros, at: N - 1 }),
  query("sum above half of the rows", (x) => +(sum(x) > N / 2), 1, { others: halves }),
  query("numbers above 0.7", (x) => count(x, (v) => v > 0.7), 1),
  query("all numbers above 0.5", (x) => +x.every((v) => v > 0.5), 1, { others: ones }),
  query("the first above the second", (x) => +(x[0]! > x[1]!), 1),
  query("parity of the numbers above 0.5", (x) => count(x, (v) => v > 0.5) % 2, 1),
  query("logarithm of 1 + sum of squares", (x) => Math.log1p(sumOf(x, (v) => v ** 2)), Math.LN2),
  query(
    "norm of differences in a ring",
    (x) => Math.hypot(...x.map((v, i) => v - x[(i + 1) % N]!)),
    Math.SQRT2,
  ),
  query("squares / (1 + sum)", (x) => sumOf(x, (v) => v ** 2) / (1 + sum(x)), 1 / 2),
  query("exp(−squares)", (x) => Math.exp(-sumOf(x, (v) => v ** 2)), 1 - 1 / Math.E),
  query("sum of 1 / (1 + x²)", (x) => sumOf(x, (v) => 1 / (1 + v ** 2)), 1 / 2),
  query("sum of logistic values", (x) => sumOf(x, logistic), logistic(1) - 1 / 2),
  query(
    "mean by exponential weights",
    (x) => sumOf(x, (v) => v * Math.exp(v)) / sumOf(x, Math.exp),
    Math.E / (Math.E + N - 1),
  ),
  query("sum of distances from 0.5", (x) => sumOf(x, (v) => Math.abs(v - 0.5)), 1 / 2, toHalf),
  query("squares of differences", (x) => overSteps(x, (a, b) => (a - b) ** 2), 2, {
    others: zeros,
    at: 2,
  }),
  query("sum in another order", (x) => [3, 0, 4, 2, 1].reduce((s, i) => s + x[i]!, 0), 1),
  query("rank of the first", (x) => count(x, (v) => v < x[0]!), N - 1, {
    others: [0.5, 0.5, 0.5, 0.5],
  }),
  query("sum at even places", (x) => x[1]! + x[3]!, 1, { others: zeros, at: 1 }),
  query("sum of x / place", (x) => sumOf(x, (v, i) => v / (i + 1)), 1),
  query("sum of −x ln(x + 2)", (x) => sumOf(x, (v) => -v * Math.log(v + 2)), Math.log(3)),
  query("distances from place / 5", (x) => sumOf(x, (v, i) => Math.abs(v - (i + 1) / N)), 1, {
    others: zeros,
    at: N - 1,
  }),
];
