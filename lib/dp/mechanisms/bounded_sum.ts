import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields } from "../../core/numeric/require.ts";
import { alsoConcentrated } from "../../core/claims/bounded_range.ts";
import { pure } from "../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { addRemoveOne, type Relation } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { logSumExp } from "../../core/numeric/log_sum_exp.ts";
import { divide, rational, toNumber } from "../../core/numeric/rational.ts";
import { roundUp } from "../../core/numeric/round_outward.ts";
import { discreteLaplace } from "../../core/random/discrete_laplace.ts";
import { histogramSensitivity } from "./counting.ts";
import { exactly, exactSum, minusSum, plusInteger } from "./exact_sum.ts";
import { gridStep, requireBounds } from "./grid.ts";
import { gridInteger, type GridMechanism } from "./grid_mechanism.ts";

/** The options, by name. */
const OPTIONS = ["bounds", "epsilon", "granularity", "relation", "domain"];

/** Options of sums and means of bounded numbers. */
export interface BoundedOptions {
  /** Rows are brought into these bounds, which must not be taken from the data. */
  readonly bounds: { readonly lower: number; readonly upper: number };
  /** The claim, in nats. */
  readonly epsilon: number;
  /** The step to which each row is rounded: a power of two. Default: a millionth of the sensitivity, or less. */
  readonly granularity?: number | undefined;
  /** When two datasets are neighbours: replace-one or add-remove-one. */
  readonly relation: Relation;
  /** The datasets that the mechanism is for: what a search may try. */
  readonly domain?: Domain;
}

/**
 * The noisy sum of numbers. Each row is brought into the bounds and rounded to whole steps, the steps
 * are added as integers of any size, and exact discrete Laplace noise is added to their sum. So the sensitivity
 * (the range when a row is replaced, the larger absolute bound when one is added or removed) is that
 * of integers: neither the order of rows nor the rounding of float sums can change it (Casacuberta et
 * al. 2022 break float sums that way).
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration_certified`.
 *
 * @throws {RangeError} when a parameter is out of range, or at release a row is not a finite number.
 *
 * @example
 * ```ts
 * import { boundedSum } from "./bounded_sum.ts";
 * import { addRemoveOne } from "../../core/relations/relation.ts";
 * import { openBudget } from "../accounting/budget/budget.ts";
 * import { release } from "./release.ts";
 * const income = boundedSum({
 *   bounds: { lower: 0, upper: 100_000 },
 *   epsilon: 1,
 *   relation: addRemoveOne,
 * });
 * release(income, [30_000, 41_000], { budget: openBudget(income.claim) });
 * ```
 */
export function boundedSum(options: BoundedOptions): GridMechanism<number, number> {
  requireFields("boundedSum", options, {
    bounds: "record",
    relation: "relation",
    domain: "record?",
  });
  requireKnown("call boundedSum()", options, OPTIONS);
  const { epsilon, relation, domain } = options;
  const action = "make a bounded sum";
  const grid = boundsInSteps(action, options), { least, most, granularity } = grid;
  const sensitivity = relation === addRemoveOne ? Math.max(-least, most) : most - least;
  requireSteps(action, sensitivity);
  const scale = divide(rational(sensitivity), rational(epsilon));
  return gridInteger({
    name: "bounded sum",
    claim: pure({ epsilon, relation }),
    grid: { granularity, sensitivityInSteps: sensitivity, scaleInSteps: toNumber(scale) },
    noise: discreteLaplace({ scale }),
    center: (data) => sumOfSteps("release a sum", data, grid),
    domain,
  });
}

/**
 * The noisy mean of numbers in bounds. When a row is replaced the number of rows is public: a bounded
 * sum, divided by it. When a row is added or removed, half of ε goes to the sum of distances from the
 * middle of the bounds (sensitivity half the range) and half to the number of rows; the quotient
 * (with at least one row) is post-processing. Means are brought into the bounds.
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration_certified`.
 *
 * @throws {RangeError} when a parameter is out of range, or at release a row is not a finite number or
 * there are no rows to replace.
 *
 * @example
 * ```ts
 * import { boundedMean } from "./bounded_sum.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * import { openBudget } from "../accounting/budget/budget.ts";
 * import { release } from "./release.ts";
 * const age = boundedMean({
 *   bounds: { lower: 0, upper: 100 },
 *   epsilon: 1,
 *   relation: replaceOne,
 * });
 * release(age, [30, 41], { budget: openBudget(age.claim) });
 * ```
 */
