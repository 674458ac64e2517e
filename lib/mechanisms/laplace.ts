import { pure } from "../core/claim.ts";
import type { Dataset, Domain } from "../core/dataset.ts";
import type { Relation } from "../core/relation.ts";
import { requireInteger } from "../numeric/require.ts";
import { divide, type Rational, rational, toNumber } from "../numeric/rational.ts";
import { discreteLaplace } from "../random/discrete_laplace.ts";
import { gridSensitivity, requireGranularity } from "./grid.ts";
import { type GridMechanism, type GridNoise, gridNumber, gridVector } from "./grid_mechanism.ts";

/** What the Laplace mechanism must be told. */
export interface LaplaceOptions<Row, Value> {
  /** The value to release. */
  readonly query: (data: Dataset<Row>) => Value;
  /** The claim, in nats. */
  readonly epsilon: number;
  /** The most the query changes between neighbours (for vectors: the sum of absolute changes). */
  readonly sensitivity: number;
  /** The step of the grid of outputs: a power of two, and at least 2⁻³⁸ of the scale. */
  readonly granularity: number;
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
 * @returns a mechanism that claims ε-DP; `grid` tells the raised sensitivity and the scale.
 * @throws {RangeError} when a parameter is out of range.
 *
 * @example
 * ```ts
 * import { laplace } from "./laplace.ts";
 * import { replaceOne } from "../core/relation.ts";
 * import { openBudget } from "../accounting/budget.ts";
 * import { release } from "./release.ts";
 * const total = laplace<number>({
 *   query: (ages) => ages.reduce((sum, age) => sum + Math.min(120, Math.max(0, age)), 0),
 *   epsilon: 0.5,
 *   sensitivity: 120,
 *   granularity: 1 / 16,
 *   relation: replaceOne,
 * });
 * release(total, [34, 51], { budget: openBudget(total.claim) });
 * ```
 */
export function laplace<Row>(options: LaplaceOptions<Row, number>): GridMechanism<Row, number> {
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
 * import { replaceOne } from "../core/relation.ts";
 * const point = vectorLaplace<number>({
 *   query: (rows) => [rows[0]!, -rows[0]!],
 *   dimension: 2,
 *   epsilon: 1,
 *   sensitivity: 2,
 *   granularity: 2 ** -10,
 *   relation: replaceOne,
 * });
 * ```
 */
export function vectorLaplace<Row>(
  options: LaplaceOptions<Row, readonly number[]> & { readonly dimension: number },
): GridMechanism<Row, number[]> {
  const { query, domain, dimension } = options;
  requireInteger("make the Laplace mechanism", "dimension", dimension, { min: 1 });
  const { claim, grid, scale } = calibrate("make the Laplace mechanism", options);
  const noise = discreteLaplace({ scale });
  return gridVector({ name: "vector laplace", claim, grid, noise, query, domain, dimension });
}

function calibrate(
  action: string,
  { epsilon, sensitivity, granularity, relation, dimension = 1 }:
    & Pick<
      LaplaceOptions<never, never>,
      "epsilon" | "sensitivity" | "granularity" | "relation"
    >
    & { dimension?: number },
): { claim: ReturnType<typeof pure>; grid: GridNoise; scale: Rational } {
  const claim = pure({ epsilon, relation });
  requireGranularity(action, granularity);
  const steps = gridSensitivity(action, { sensitivity, granularity, dimension });
  const scale = divide(rational(steps), rational(epsilon));
  return {
    claim,
    scale,
    grid: { granularity, sensitivityInSteps: steps, scaleInSteps: toNumber(scale) },
  };
}
