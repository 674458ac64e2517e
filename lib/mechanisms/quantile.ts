import { alsoOfBoundedRange } from "../core/bounded_range.ts";
import { pure } from "../core/claim.ts";
import type { Dataset, Domain } from "../core/dataset.ts";
import type { Mechanism } from "../core/mechanism.ts";
import { type Relation, replaceOne } from "../core/relation.ts";
import type { Source } from "../core/source.ts";
import { logSumExp } from "../numeric/log_sum_exp.ts";
import {
  divide,
  multiply,
  type Rational,
  rational,
  subtract,
  toNumber,
} from "../numeric/rational.ts";
import { exactChoice } from "../random/exact_choice.ts";
import { randomInteger } from "../random/random_integer.ts";
import { histogramSensitivity } from "./counting.ts";
import { requireGranularity, toGrid } from "./grid.ts";
import { type Rank, rankDistance } from "./rank_distance.ts";

/** Grid points up to which the distribution is enumerated. */
const MOST_ENUMERATED = 100_000;

/** Grid points next to one another that have the same rank among the rows. */
interface Stretch extends Rank {
  readonly from: number;
  readonly points: number;
}

/**
 * A quantile by the exponential mechanism: a grid point of the bounds with probability
 * ∝ exp(−ε·d/(2Δ)), where d is its {@linkcode rankDistance}, the rows that it is away from being the
 * quantile. Between neighbours d moves by at most Δ: 1 when a row is replaced, max(level, 1 − level) when
 * one is added or removed. The choice is exact: one among the stretches between rows and the rows
 * themselves, weighted by their points, then a point of it uniformly.
 *
 * With probability 1 − β the point has d ≤ (2Δ/ε)·ln(G/β), where G is the number of grid points
 * (McSherry, Talwar 2007, Theorem 6: the best point has d = 0). Smith 2011, Algorithm 2, takes
 * |rows strictly below − level·rows| for d, which is large at a value that many rows share even where
 * that value is the quantile.
 *
 * @throws {RangeError} when a parameter is out of range, or at release a row is not a finite number.
 *
 * @example
 * ```ts
 * import { quantile } from "./quantile.ts";
 * import { replaceOne } from "../core/relation.ts";
 * import { openBudget } from "../accounting/budget.ts";
 * import { release } from "./release.ts";
 * const median = quantile({
 *   level: 0.5,
 *   bounds: { lower: 0, upper: 120 },
 *   granularity: 1,
 *   epsilon: 1,
 *   relation: replaceOne,
 * });
 * release(median, [30, 35, 41], { budget: openBudget(median.claim) });
 * ```
 */
export function quantile(
  { level, bounds, granularity, epsilon, relation, domain }: {
    /** Which quantile, in [0, 1]: 0.5 is the median. */
    readonly level: number;
    /** Rows are brought into these bounds, which must not be taken from the data. */
    readonly bounds: { readonly lower: number; readonly upper: number };
    /** The step of the grid of outputs: a power of two. */
    readonly granularity: number;
    readonly epsilon: number;
    readonly relation: Relation;
    readonly domain?: Domain;
  },
): Mechanism<number, number> {
  const action = "make a quantile";
  const claim = pure({ epsilon, relation });
  histogramSensitivity(action, relation);
  requireGranularity(action, granularity);
  if (!(typeof level === "number" && level >= 0 && level <= 1)) {
    throw new RangeError(
      `Cannot ${action}: level must be in [0, 1]: current value is ${level}`,
    );
  }
  const { lower, upper } = bounds;
  if (!(Number.isFinite(lower) && Number.isFinite(upper) && lower < upper)) {
    throw new RangeError(
      `Cannot ${action}: bounds must be finite, the lower below the upper: current values are ${lower} and ${upper}`,
    );
  }
  const first = toGrid(action, lower, granularity), last = toGrid(action, upper, granularity);
  if (!(last - first < 2 ** 50)) {
    throw new RangeError(
      `Cannot ${action}: bounds must be within 2^50 steps of each other: current values are ${lower} and ${upper}`,
    );
  }
  const stretches = (data: Dataset<number>): Stretch[] =>
    cut(
      data.map((row) =>
        Math.min(last, Math.max(first, toGrid("release a quantile", row, granularity)))
      ),
      { first, last },
    );
  const share = rational(level);
  const sensitivity = relation === replaceOne
    ? rational(1)
    : level < 0.5
    ? subtract(rational(1), share)
    : share;
  const rate = divide(rational(epsilon), multiply(rational(2), sensitivity));
  const exponent = (rank: Rank, rows: number): Rational =>
    multiply(rate, rankDistance(rank, { level: share, rows }));
  const sampler = (data: Dataset<number>): (source: Source) => number => {
    const parts = stretches(data);
    const choose = exactChoice(
      parts.map((part) => ({
        exponent: exponent(part, data.length),
        multiplicity: BigInt(part.points),
      })),
    );
    return (source) => {
      const { from, points } = parts[choose(source)]!;
      return (from + randomInteger(source, { below: points })) * granularity;
    };
  };
  const logs = (data: Dataset<number>): { parts: Stretch[]; each: number[]; total: number } => {
    const parts = stretches(data);
    const each = parts.map((part) => -toNumber(exponent(part, data.length)));
    const total = logSumExp(each.map((log, i) => log + Math.log(parts[i]!.points)));
    return { parts, each, total };
  };
  return {
    name: "quantile",
    claim,
    alsoKeeps: alsoOfBoundedRange(claim),
    ...(domain === undefined ? {} : { domain }),
    width: 1,
    check: (data) => void stretches(data),
    sample: (data, source) => sampler(data)(source),
    sampleMany(data: Dataset<number>, count: number, source: Source): Float64Array {
      const draw = sampler(data);
      const out = new Float64Array(count);
      for (let i = 0; i < count; i++) out[i] = draw(source);
      return out;
    },
    logDensity(output: number, data: Dataset<number>): number {
      const at = output / granularity;
      const { parts, each, total } = logs(data);
      const i = parts.findIndex(({ from, points }) => at >= from && at < from + points);
      return i < 0 || !Number.isInteger(at) ? -Infinity : each[i]! - total;
    },
    distribution(data: Dataset<number>): { output: number; probability: number }[] {
      if (last - first >= MOST_ENUMERATED) {
        throw new RangeError(
          `Cannot enumerate a quantile: the bounds must hold at most ${MOST_ENUMERATED} grid points: current number is ${
            last - first + 1
          }`,
        );
      }
      const { parts, each, total } = logs(data);
      return parts.flatMap(({ from, points }, i) =>
        Array.from({ length: points }, (_, k) => ({
          output: (from + k) * granularity,
          probability: Math.exp(each[i]! - total),
        }))
      );
    },
  };
}

/** Cuts the grid points from `first` to `last` at each row. */
function cut(
  rows: number[],
  { first, last }: { first: number; last: number },
): Stretch[] {
  rows.sort((a, b) => a - b);
  const parts: Stretch[] = [];
  let from = first, below = 0;
  while (below < rows.length) {
    const row = rows[below]!;
    let atMost = below;
    while (rows[atMost] === row) atMost++;
    if (row > from) parts.push({ from, points: row - from, below, atMost: below });
    parts.push({ from: row, points: 1, below, atMost });
    from = row + 1;
    below = atMost;
  }
  if (from <= last) parts.push({ from, points: last - from + 1, below, atMost: below });
  return parts;
}