export function boundedMean(options: BoundedOptions): Mechanism<number, number> {
  requireFields("boundedMean", options, {
    bounds: "record",
    relation: "relation",
    domain: "record?",
  });
  requireKnown("call boundedMean()", options, OPTIONS);
  const { bounds, epsilon, relation, domain } = options;
  const action = "make a bounded mean";
  const grid = boundsInSteps(action, options), { least, most, granularity } = grid;
  const replaced = relation !== addRemoveOne;
  const middle = replaced ? 0 : least + Math.round((most - least) / 2);
  // The middle is rounded up: the lower bound is at least as far from it as the upper one.
  const sensitivity = replaced ? most - least : middle - least;
  requireSteps(action, sensitivity);
  const share = rational(replaced ? epsilon : epsilon / 2);
  const sumNoise = discreteLaplace({ scale: divide(rational(sensitivity), share) });
  const sizeScale = divide(rational(1), share);
  const sizeNoise = discreteLaplace({ scale: sizeScale });
  const prepared = (data: Dataset<number>): { sum: number | bigint; size: number } => {
    if (replaced && data.length === 0) {
      throw new RangeError("Cannot release a mean: there must be at least one row");
    }
    return { sum: sumOfSteps("release a mean", data, grid, middle), size: data.length };
  };
  const mean = (sum: number, size: number): number => {
    const value = (middle + sum / Math.max(1, size)) * granularity;
    return Math.min(bounds.upper, Math.max(bounds.lower, value)) + 0;
  };
  const sampleMany = (data: Dataset<number>, count: number, source: Source): Float64Array => {
    const { sum, size } = prepared(data);
    const noise = sumNoise.fill(source, new Float64Array(count));
    const sizes = new Float64Array(count);
    if (!replaced) sizeNoise.fill(source, sizes);
    return noise.map((each, i) => mean(plusInteger(sum, each), size + sizes[i]!));
  };
  /** The log probability of an output given the size that the sum is divided by. */
  const logGiven = (
    size: number,
    { output, sum }: { output: number; sum: number | bigint },
  ): number => {
    // The sums whose means are at or beyond the bounds are all released as the bound.
    const lowest = Math.floor((bounds.lower / granularity - middle) * size);
    const highest = Math.ceil((bounds.upper / granularity - middle) * size);
    if (output === bounds.lower) return sumNoise.logUpperTail(-minusSum(lowest, sum));
    if (output === bounds.upper) return sumNoise.logUpperTail(minusSum(highest, sum));
    const steps = Math.round((output / granularity - middle) * size);
    return mean(steps, size) === output ? sumNoise.logProbability(minusSum(steps, sum)) : -Infinity;
  };
  const logDensity = (output: number, data: Dataset<number>): number => {
    const { sum, size } = prepared(data);
    if (replaced) return logGiven(size, { output, sum });
    // Noisy sizes below 1 divide by 1; further from the size than reach is less than e^−45 of the noise.
    const logs = [sizeNoise.logUpperTail(size - 1) + logGiven(1, { output, sum })];
    const reach = Math.ceil(45 * toNumber(sizeScale));
    for (let noisy = Math.max(2, size - reach); noisy <= size + reach; noisy++) {
      logs.push(sizeNoise.logProbability(noisy - size) + logGiven(noisy, { output, sum }));
    }
    return logSumExp(logs);
  };
  return {
    name: "bounded mean",
    claim: pure({ epsilon, relation }),
    // Two parts of ε/2, each (ε/2)²/2-zCDP.
    ...(replaced ? {} : { alsoKeeps: alsoConcentrated({ rho: halvesRho(epsilon), relation }) }),
    ...(domain === undefined ? {} : { domain }),
    width: 1,
    check: (data) => void prepared(data),
    sample: (data, source) => sampleMany(data, 1, source)[0]!,
    sampleMany,
    logDensity,
  };
}

/** ρ of two releases that are ε/2-DP each: ε²/4. */
function halvesRho(epsilon: number): number {
  return roundUp(0.25 * epsilon * epsilon, { relativeError: Number.EPSILON });
}

/** The bounds in steps: whole numbers, however far from 0. */
interface BoundsInSteps {
  readonly bounds: BoundedOptions["bounds"];
  readonly granularity: number;
  readonly least: number;
  readonly most: number;
}

function boundsInSteps(
  action: string,
  { bounds, granularity, relation, epsilon }: BoundedOptions,
): BoundsInSteps {
  pure({ epsilon, relation });
  histogramSensitivity(action, relation);
  const { lower, upper } = requireBounds(action, bounds);
  const sensitivity = relation === addRemoveOne ? Math.max(-lower, upper) : upper - lower;
  const step = gridStep(action, { granularity, sensitivity, scale: sensitivity / epsilon });
  return {
    bounds: { lower, upper },
    granularity: step,
    least: Math.round(lower / step) + 0,
    most: Math.round(upper / step) + 0,
  };
}

function requireSteps(action: string, sensitivity: number): void {
  if (!(sensitivity >= 1 && sensitivity <= 2 ** 31)) {
    throw new RangeError(
      `Cannot ${action}: granularity must split the bounds into 1 to 2^31 steps: current number is ${sensitivity}`,
    );
  }
}

/**
 * The exact sum of the rows, each brought into the bounds and rounded, in steps from `origin`. They are added as steps from the
 * lower bound, which are few wherever the bounds are.
 */
function sumOfSteps(
  action: string,
  data: Dataset<number>,
  { bounds: { lower, upper }, granularity, least }: BoundsInSteps,
  origin = 0,
): number | bigint {
  function* fromLower(): Generator<number> {
    for (const row of data) {
      if (!Number.isFinite(row)) {
        throw new RangeError(`Cannot ${action}: rows must be finite numbers`);
      }
      yield Math.round(Math.min(upper, Math.max(lower, row)) / granularity) - least;
    }
  }
  return exactly(BigInt(exactSum(fromLower())) + BigInt(data.length) * BigInt(least - origin));
}
