import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import type { Case, Claims } from "./case.ts";
import {
  below,
  integral,
  laplaceDensity,
  laplaceTail,
  largestLoss,
  lists,
  normal,
  normalised,
  type Pair,
  renyi,
  responses,
  reversed,
  sumOf,
} from "./losses.ts";

const ORDERS = [1.5, 2, 4, 16, 64, 1000];

/** The law of the best of K runs, by the law of one with its outcomes from worst to best, for logarithmic K: of which E[x^K] is ln(1 − (1 − γ)x)/ln γ. */
function best(law: readonly number[], gamma: number): number[] {
  const ends = [0, ...law.map((_, i) => sumOf(law.slice(0, i + 1)))];
  const upTo = ends.map((x) => Math.log1p(-(1 - gamma) * Math.min(1, x)) / Math.log(gamma));
  return law.map((_, i) => upTo[i + 1]! - upTo[i]!);
}

const tuned = (epsilon: number, order: number, gamma: number): number =>
  (2 - 1 / order) * epsilon - Math.log(gamma) / order +
  (Math.log1p(-gamma) - Math.log(gamma) - Math.log(-Math.log(gamma))) / (order - 1);

/** Scores that see the row: of two outcomes that do not depend on the data the other is best. */
function* seenByScore(): Generator<Case> {
  for (const gamma of [0.01, 0.1]) {
    const law = best([0.5, 0.5], gamma);
    for (const order of ORDERS) {
      yield {
        lost: renyi({ p: law, q: law.toReversed() }, order),
        allowed: tuned(0, order, gamma),
      };
    }
  }
}

/** δ of numbers whose r coordinates are normal with variance v, put out with probability p, by the law of the sum of their squares, for even r. */
function spreadDelta(
  [left, right]: readonly [readonly [number, number], readonly [number, number]],
  { epsilon, r }: { readonly epsilon: number; readonly r: number },
): number {
  const [[p, v], [q, w]] = [left, right], growth = Math.exp(epsilon);
  // P(sum of squares > y) = e^(−y/2v)·Σ (y/2v)^j/j!.
  const above = (y: number, variance: number): number => {
    const x = Math.max(0, y) / (2 * variance);
    let term = 1, sum = 1;
    for (let j = 1; j < r / 2; j++) sum += term *= x / j;
    return sum * Math.exp(-x);
  };
  if (v === w) return Math.max(0, p - growth * q);
  const at = (Math.log(p / q) - epsilon - r / 2 * Math.log(v / w)) / ((1 / v - 1 / w) / 2);
  const mass = (variance: number): number => v > w ? above(at, variance) : 1 - above(at, variance);
  return Math.max(0, p * mass(v) - growth * q * mass(w));
}

/** A projection of a matrix of one column with the sum of squares s, B = 1: δ where a row of norm 1 comes in. */
function* projections(
  { scale, claimed, sumsOf }: {
    /** Of the noise of the test, in 1/ε. */
    readonly scale: number;
    /** The ε that is claimed, in the ε of the algorithm. */
    readonly claimed: number;
    /** Sums of squares in units of the threshold. */
    readonly sumsOf: readonly number[];
  },
): Generator<Case> {
  for (const epsilon of [0.5, 1]) {
    for (const delta of [1e-2, 1e-5]) {
      for (const r of [2, 6]) {
        const log = Math.log(8 / delta);
        const square = 8 / epsilon * (Math.sqrt(2 * r * log) + 2 * log);
        const threshold = square + 4 * Math.log(1 / delta) / epsilon;
        for (const share of sumsOf) {
          const [p, q] = [share * threshold, share * threshold + 1].map((s) => {
            const unaltered = 1 - laplaceTail(s - threshold, scale / epsilon);
            return [[unaltered, s], [1 - unaltered, s + square]] as [number, number][];
          });
          for (const [a, b] of [[p!, q!], [q!, p!]] as const) {
            const lost = a.map((_, i) =>
              a[i]![0] > 0 ? spreadDelta([a[i]!, b[i]!], { epsilon: claimed * epsilon, r }) : 0
            );
            yield { lost: sumOf(lost), allowed: delta };
          }
        }
      }
    }
  }
}

const SHARES = [0.01, 0.3, 0.6, 0.8, 0.9, 0.95, 0.98, 1, 1.02, 1.1, 1.5, 3];

