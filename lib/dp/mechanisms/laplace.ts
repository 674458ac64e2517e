import { requireKnown } from "../../core/text/known_options.ts";
import { pure } from "../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Relation } from "../../core/relations/relation.ts";
import { requireFields, requireInteger } from "../../core/numeric/require.ts";
import { divide, type Rational, rational, toNumber } from "../../core/numeric/rational.ts";
import { discreteLaplace } from "../../core/random/discrete_laplace.ts";
import { computedSensitivity, gridSensitivity, gridStep, NUMBER_OPTIONS } from "./grid.ts";
import { type GridMechanism, type GridNoise, gridNumber, gridVector } from "./grid_mechanism.ts";

/** Options of the Laplace mechanism. */
export interface LaplaceOptions<Row, Value> {
  /** The value to release. */
  readonly query: (data: Dataset<Row>) => Value;
  /** The claim, in nats. */
  readonly epsilon: number;
  /** The most the query changes between neighbours (for vectors: the sum of absolute changes). */
  readonly sensitivity: number;
  /**
   * The most that the value as computed differs from the exact one, for which the sensitivity holds: the noise pays for it.
   * Default 0: the query rounds nothing, as {@linkcode clippedSum}. A sum of doubles rounds.
   */
  readonly queryError?: number | undefined;
  /** The step of the grid of outputs: a power of two, and at least 2⁻³⁸ of the scale. Default: small beside noise and sensitivity. */
  readonly granularity?: number | undefined;
  /** When two datasets are neighbours. */
  readonly relation: Relation;
  /** The datasets for which the sensitivity holds. */
  readonly domain?: Domain;
}

/**
 * The Laplace mechanism for a number (Dwork, McSherry, Nissim, Smith 2006, Theorem 1), on a grid: the
 * value is rounded to a multiple of `granularity` and exact discrete Laplace noise of scale
 * ⌈sensitivity/granularity⌉/ε steps is added. Rounded values of neighbours are at most
 * ⌈sensitivity/granularity⌉ steps apart, so the claim is ε exactly, floating point included: the
 * output is a step count times a power of two and has no other bits to look at (Mironov 2012).
 *
 * The sensitivity must hold of values as the query computes them. A sum of doubles moves by a little more than its numbers do, for
 * it is rounded: sum by {@linkcode clippedSum}, or use {@linkcode boundedSum}; for another query that rounds, state a `queryError`.
 * Values of any size are released whole: beyond 2⁵¹ steps the output is the double nearest to the exact sum with the noise.
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration_certified`.
 *
 * @returns a mechanism that claims ε-DP; `grid` tells the raised sensitivity and the scale.
 * @throws {RangeError} when a parameter is out of range.
 *
 * @example
 * ```ts
 * import { clippedSum } from "./clipped_sum.ts";
 * import { laplace } from "./laplace.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * import { openBudget } from "../accounting/budget/budget.ts";
 * import { release } from "./release.ts";
 * const total = laplace<number>({
 *   query: (ages) => clippedSum(ages, { lower: 0, upper: 120 }),
 *   epsilon: 0.5,
 *   sensitivity: 120,
 *   relation: replaceOne,
 * });
 * release(total, [34, 51], { budget: openBudget(total.claim) });
 * ```
 */
export function laplace<Row>(options: LaplaceOptions<Row, number>): GridMechanism<Row, number> {
  requireFields("laplace", options, { query: "function", relation: "relation", domain: "record?" });
  requireKnown("call laplace()", options, NUMBER_OPTIONS);
  const { query, domain } = options;
  const { claim, grid, scale } = calibrate("make the Laplace mechanism", options);
  const noise = discreteLaplace({ scale });
  return gridNumber({ name: "laplace", claim, grid, noise, query, domain });
}

/**
 * The Laplace mechanism for a vector of `dimension` numbers whose L1 sensitivity is given: as
 * {@linkcode laplace} in each coordinate, with ⌈sensitivity/granularity⌉ + dimension − 1 steps of
 * raised sensitivity, for every coordinate may be rounded.
 *
 * @throws {RangeError} when a parameter is out of range.
 *
 * @example
 * ```ts
 * import { vectorLaplace } from "./laplace.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * const point = vectorLaplace<number>({
 *   query: (rows) => [rows[0]!, -rows[0]!],
 *   dimension: 2,
 *   epsilon: 1,
 *   sensitivity: 2,
 *   relation: replaceOne,
 * });
 * ```
 */
export function vectorLaplace<Row>(
  options: LaplaceOptions<Row, readonly number[]> & { readonly dimension: number },
): GridMechanism<Row, number[]> {
  const { query, domain, dimension } = requireFields("vectorLaplace", options, {
    query: "function",
    relation: "relation",
    domain: "record?",
  });
  requireKnown("call vectorLaplace()", options, [
    "query",
    "epsilon",
    "sensitivity",
    "queryError",
    "granularity",
    "relation",
    "domain",
    "dimension",
  ]);
  requireInteger("make the Laplace mechanism", "dimension", dimension, { min: 1 });
  const { claim, grid, scale } = calibrate("make the Laplace mechanism", options);
  const noise = discreteLaplace({ scale });
  return gridVector({ name: "vector laplace", claim, grid, noise, query, domain, dimension });
}

function calibrate(
  action: string,
  { epsilon, relation, dimension = 1, ...options }:
    & Pick<
      LaplaceOptions<never, never>,
      "epsilon" | "sensitivity" | "queryError" | "granularity" | "relation"
    >
    & { dimension?: number },
): { claim: ReturnType<typeof pure>; grid: GridNoise; scale: Rational } {
  const claim = pure({ epsilon, relation });
  const sensitivity = computedSensitivity(action, options), scale = sensitivity / epsilon;
  const granularity = gridStep(action, { ...options, sensitivity, scale, dimension });
  const steps = gridSensitivity(action, { sensitivity, granularity, dimension });
  const inSteps = divide(rational(steps), rational(epsilon));
  return {
    claim,
    scale: inSteps,
    grid: { granularity, sensitivityInSteps: steps, scaleInSteps: toNumber(inSteps) },
  };
}
