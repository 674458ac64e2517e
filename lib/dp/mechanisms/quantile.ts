import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields } from "../../core/numeric/require.ts";
import { alsoOfBoundedRange } from "../../core/claims/bounded_range.ts";
import { pure } from "../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { type Relation, replaceOne } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { logSumExp } from "../../core/numeric/log_sum_exp.ts";
import { divide, multiply, rational, subtract, toNumber } from "../../core/numeric/rational.ts";
import { estimatedChoice } from "../../core/random/exact_choice.ts";
import { randomInteger } from "../../core/random/random_integer.ts";
import { histogramSensitivity } from "./counting.ts";
import { gridStep, requireBounds } from "./grid.ts";
import { type Rank, rankDistance } from "./rank_distance.ts";

/** Grid points up to which the distribution is enumerated. */
const MOST_ENUMERATED = 100_000;

/** Places next to one another that have the same rank among the rows: for each stretch of them an entry in every array. */
interface Stretches {
  readonly from: Float64Array;
  readonly points: Float64Array;
  readonly below: Float64Array;
  readonly atMost: Float64Array;
  readonly count: number;
}

/**
 * A quantile by the exponential mechanism: a grid point of the bounds with probability
 * ∝ exp(−ε·d/(2Δ)), where d is its {@linkcode rankDistance}, the rows that it is away from being the
 * quantile. Between neighbours d moves by at most Δ: 1 when a row is replaced, max(level, 1 − level) when
 * one is added or removed. The choice is exact: one among the stretches between rows and the rows
 * themselves, weighted by their points, then a point of it uniformly. Grid points beyond the bounds are released as the bounds.
 *
 * With probability 1 − β the point has d ≤ (2Δ/ε)·ln(G/β), where G is the number of grid points
 * (McSherry, Talwar 2007, Theorem 6: the best point has d = 0). Smith 2011, Algorithm 2, takes
 * |rows strictly below − level·rows| for d, which is large at a value that many rows share even where
 * that value is the quantile.
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration`.
 *
 * @throws {RangeError} when a parameter is out of range, or at release a row is not a finite number.
 *
 * @example
 * ```ts
 * import { quantile } from "./quantile.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * import { openBudget } from "../accounting/budget/budget.ts";
 * import { release } from "./release.ts";
 * const median = quantile({
 *   level: 0.5,
 *   bounds: { lower: 0, upper: 120 },
 *   epsilon: 1,
 *   relation: replaceOne,
 * });
 * release(median, [30, 35, 41], { budget: openBudget(median.claim) });
 * ```
 */
