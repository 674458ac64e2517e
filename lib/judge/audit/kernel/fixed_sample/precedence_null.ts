import type { Source } from "../../../../core/mechanism/source.ts";
import { logBetaWeight } from "../../../../core/numeric/incomplete_beta.ts";
import { floatGamma } from "../../../../core/random/float_gamma.ts";
import { drawBinomial } from "./precedence_binomial.ts";

/** The logarithm of the share of the peak below which a weight is taken for 0. */
const LOG_NEGLIGIBLE = Math.log(1e-12);

/** About how many counts the table of a rank has; between them ln p is interpolated. */
const COUNTS = 256;

/** ln p_k(j) at counts first, first + step, …: constant before the first, linear in between. */
interface RankTable {
  readonly first: number;
  readonly step: number;
  readonly logs: Float64Array;
}

/** The law of P(S) for the set S above the k-th largest of n1 outputs, on a grid. */
export interface RankWeights {
  /** Points u. */
  readonly us: Float64Array;
  /** Weights of Beta(k, n1 − k + 1) at them, adding up to 1. */
  readonly weights: Float64Array;
}

/**
 * Returns the quadrature of Beta(k, n − k + 1) by the trapezoidal rule in logit u, where its density is a bell
 * that decays exponentially: a step of half a standard deviation gives its mean to 1e-6, and logarithms of chances to 1%. No
 * guarantee rests on that, for the same statistic is computed on the outputs and on the draws that it is compared with.
 */
export function rankWeights(rank: number, n: number): RankWeights {
  const a = rank, b = n - rank + 1;
  const centre = Math.log(a / b), step = 0.5 * Math.sqrt(1 / a + 1 / b);
  const us: number[] = [], weights: number[] = [];
  const peak = logBetaWeight(a, b, logistic(centre), logistic(-centre));
  for (const direction of [-1, 1]) {
    for (let i = direction < 0 ? 1 : 0;; i++) {
      const t = centre + direction * i * step;
      const log = logBetaWeight(a, b, logistic(t), logistic(-t)) - peak;
      if (log < LOG_NEGLIGIBLE) break;
      us.push(logistic(t));
      weights.push(Math.exp(log));
    }
  }
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { us: Float64Array.from(us), weights: Float64Array.from(weights, (w) => w / total) };
}

function logistic(t: number): number {
  return t >= 0 ? 1 / (1 + Math.exp(-t)) : Math.exp(t) / (1 + Math.exp(t));
}

/**
 * Returns ln p_k(j) for one rank: p_k(j) = Σ weight(u)·P(Bin(n0, allowed(u)) ≤ j), the chance of so few other
 * outputs above the threshold when the claim is exhausted.
 */
function rankTable(
  { us, weights }: RankWeights,
  { allowed, others }: { allowed: (u: number) => number; others: number },
): RankTable {
  const chances = us.map((u) => allowed(u));
  let mean = 0, square = 0;
  for (let i = 0; i < us.length; i++) {
    const q = chances[i]!;
    mean += weights[i]! * others * q;
    square += weights[i]! * ((others * q) ** 2 + others * q * (1 - q));
  }
  const deviation = Math.sqrt(Math.max(0, square - mean * mean));
  const first = Math.max(0, Math.floor(mean - 8 * deviation));
  const last = Math.min(others, Math.ceil(mean + 6 * deviation));
  const step = Math.max(1, Math.ceil((last - first) / COUNTS));
  const logs = new Float64Array(Math.floor((last - first) / step) + 2);
  for (let i = 0; i < us.length; i++) {
    addLowerTails(logs, { first, step, n: others, p: chances[i]!, weight: weights[i]! });
  }
  // Nondecreasing in spite of rounding: the proof of the test needs that, and nothing more.
  let previous = -Infinity;
  for (let index = 0; index < logs.length; index++) {
    previous = Math.max(previous, Math.log(Math.min(1, Math.max(logs[index]!, 1e-300))));
    logs[index] = previous;
  }
  return { first, step, logs };
}

/**
 * Adds weight·P(Bin(n, p) ≤ first + index·step) at every index: a sum of masses by their recurrence,
 * begun and ended 10 standard deviations from the mean, where no table looks.
 */