/** The law of the noisy maximum of votes, with normal noise. */
const noisyMaximum = (votes: readonly number[], deviation: number): number[] =>
  votes.map((vote, i) =>
    integral(
      (x) =>
        votes.reduce(
          (product, other, j) => j === i ? product : product * below((x - other) / deviation),
          normal(vote, deviation)(x),
        ),
      {
        from: Math.min(...votes) - 12 * deviation,
        to: Math.max(...votes) + 12 * deviation,
        cells: 800,
      },
    )
  );

/** The data-dependent bound of Papernot et al. 2018, but for the factor before the logarithm; `undefined` where its conditions fail. */
function votesBound(
  votes: readonly number[],
  { deviation, order, all = true }: {
    readonly deviation: number;
    readonly order: number;
    readonly all?: boolean;
  },
): number | undefined {
  const q = Math.min(
    ...votes.map((vote, i) =>
      sumOf(votes.map((other, j) => j === i ? 0 : below((other - vote) / (Math.SQRT2 * deviation))))
    ),
  );
  const mu2 = deviation * Math.sqrt(-Math.log(q)), mu1 = mu2 + 1;
  const e1 = mu1 / deviation ** 2, e2 = mu2 / deviation ** 2;
  const most = Math.exp((mu2 - 1) * e2) / (mu1 / (mu1 - 1) * mu2 / (mu2 - 1)) ** mu2;
  if (!(q <= most) || all && !(q < 1 && mu1 >= order && mu2 > 1)) return undefined;
  const a = Math.log((1 - q) / (1 - (q * Math.exp(e2)) ** ((mu2 - 1) / mu2)));
  const b = e1 - Math.log(q) / (mu1 - 1);
  const logs = [Math.log1p(-q) + (order - 1) * a, Math.log(q) + (order - 1) * b];
  const largest = Math.max(...logs);
  return largest + Math.log(sumOf(logs.map((log) => Math.exp(log - largest))));
}

/** Votes that always pass the threshold, whose noise is so large that it counts for nothing. One voter changes its mind. */
function* voted(
  all: readonly (readonly number[])[],
  { deviation, orders, factor, conditions = true }: {
    readonly deviation: number;
    readonly orders: readonly number[];
    readonly factor: (order: number) => number;
    readonly conditions?: boolean;
  },
): Generator<Case> {
  for (const votes of all) {
    const law = noisyMaximum(votes, deviation);
    for (const [from, to] of [[0, 1], [1, 0], [votes.length - 1, 0]] as const) {
      const other = votes.with(from, votes[from]! - 1);
      const moved = noisyMaximum(other.with(to, other[to]! + 1), deviation);
      for (const order of orders) {
        const bound = votesBound(votes, { deviation, order, all: conditions });
        if (bound === undefined) continue;
        yield { lost: renyi({ p: law, q: moved }, order), allowed: factor(order) * bound };
      }
    }
  }
}

/** δ of a number plus Laplace noise that is put out with probability p, beside one that is 1 larger, with probability q. */
function releasedDelta([p, q]: readonly [number, number], scale: number, epsilon: number): number {
  const growth = Math.exp(epsilon), range = { from: -40 * scale, to: 40 * scale + 1, cells: 4000 };
  const one = (a: number, b: number): number =>
    integral(
      (x) => Math.max(0, a * laplaceDensity(x, scale) - growth * b * laplaceDensity(x - 1, scale)),
      range,
    ) + Math.max(0, 1 - a - growth * (1 - b));
  return Math.max(one(p, q), one(q, p));
}

/** Propose, test and release with β = 1: on datasets so many changes away from one that is not stable, and beside it. */
function* proposed(scale: number): Generator<Case> {
  for (const epsilon of [0.5, 1, 2]) {
    for (const delta of [1e-2, 1e-5]) {
      const passes = (distance: number): number =>
        laplaceTail(2 * Math.log(1 / delta) / epsilon - distance, 2 / epsilon);
      for (let distance = 1; distance < 60; distance++) {
        yield {
          lost: releasedDelta([passes(distance), passes(distance + 1)], scale / epsilon, epsilon),
          allowed: delta,
        };
      }
      // Both are next to each other and not stable: f gives away which it is.
      yield { lost: passes(0), allowed: delta };
    }
  }
}