export function quantile(
  given: {
    /** Which quantile, in [0, 1]: 0.5 is the median. */
    readonly level: number;
    /** Rows are brought into these bounds, which must not be taken from the data. */
    readonly bounds: { readonly lower: number; readonly upper: number };
    /** The step of the grid of outputs: a power of two. Default: a millionth of the range, or less. */
    readonly granularity?: number | undefined;
    readonly epsilon: number;
    readonly relation: Relation;
    readonly domain?: Domain;
  },
): Mechanism<number, number> {
  const { level, bounds, epsilon, relation, domain, ...options } = requireFields(
    "quantile",
    given,
    { bounds: "record", relation: "relation", domain: "record?" },
  );
  requireKnown("call quantile()", given, [
    "level",
    "bounds",
    "granularity",
    "epsilon",
    "relation",
    "domain",
  ]);
  const action = "make a quantile";
  const claim = pure({ epsilon, relation });
  histogramSensitivity(action, relation);
  if (!(typeof level === "number" && level >= 0 && level <= 1)) {
    throw new RangeError(
      `Cannot ${action}: level must be in [0, 1]: current value is ${level}`,
    );
  }
  const { lower, upper } = requireBounds(action, bounds);
  const range = upper - lower;
  const granularity = gridStep(action, {
    ...options,
    sensitivity: range,
    // No step is smaller than 2⁻³⁶ of it: doubles near the bounds are told apart.
    scale: Math.max(range, Math.max(-lower, upper) * 2 ** -15),
  });
  const first = Math.round(lower / granularity), last = Math.round(upper / granularity);
  if (!(last - first < 2 ** 50)) {
    throw new RangeError(
      `Cannot ${action}: bounds must be within 2^50 steps of each other: current values are ${lower} and ${upper}`,
    );
  }
  if (!(Math.max(-first, last) <= 2 ** 53)) {
    throw new RangeError(
      `Cannot ${action}: granularity must be large enough to tell doubles near the bounds apart: current value is ${granularity}`,
    );
  }
  const placesOf = (data: Dataset<number>): Float64Array => {
    const places = new Float64Array(data.length);
    for (let i = 0; i < places.length; i++) {
      const row = data[i]!;
      if (!Number.isFinite(row)) {
        throw new RangeError("Cannot release a quantile: rows must be finite numbers");
      }
      places[i] = Math.round(Math.min(upper, Math.max(lower, row)) / granularity) - first;
    }
    return places;
  };
  const stretches = (data: Dataset<number>): Stretches => cut(placesOf(data).sort(), last - first);
  /** Returns the value released for a place: a grid point within the bounds. */
  const valueAt = (place: number): number =>
    Math.min(upper, Math.max(lower, (first + place) * granularity)) + 0;
  const share = rational(level);
  const sensitivity = relation === replaceOne
    ? rational(1)
    : level < 0.5
    ? subtract(rational(1), share)
    : share;
  const rate = divide(rational(epsilon), multiply(rational(2), sensitivity));
  /** Minus the exponents of the stretches, in doubles. */
  const logs = ({ below, atMost, count }: Stretches, rows: number): Float64Array => {
    const perRow = toNumber(rate), wanted = level * rows;
    const out = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      out[i] = -perRow * Math.max(0, below[i]! - wanted, wanted - atMost[i]!);
    }
    return out;
  };
  const sampler = (data: Dataset<number>): (source: Source) => number => {
    const parts = stretches(data), rows = data.length;
    const choose = estimatedChoice({
      estimates: logs(parts, rows).map((log, i) => Math.exp(log) * parts.points[i]!),
      // Exponents are within a few roundings of rate·rows.
      relativeError: 2 ** -49 * (1 + toNumber(rate) * (1 + rows)),
      choices: () =>
        Array.from({ length: parts.count }, (_, i) => {
          const rank = { below: parts.below[i]!, atMost: parts.atMost[i]! };
          return {
            exponent: multiply(rate, rankDistance(rank, { level: share, rows })),
            multiplicity: BigInt(parts.points[i]!),
          };
        }),
    });
    return (source) => {
      const i = choose(source);
      return valueAt(parts.from[i]! + randomInteger(source, { below: parts.points[i]! }));
    };
  };
  /** The log probability of each point of each stretch. */
  const law = (data: Dataset<number>): { parts: Stretches; each: Float64Array } => {
    const parts = stretches(data), each = logs(parts, data.length);
    const total = logSumExp(each.map((log, i) => log + Math.log(parts.points[i]!)));
    return { parts, each: each.map((log) => log - total) };
  };
  return {
    name: "quantile",
    claim,
    alsoKeeps: alsoOfBoundedRange(claim),
    ...(domain === undefined ? {} : { domain }),
    width: 1,
    check: (data) => void placesOf(data),
    sample: (data, source) => sampler(data)(source),
    sampleMany(data: Dataset<number>, count: number, source: Source): Float64Array {
      const draw = sampler(data);
      const out = new Float64Array(count);
      for (let i = 0; i < count; i++) out[i] = draw(source);
      return out;
    },
    logDensity(output: number, data: Dataset<number>): number {
      const place = Math.round(output / granularity) - first;
      if (!(place >= 0 && place <= last - first && valueAt(place) === output)) return -Infinity;
      const { parts: { from, count }, each } = law(data);
      let i = count - 1;
      while (from[i]! > place) i--;
      return each[i]!;
    },
    distribution(data: Dataset<number>): { output: number; probability: number }[] {
      if (last - first >= MOST_ENUMERATED) {
        throw new RangeError(
          `Cannot enumerate a quantile: the bounds must hold at most ${MOST_ENUMERATED} grid points: current number is ${
            last - first + 1
          }`,
        );
      }
      const { parts: { from, points }, each } = law(data);
      return Array.from(
        each,
        (log, i) =>
          Array.from({ length: points[i]! }, (_, k) => ({
            output: valueAt(from[i]! + k),
            probability: Math.exp(log),
          })),
      ).flat();
    },
  };
}

/** Cuts the places from 0 to `last` at each row; rows are sorted. */
function cut(rows: Float64Array, last: number): Stretches {
  const most = 2 * rows.length + 1;
  const from = new Float64Array(most), points = new Float64Array(most);
  const below = new Float64Array(most), atMost = new Float64Array(most);
  let count = 0;
  const add = (start: number, end: number, ranks: Rank): void => {
    if (end <= start) return;
    from[count] = start;
    points[count] = end - start;
    below[count] = ranks.below;
    atMost[count++] = ranks.atMost;
  };
  let start = 0, before = 0;
  while (before < rows.length) {
    const row = rows[before]!;
    let end = before;
    while (rows[end] === row) end++;
    add(start, row, { below: before, atMost: before });
    add(row, row + 1, { below: before, atMost: end });
    start = row + 1;
    before = end;
  }
  add(start, last + 1, { below: before, atMost: before });
  return { from, points, below, atMost, count };
}