function addLowerTails(
  sums: Float64Array,
  { first, step, n, p, weight }: {
    first: number;
    step: number;
    n: number;
    p: number;
    weight: number;
  },
): void {
  if (p === 1) {
    // The recurrence below would multiply 0 by infinite odds.
    for (let index = 0; index < sums.length; index++) {
      if (first + index * step >= n) sums[index]! += weight;
    }
    return;
  }
  const spread = 10 * Math.sqrt(n * p * (1 - p)) + 10;
  const start = Math.max(0, Math.floor(n * p - spread)),
    end = Math.min(n, Math.ceil(n * p + spread));
  const odds = p / (1 - p);
  let count = start, mass = binomialMass(start, n, p), tail = mass;
  for (let index = 0; index < sums.length; index++) {
    const target = Math.min(n, first + index * step);
    if (target < start) continue;
    for (const last = Math.min(target, end); count < last; count++) {
      mass *= ((n - count) / (count + 1)) * odds;
      tail += mass;
    }
    sums[index]! += weight * (target >= end ? 1 : Math.min(1, tail));
  }
}

function binomialMass(k: number, n: number, p: number): number {
  if (p === 0) return k === 0 ? 1 : 0;
  return Math.exp(logBetaWeight(k + 1, n - k + 1, p, 1 - p)) / (p * (1 - p) * (n + 1));
}

function lookUp({ first, step, logs }: RankTable, count: number): number {
  if (count <= first) return logs[0]!;
  const position = (count - first) / step;
  const index = Math.floor(position);
  if (index >= logs.length - 1) return logs[logs.length - 1]!;
  const share = position - index;
  return (1 - share) * logs[index]! + share * logs[index + 1]!;
}

/** The statistic of the test: the smallest ln p_k over the ranks. Nondecreasing in every count. */
type PrecedenceStatistic = (counts: ArrayLike<number>) => number;

/** Tabulates the statistic for a claim whose trade-off function is `allowed`. */
export function precedenceStatistic(
  weights: readonly RankWeights[],
  options: { readonly allowed: (u: number) => number; readonly others: number },
): PrecedenceStatistic {
  const tables = weights.map((one) => rankTable(one, options));
  return (counts) => {
    let smallest = 0;
    for (let i = 0; i < tables.length; i++) {
      smallest = Math.min(smallest, lookUp(tables[i]!, counts[i]!));
    }
    return smallest;
  };
}

/**
 * Draws order statistics of n uniforms at the given ranks, counted from the smallest: one row of `replicates`
 * values a rank. Sums of gamma spacings, so that the joint law is exact.
 */
export function drawOrderStatistics(
  source: Source,
  { ranks, n, replicates }: {
    readonly ranks: readonly number[];
    readonly n: number;
    readonly replicates: number;
  },
): Float64Array[] {
  const rows: Float64Array[] = [];
  const total = new Float64Array(replicates);
  let last = 0;
  for (const rank of [...ranks, n + 1]) {
    const spacing = floatGamma(source, new Float64Array(replicates), { shape: rank - last });
    for (let i = 0; i < replicates; i++) total[i]! += spacing[i]!;
    if (rank <= n) rows.push(total.slice());
    last = rank;
  }
  for (const row of rows) for (let i = 0; i < replicates; i++) row[i]! /= total[i]!;
  return rows;
}

/**
 * Counts the draws of the least favourable configuration that have a statistic of at most `observed`: the
 * other outputs fall below the u-quantile with chance exactly allowed(u).
 */
export function countExtremes(
  source: Source,
  { orderStatistics, allowed, others, statistic, observed }: {
    readonly orderStatistics: readonly Float64Array[];
    readonly allowed: (u: number) => number;
    readonly others: number;
    readonly statistic: PrecedenceStatistic;
    readonly observed: number;
  },
): number {
  const counts = new Float64Array(orderStatistics.length);
  let extremes = 0;
  for (let replicate = 0; replicate < orderStatistics[0]!.length; replicate++) {
    let count = 0, reached = 0;
    for (let i = 0; i < counts.length; i++) {
      const chance = Math.max(reached, allowed(orderStatistics[i]![replicate]!));
      count += drawBinomial(source, others - count, (chance - reached) / (1 - reached));
      reached = chance;
      counts[i] = count;
    }
    // A statistic that is NaN, which should not occur, counts as extreme, so that it can only weaken the evidence.
    if (!(statistic(counts) > observed)) extremes++;
  }
  return extremes;
}
