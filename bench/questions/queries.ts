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
const mean = (x: readonly number[]): number => sum(x) / N;
const sorted = (x: readonly number[]): number[] => x.toSorted((a, b) => a - b);
const count = (x: readonly number[], holds: (value: number) => boolean): number =>
  x.filter(holds).length;
/** The sum over all pairs of places i < j. */
const overPairs = (x: readonly number[], of: (a: number, b: number) => number): number =>
  sumOf(x, (a, i) => x.slice(i + 1).reduce((total, b) => total + of(a, b), 0));
/** The sum over all neighbouring places. */
const overSteps = (x: readonly number[], of: (a: number, b: number) => number): number =>
  x.slice(1).reduce((total, b, i) => total + of(x[i]!, b), 0);
const distance = (a: number, b: number): number => Math.abs(a - b);
const variance = (x: readonly number[]): number => {
  const middle = mean(x);
  return sumOf(x, (value) => (value - middle) ** 2) / N;
};

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
  { others, from = 0, to = 1, at = 0 }: Change,
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

/**
 * The queries. y are the numbers in order, z the four others in order; a seminorm f changes by at most f(1, 0, 0, 0, 0), by the triangle
 * inequality. Neighbours in this list are alike, so that the odd and the even places are alike as a whole.
 */
export const queries: readonly Query[] = [
  query("sum", sum, 1, { others: zeros }),
  query("mean", mean, 1 / N, { others: zeros }),
  // A number that goes from below all others to above moves y3 from z2 to z3.
  query("median", (x) => sorted(x)[2]!, 1, { others: halves }),
  query("lower quartile, y2", (x) => sorted(x)[1]!, 1, { others: [0, 1, 1, 1] }),
  // (z3 − z1) to (z4 − z2) and what is between: at most z4 − z1.
  query("interquartile range, y4 − y2", (x) => sorted(x)[3]! - sorted(x)[1]!, 1, {
    others: mixed,
  }),
  query("range", (x) => Math.max(...x) - Math.min(...x), 1, { others: zeros }),
  // (n − 1)/n² times the square of the distance from the mean of the others, plus what does not change.
  query("variance", variance, 4 / 25, { others: zeros }),
  // A seminorm.
  query("standard deviation", (x) => Math.sqrt(variance(x)), 0.4, { others: zeros }),
  // From (z1 + z2 + z3)/3 to (z2 + z3 + z4)/3.
  query("trimmed mean, y2 to y4", (x) => sum(sorted(x).slice(1, 4)) / 3, 1 / 3, {
    others: halves,
  }),
  // From (2 z1 + z2 + 2 z3)/5 to (2 z2 + z3 + 2 z4)/5: gaps with weights 2, 1, 2 that add up to 1.
  query(
    "winsorised mean",
    (x) => {
      const [, a, b, c] = sorted(x);
      return (2 * a! + b! + 2 * c!) / 5;
    },
    2 / 5,
    { others: mixed },
  ),
  query("largest", (x) => Math.max(...x), 1, { others: zeros }),
  query("smallest", (x) => Math.min(...x), 1, { others: ones }),
  query("second largest, y4", (x) => sorted(x)[3]!, 1, { others: mixed }),
  // From (z3 + z4)/2 to (z4 + 1)/2.
  query("mean of the two largest", (x) => sum(sorted(x).slice(3)) / 2, 1 / 2, { others: zeros }),
  // (z1 + z4)/2 is left by half of the distance that the number is outside of [z1, z4], on one side or the other.
  query("midrange", (x) => (Math.max(...x) + Math.min(...x)) / 2, 1 / 2, { others: zeros }),
  // From (z1 + z3)/2 to (z2 + z4)/2: two gaps with weight 1/2.
  query("midhinge, (y2 + y4)/2", (x) => (sorted(x)[1]! + sorted(x)[3]!) / 2, 1 / 2, {
    others: mixed,
  }),
  // From (z1 + 2 z2 + z3)/4 to (z2 + 2 z3 + z4)/4: gaps with weights 1/4, 1/2, 1/4.
  query(
    "trimean",
    (x) => {
      const [, a, b, c] = sorted(x);
      return (a! + 2 * b! + c!) / 4;
    },
    1 / 2,
    { others: halves },
  ),
  // Three numbers on the shorter side of the median are within 1/2 of it, so the value is in [0, 1/2].
  query(
    "median distance from the median",
    (x) => {
      const middle = sorted(x)[2]!;
      return sorted(x.map((value) => distance(value, middle)))[2]!;
    },
    1 / 2,
    { others: [0, 0, 0.5, 1] },
  ),
  query("numbers above 0.5", (x) => count(x, (value) => value > 0.5), 1, { others: zeros }),
  query("numbers of at least 0.9", (x) => count(x, (value) => value >= 0.9), 1, { others: zeros }),
  query("share from 0.4 to 0.6", (x) => count(x, (value) => distance(value, 0.5) <= 0.1) / N, 0.2, {
    others: zeros,
    to: 0.5,
  }),
  query("numbers below 0.25 or above 0.75", (x) => count(x, (v) => distance(v, 0.5) > 0.25), 1, {
    others: zeros,
    to: 0.5,
  }),
  query("most numbers are above 0.5", (x) => +(count(x, (value) => value > 0.5) > 2), 1, {
    others: halves,
  }),
  query("all numbers are above 0.5", (x) => +x.every((value) => value > 0.5), 1, { others: ones }),
  // s/(1 + s) is concave.
  query("sum / (1 + sum)", (x) => sum(x) / (1 + sum(x)), 1 / 2, { others: zeros }),
  // In [0, 1].
  query("largest / (1 + smallest)", (x) => Math.max(...x) / (1 + Math.min(...x)), 1, {
    others: zeros,
  }),
  // A convex function over a positive linear one is largest in a corner: (2/5)/(1/5 + 1/10) at one 1; 0 at zeros.
  query(
    "standard deviation / (0.1 + mean)",
    (x) => Math.sqrt(variance(x)) / (0.1 + mean(x)),
    4 / 3,
    { others: zeros },
  ),
  // The same: k (5 − k)/(1 + k) at k ones is at most 2.
  query("sum of distances / (1 + sum)", (x) => overPairs(x, distance) / (1 + sum(x)), 2, {
    others: zeros,
  }),
  query("Euclidean norm", (x) => Math.hypot(...x), 1, { others: zeros }),
  query("norm of order 3", (x) => Math.cbrt(sumOf(x, (value) => value ** 3)), 1, { others: zeros }),
  // ln((e + R)/(1 + R)), where R ≥ 4 is the sum of the others' exponentials.
  query("log-sum-exp", (x) => Math.log(sumOf(x, Math.exp)), Math.log((Math.E + 4) / 5), {
    others: zeros,
  }),
  query(
    "log-sum-exp of tenfold numbers, / 10",
    (x) => Math.log(sumOf(x, (value) => Math.exp(10 * value))) / 10,
    Math.log((Math.exp(10) + 4) / 5) / 10,
    { others: zeros },
  ),
  query("geometric mean", (x) => x.reduce((a, b) => a * b) ** (1 / N), 1, { others: ones }),
  // 5/(R + 1/1.1) − 5/(R + 10) falls as R, which is at least 4/1.1, rises.
  query(
    "harmonic mean of numbers plus 0.1",
    (x) => N / sumOf(x, (value) => 1 / (value + 0.1)),
    1.1 - 5 / (10 + 4 / 1.1),
    { others: ones },
  ),
  query("sum of squares", (x) => sumOf(x, (value) => value ** 2), 1, { others: zeros }),
  query("sum of roots", (x) => sumOf(x, Math.sqrt), 1, { others: zeros }),
  // A seminorm of the first differences: two of them change.
  query("total variation", (x) => overSteps(x, distance), 2, { others: zeros, at: 2 }),
  // (x_i − x_{i−1})₊ + (x_{i+1} − x_i)₊ changes by at most 1.
  query("sum of rises", (x) => overSteps(x, (a, b) => Math.max(0, b - a)), 1, {
    others: zeros,
    at: 4,
  }),
  query("sum of distances from 0.5", (x) => sumOf(x, (value) => distance(value, 0.5)), 1 / 2, {
    others: zeros,
    to: 0.5,
  }),
  query("sum of x (1 − x)", (x) => sumOf(x, (value) => value * (1 - value)), 1 / 4, {
    others: zeros,
    to: 0.5,
  }),
  // g(s + 1) − g(s) of the S-shaped g is largest where s and s + 1 are equally far from its centre.
  query("1/(1 + exp(10 − 4 sum))", (x) => 1 / (1 + Math.exp(10 - 4 * sum(x))), Math.tanh(1), {
    others: halves,
  }),
  query("square of the mean", (x) => mean(x) ** 2, 1 - 16 / 25, { others: ones }),
  query(
    "weighted mean, weights 1 to 5",
    (x) => sumOf(x, (value, i) => value * (i + 1)) / 15,
    1 / 3,
    {
      others: zeros,
      at: 4,
    },
  ),
  query("slope", (x) => sumOf(x, (value, i) => value * (i - 2)) / 10, 1 / 5, { others: zeros }),
  // The entropy of k/5: from k = 0 to 1 or 4 to 5 it changes most.
  query(
    "entropy of the share above 0.5",
    (x) => {
      const share = count(x, (value) => value > 0.5) / N;
      return [share, 1 - share].reduce((h, p) => h - (p > 0 ? p * Math.log(p) : 0), 0);
    },
    Math.log(5) - 0.8 * Math.log(4),
    { others: zeros },
  ),
  query("pairs further apart than 0.5", (x) => overPairs(x, (a, b) => +(distance(a, b) > 0.5)), 4, {
    others: zeros,
  }),
  query("inversions", (x) => overPairs(x, (a, b) => +(a > b)), 4, { others: zeros }),
  query("numbers below the first", (x) => count(x, (value) => value < x[0]!), 4, { others: zeros }),
  // A seminorm.
  query("mean distance from the mean", (x) => sumOf(x, (v) => distance(v, mean(x))) / N, 8 / 25, {
    others: zeros,
  }),
];
