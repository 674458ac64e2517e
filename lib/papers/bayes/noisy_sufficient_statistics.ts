import { requireKnown } from "../../core/text/known_options.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { addRemoveOne, type Relation, replaceOne } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { integerLaplace } from "../../dp/mechanisms/geometric.ts";
import type { GridNoise } from "../../dp/mechanisms/grid_mechanism.ts";
import { gridStep, requireReach, toGrid } from "../../dp/mechanisms/grid.ts";
import { requireFields, requireInteger } from "../../core/numeric/require.ts";
import { requireBox } from "../../dp/learners/require_box.ts";
import { type ExponentialFamilyOptions, withinBounds } from "./exponential_family.ts";

/** Options of {@linkcode noisySufficientStatistics}. */
export interface NoisySufficientStatisticsOptions<Row>
  extends Pick<ExponentialFamilyOptions<Row>, "statistic" | "bounds"> {
  /**
   * The step to which every statistic of a row is rounded: a power of two, 1 at most. Default: about 2⁻¹⁶ of the least width of
   * the box, of 1 at most.
   */
  readonly granularity?: number | undefined;
  /** The claim, in nats. */
  readonly epsilon: number;
  /** When two datasets are neighbours: replace-one or add-remove-one. */
  readonly relation: Relation;
  /** The datasets that the mechanism is for: what a search may try. */
  readonly domain?: Domain;
}

/** The least width of the box, and a scale of which no step is so small that a bound is more than 2³⁰ of it from 0. */
function extent(
  { lower, upper }: NoisySufficientStatisticsOptions<never>["bounds"],
): { sensitivity: number; scale: number } {
  const widths = lower.map((least, k) => upper[k]! - least);
  const least = widths.reduce((a, b) => Math.min(a, b), 1);
  const furthest = [...lower, ...upper].reduce((a, b) => Math.max(a, Math.abs(b)), 1);
  return { sensitivity: least, scale: furthest * 2 ** 7 };
}

/** So many rows of so many steps add up exactly, with room for the noise. */
const MOST_ROWS = 2 ** 20, MOST_ROW_STEPS = 2 ** 31;

/** Sums stop here, row by row, so that a row changes them by no more than its own steps. */
function saturated(steps: number): number {
  return Math.min(MOST_ROWS * MOST_ROW_STEPS, Math.max(-MOST_ROWS * MOST_ROW_STEPS, steps));
}

/**
 * Returns the mechanism that adds Laplace noise to the sufficient statistics of an exponential family (Foulds, Geumlek, Welling,
 * Chaudhuri 2016, section 4), S₁ + … + S_n for any S in a box: rows are rounded to the grid, added as
 * integers and given exact discrete Laplace noise, and the sums are projected into n times the box. By
 * `exponentialPosterior` they give the whole posterior, from which samples are free.
 *
 * The L1 sensitivity is the box's widths in sum when a row is replaced, and n is public. When a row is
 * added or removed it is the largest absolute values in sum, and 1 for n, which is then released with
 * the same noise.
 *
 * @returns a mechanism from rows to [n, ΣS₁, …, ΣS_k].
 * @throws {RangeError} on options out of range.
 *
 * @example
 * ```ts
 * import { replaceOne } from "../../core/relations/relation.ts";
 * import { SeededSource } from "../../core/random/seeded_source.ts";
 * import { noisySufficientStatistics } from "./noisy_sufficient_statistics.ts";
 * const sums = noisySufficientStatistics<number>({
 *   statistic: (x) => [x, x * x],
 *   bounds: { lower: [-1, 0], upper: [1, 1] },
 *   epsilon: 1,
 *   relation: replaceOne,
 * });
 * sums.sample(new Array(100).fill(0.5), new SeededSource(1)); // 100, about 50, about 25
 * ```
 */
export function noisySufficientStatistics<Row>(
  given: NoisySufficientStatisticsOptions<
    Row
  >,
): Mechanism<Row, number[]> & { readonly grid: GridNoise } {
  const { statistic, bounds, epsilon, relation, domain, ...options } = requireFields(
    "noisySufficientStatistics",
    given,
    { relation: "relation", domain: "record?", statistic: "function", bounds: "record" },
  );
  requireKnown("call noisySufficientStatistics()", given, [
    "granularity",
    "epsilon",
    "relation",
    "domain",
    "statistic",
    "bounds",
    "parameters",
    "logPartition",
    "prior",
  ]);
  const action = "release sufficient statistics";
  const coordinates = requireBox("noisySufficientStatistics", bounds).lower.length;
  requireInteger(action, "coordinates", coordinates, { min: 1 });
  requireInteger(action, "bounds.upper", bounds.upper.length, {
    min: coordinates,
    max: coordinates,
  });
  const granularity = gridStep(action, { ...options, ...extent(bounds), bits: 16 });
  if (!(granularity <= 1)) {
    throw new RangeError(
      `Cannot ${action}: granularity must be at most 1: current value is ${granularity}`,
    );
  }
  if (relation !== replaceOne && relation !== addRemoveOne) {
    throw new RangeError(
      `Cannot ${action}: relation must be replace-one or add-remove-one: current value is ${relation.name}`,
    );
  }
  for (const side of ["lower", "upper"] as const) {
    bounds[side].forEach((bound, k) =>
      requireReach(action, `bounds.${side}[${k}]`, { bound, granularity, most: MOST_ROW_STEPS })
    );
  }
  const steps = (value: number): number => toGrid(action, value, granularity);
  const lower = bounds.lower.map(steps), upper = bounds.upper.map(steps);
  const one = steps(1);
  requireInteger(action, "steps in 1", one, { max: MOST_ROW_STEPS });
  const sizeIsPublic = relation === replaceOne;
  const sensitivity = lower.reduce((sum, least, k) => {
    requireInteger(action, `steps of coordinate ${k}`, upper[k]! - least, { min: 1 });
    // The larger absolute value of both bounds, the lower of which is smaller.
    return sum + (sizeIsPublic ? upper[k]! - least : Math.max(-least, upper[k]!));
  }, sizeIsPublic ? 0 : one);
  const sums = integerLaplace<Row>({
    query: (data) => {
      const totals = new Array<number>(coordinates).fill(0);
      for (const row of data) {
        withinBounds(statistic(row), bounds).forEach((value, k) =>
          totals[k] = saturated(totals[k]! + steps(value))
        );
      }
      return sizeIsPublic ? totals : [saturated(data.length * one), ...totals];
    },
    dimension: coordinates + (sizeIsPublic ? 0 : 1),
    sensitivity,
    epsilon,
    relation,
  });
  // If the number of rows is private, a refusal would reveal it: sums stop instead.
  const check = (data: Dataset<Row>): void => {
    if (sizeIsPublic) requireInteger(action, "number of rows", data.length, { max: MOST_ROWS });
    sums.check(data);
  };
  return {
    name: "noisy sufficient statistics",
    claim: sums.claim,
    grid: { ...sums.grid, granularity },
    ...(domain === undefined ? {} : { domain }),
    width: coordinates + 1,
    check,
    sample(data: Dataset<Row>, source: Source): number[] {
      check(data);
      const noisy = sums.sample(data, source);
      const size = sizeIsPublic ? data.length : Math.max(0, noisy.shift()! * granularity);
      return [
        size,
        ...noisy.map((sum, k) =>
          granularity *
          Math.min(size * upper[k]!, Math.max(size * lower[k]!, sum))
        ),
      ];
    },
  };
}