/** A sparse vector with Laplace noise, Δ = 1 and ε = 1. */
interface Sparse {
  /** Scale of the noise of the threshold, and of each answer; 0 for none. */
  readonly threshold: number;
  readonly noise: number;
  /** Answers "above" after which it stops. */
  readonly most?: number;
  /** True if the threshold is drawn anew after each answer "above". */
  readonly anew?: boolean;
  /** Thresholds by place; 0 by default. */
  readonly thresholds?: readonly number[];
}

/** The probability of a pattern of answers, true for above; `last` is a density of a number that is put out at the end. */
function pattern(
  answers: readonly boolean[],
  values: readonly number[],
  sparse: Sparse,
  last?: (t: number) => number,
): number {
  const { threshold, noise, anew = false, thresholds = [] } = sparse;
  const part = (from: number, to: number): number => {
    const kinks = [0, ...values.slice(from, to).map((x, i) => x - (thresholds[from + i] ?? 0))];
    const least = Math.min(...kinks) - 40 * threshold, most = Math.max(...kinks) + 40 * threshold;
    const ends = [least, ...new Set(kinks.toSorted((a, b) => a - b)), most];
    return sumOf(
      ends.slice(1).map((end, k) =>
        integral((t) => {
          let product = laplaceDensity(t, threshold) * (last?.(t) ?? 1);
          for (let i = from; i < to; i++) {
            const gap = (thresholds[i] ?? 0) + t - values[i]!;
            const above = noise > 0 ? laplaceTail(gap, noise) : +(gap <= 0);
            product *= answers[i] ? above : 1 - above;
          }
          return product;
        }, { from: ends[k]!, to: end, cells: 60 })
      ),
    );
  };
  if (!anew) return part(0, answers.length);
  let product = 1, from = 0;
  answers.forEach((above, i) => {
    if (!above && i < answers.length - 1) return;
    product *= part(from, i + 1);
    from = i + 1;
  });
  return product;
}

/** All patterns of three values, up to the last answer "above" that is allowed. */
function transcript(values: readonly number[], sparse: Sparse): number[] {
  const patterns = new Map<string, boolean[]>();
  for (const answers of lists([true, false], values.length)) {
    let count = 0;
    const end = answers.findIndex((above) => above && ++count >= (sparse.most ?? Infinity));
    const kept = end < 0 ? answers : answers.slice(0, end + 1);
    patterns.set(kept.join(), kept);
  }
  return [...patterns.values()].map((answers) => pattern(answers, values, sparse));
}

/** Three answers of 0 or 1, moved by up to 1 each: in one direction for counts. */
function* threeAnswers(
  sparse: Sparse,
  allowed: number,
  { monotone = false } = {},
): Generator<Case> {
  const laws = new Map<string, number[]>();
  const law = (values: readonly number[]): number[] => {
    const key = values.join();
    if (!laws.has(key)) laws.set(key, transcript(values, sparse));
    return laws.get(key)!;
  };
  for (const values of lists([0, 1], 3)) {
    for (const change of lists(monotone ? [0, 1] : [-1, 0, 1], 3)) {
      yield {
        lost: largestLoss({ p: law(values), q: law(values.map((x, i) => x + change[i]!)) }),
        allowed,
      };
    }
  }
}

/** One pattern on two lists of values. */
function onePattern(
  answers: readonly boolean[],
  [left, right]: readonly [readonly number[], readonly number[]],
  { sparse, allowed }: { readonly sparse: Sparse; readonly allowed: number },
): Case[] {
  const [p, q] = [left, right].map((values) => pattern(answers, values, sparse));
  return [{ lost: Math.abs(Math.log(p! / q!)), allowed }];
}

const many = <T>(value: T, count = 10): T[] => new Array<T>(count).fill(value);

