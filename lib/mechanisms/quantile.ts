import { pure } from "../core/claim.ts";
import type { Dataset, Domain } from "../core/dataset.ts";
import type { Mechanism } from "../core/mechanism.ts";
import type { Relation } from "../core/relation.ts";
import type { Source } from "../core/source.ts";
import { logSumExp } from "../numeric/log_sum_exp.ts";
import { multiply, type Rational, rational } from "../numeric/rational.ts";
import { exactChoice } from "../random/exact_choice.ts";
import { randomInteger } from "../random/random_integer.ts";
import { histogramSensitivity } from "./counting.ts";
import { requireGranularity, toGrid } from "./grid.ts";

/** Grid points up to which the distribution is enumerated. */
const MOST_ENUMERATED = 100_000;

/** Grid points next to one another that have the same number of rows below them. */
interface Stretch {
  readonly from: number;
  readonly points: number;
  readonly below: number;
}

/**
 * A quantile by the exponential mechanism (Smith 2011, Algorithm 2): a grid point of the bounds with
 * probability ∝ exp(−(ε/2)·|rows below it − level·rows|). Between neighbours the two numbers move by at
 * most 1 in difference, whether a row is replaced, added or removed. The choice is exact: one among the
 * stretches between rows, weighted by their points, then a point of it uniformly.
 *
 * @throws {RangeError} when a parameter is out of range, or at release a row is not a finite number.
 *
 * @example
 * ```ts
 * import { quantile } from "./quantile.ts";
 * import { replaceOne } from "../core/relation.ts";
 * import { SecureSource } from "../random/secure_source.ts";
 * const median = quantile({
 *   level: 0.5,
 *   bounds: { lower: 0, upper: 120 },
 *   granularity: 1,
 *   epsilon: 1,
 *   relation: replaceOne,
 * });
 * median.sample([30, 35, 41], new SecureSource());
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
  const first = toGrid(action, bounds.lower, granularity);
  const last = toGrid(action, bounds.upper, granularity);
  if (!(bounds.lower < bounds.upper && last - first < 2 ** 50)) {
    throw new RangeError(
      `Cannot ${action}: bounds must be the lower below the upper, within 2^50 steps: current values are ${bounds.lower} and ${bounds.upper}`,
    );
  }
  const stretches = (data: Dataset<number>): Stretch[] =>
    cut(
      data.map((row) =>
        Math.min(last, Math.max(first, toGrid("release a quantile", row, granularity)))
      ),
      { first, last },
    );
  const half = multiply(rational(epsilon), rational(1, 2));
  /** (ε/2)·|below − level·rows|, exactly for the double that the level is. */
  const exponent = (below: number, rows: number): Rational => {
    const { numerator, denominator } = rational(level);
    const gap = BigInt(below) * denominator - BigInt(rows) * numerator;
    return multiply(half, { numerator: gap < 0n ? -gap : gap, denominator });
  };
  const sampler = (data: Dataset<number>): (source: Source) => number => {
    const parts = stretches(data);
    const choose = exactChoice(
      parts.map(({ points, below }) => ({
        exponent: exponent(below, data.length),
        multiplicity: BigInt(points),
      })),
    );
    return (source) => {
      const { from, points } = parts[choose(source)]!;
      return (from + randomInteger(source, { below: points })) * granularity + 0;
    };
  };
  const logs = (data: Dataset<number>): { parts: Stretch[]; each: number[]; total: number } => {
    const parts = stretches(data);
    const each = parts.map(({ below }) => -epsilon / 2 * Math.abs(below - level * data.length));
    const total = logSumExp(each.map((log, i) => log + Math.log(parts[i]!.points)));
    return { parts, each, total };
  };
  return {
    name: "quantile",
    claim,
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

/** Cuts the grid points from `first` to `last` behind each row. */
function cut(
  rows: number[],
  { first, last }: { first: number; last: number },
): Stretch[] {
  rows.sort((a, b) => a - b);
  const parts: Stretch[] = [];
  let from = first;
  rows.forEach((row, below) => {
    // Points up to the row itself have `below` rows strictly below them.
    if (row >= from) {
      parts.push({ from, points: row - from + 1, below });
      from = row + 1;
    }
  });
  if (from <= last) parts.push({ from, points: last - from + 1, below: rows.length });
  return parts;
}