/** Claims about tuning, projections, votes, local sensitivity and sparse vectors. */
export const selectionClaims: Claims = {
  *66(): Generator<Case> {
    const source = new SeededSource(66);
    for (let k = 0; k < 200; k++) {
      const size = 2 + k % 4;
      const p = normalised(Array.from({ length: size }, () => 0.05 + source.uniform()));
      const q = normalised(Array.from({ length: size }, () => 0.05 + source.uniform()));
      const epsilon = largestLoss({ p, q });
      for (const gamma of [0.001, 0.1, 0.9]) {
        const pair: Pair = { p: best(p, gamma), q: best(q, gamma) };
        for (const order of ORDERS) {
          yield {
            lost: Math.max(renyi(pair, order), renyi(reversed(pair), order)),
            allowed: tuned(epsilon, order, gamma),
          };
        }
      }
    }
  },
  67: () => seenByScore(),
  68: () => seenByScore(),
  69: () => seenByScore(),
  // Randomised response with ε² = 16, and hardly more than one run.
  70: () => {
    const gamma = 0.999, { p, q } = responses(16);
    const pair = { p: best(p, gamma), q: best(q, gamma) };
    return [{ lost: renyi(pair, 1000), allowed: tuned(4, 1000, gamma) }];
  },
  // The logarithm of a negative number.
  71: () => [{ lost: 0, allowed: Math.log(2) - Math.log(3) - Math.log(Math.log(1 / 3)) }],
  39: () => projections({ scale: 4, claimed: 1, sumsOf: SHARES }),
  // A row of a hundred numbers B has a hundred times the square; both tests see a matrix of rank 1 or 0.
  40: () => {
    const delta = 1e-5, r = 2, log = Math.log(8 / delta);
    const square = 8 * (Math.sqrt(2 * r * log) + 2 * log);
    return [{
      lost: spreadDelta([[1, square + 100], [1, square]], { epsilon: 1, r }),
      allowed: delta,
    }];
  },
  // The threshold is crossed for certain.
  41: () => [{ lost: 1, allowed: 1e-5 }],
  42: () => projections({ scale: 1, claimed: 1, sumsOf: SHARES }),
  43: () => projections({ scale: 1, claimed: 1 / 2, sumsOf: SHARES }),
  44: () => projections({ scale: 1, claimed: 1, sumsOf: SHARES }),
  108: () =>
    voted([[20, 10], [30, 20], [40, 10], [30, 18, 2], [60, 10, 5, 1]], {
      deviation: 4,
      orders: [1.01, 2, 5, 8, 15],
      factor: (order) => 1 / (order - 1),
    }),
  109: () =>
    voted([[20, 10], [30, 18, 2]], {
      deviation: 4,
      orders: [1.01, 2],
      factor: (order) => 1 / order,
    }),
  // μ₁ < λ: the rarest class loses more than the runner-up.
  110: () =>
    voted([[60, 30, 1]], {
      deviation: 4,
      orders: [300],
      factor: (order) => 1 / (order - 1),
      conditions: false,
    }),
  111: () => proposed(2),
  112: () => proposed(1),
  // The test says yes always, which it may where no change of f reaches Δ/ε; one of 0.99·Δ/ε loses 0.99/ε. ε = 1/2.
  113: () => [{ lost: 0.99 / 0.5, allowed: 2 * 0.5 }],
  // No neighbour of X moves f, but one of a neighbour does: noise of scale 0, and of some.
  114: () => [{ lost: 1, allowed: 2e-5 }],
  130: () => threeAnswers({ threshold: 2, noise: 8, most: 2 }, 1),
  131: () => threeAnswers({ threshold: 4, noise: 8, most: 2, anew: true }, 1),
  // Ten answers below, and then the number −30.
  132: () => {
    const sparse = { threshold: 2, noise: 4 };
    const density = (t: number): number => t <= -30 ? laplaceDensity(-30, sparse.noise) : 0;
    const [p, q] = [0, 1].map((value) => pattern(many(false), many(value), sparse, density));
    return [{ lost: Math.abs(Math.log(p! / q!)), allowed: 1 }];
  },
  133: () => threeAnswers({ threshold: 4, noise: 4 / 3, most: 2 }, 1),
  // 0 and 1 turn into 1 and 0: "above, below" has probability 0 before.
  134: () => [{
    lost: largestLoss({ p: [0, 1], q: [0.2, 0.8] }),
    allowed: 1,
  }],
  135: () =>
    onePattern(
      [...many(true), ...many(false)],
      [[...many(0), ...many(1)], [...many(1), ...many(0)]],
      { sparse: { threshold: 2, noise: 2 }, allowed: 1 },
    ),
  136: () =>
    onePattern(
      [...many(false, 40), true, true],
      [[...many(1, 40), 0, 0], [...many(0, 40), 1, 1]],
      { sparse: { threshold: 2, noise: 8 }, allowed: 1 / 2 },
    ),
  137: () =>
    threeAnswers({ threshold: 2, noise: 4, most: 2, thresholds: [1, 2, 3] }, 1, {
      monotone: true,
    }),
};
