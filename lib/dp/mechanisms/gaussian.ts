import { requireKnown } from "../../core/text/known_options.ts";
import { alsoConcentrated } from "../../core/claims/bounded_range.ts";
import { approximate, type Claim, zcdp } from "../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Relation } from "../../core/relations/relation.ts";
import { gaussianDelta } from "../../core/numeric/gaussian_delta.ts";
import { requireChance, requireFields, requireInteger } from "../../core/numeric/require.ts";
import { rational } from "../../core/numeric/rational.ts";
import { roundUp } from "../../core/numeric/round_outward.ts";
import { discreteGaussian } from "../../core/random/discrete_gaussian.ts";
import { discreteGaussianDelta } from "./discrete_gaussian_delta.ts";
import { computedSensitivity, gridSensitivity, gridStep, NUMBER_OPTIONS } from "./grid.ts";
import { type GridMechanism, gridNumber, gridVector } from "./grid_mechanism.ts";

/** Options of a Gaussian mechanism with an (ε, δ) claim. */
export interface GaussianOptions<Row> {
  /** The number to release. */
  readonly query: (data: Dataset<Row>) => number;
  /** The claim, in nats. */
  readonly epsilon: number;
  /** The claim's additive part, in (0, 1). */
  readonly delta: number;
  /** The most the query changes between neighbours. */
  readonly sensitivity: number;
  /**
   * The most that the value as computed differs from the exact one, for which the sensitivity holds: the noise pays for it.
   * Default 0: the query rounds nothing, as {@linkcode clippedSum}. A sum of doubles rounds.
   */
  readonly queryError?: number | undefined;
  /** The step of the grid of outputs: a power of two, and at least 2⁻³⁷ of the standard deviation. Default: small beside noise and sensitivity. */
  readonly granularity?: number | undefined;
  /** When two datasets are neighbours. */
  readonly relation: Relation;
  /** The datasets for which the sensitivity holds. */
  readonly domain?: Domain;
}

/** Options of the Gaussian mechanism for vectors. */
export interface VectorGaussianOptions<Row>
  extends Omit<GaussianOptions<Row>, "query" | "epsilon" | "delta"> {
  /** The vector to release. */
  readonly query: (data: Dataset<Row>) => readonly number[];
  /** Its length. */
  readonly dimension: number;
  /** The claim: zero-concentrated DP. */
  readonly rho: number;
  /** The most the query changes between neighbours, in Euclidean norm. */
  readonly sensitivity: number;
}

/**
 * The classical Gaussian mechanism: standard deviation sensitivity·√(2·ln(1.25/δ))/ε (Dwork, Roth
 * 2014, Theorem A.1), on a grid with exact discrete Gaussian noise. Its theorem is for ε < 1 only and
 * fails beyond (Balle, Wang 2018): ε ≥ 1 is refused. {@linkcode analyticGaussian} needs less noise.
 *
 * @throws {RangeError} when ε ≥ 1 or another parameter is out of range.
 *
 * @example
 * ```ts
 * import { classicalGaussian } from "./gaussian.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * const mechanism = classicalGaussian<number>({
 *   query: (rows) => rows[0]!,
 *   epsilon: 0.5,
 *   delta: 1e-6,
 *   sensitivity: 1,
 *   relation: replaceOne,
 * });
 * ```
 */
export function classicalGaussian<Row>(
  options: GaussianOptions<Row>,
): GridMechanism<Row, number> {
  requireFields("classicalGaussian", options, {
    query: "function",
    relation: "relation",
    domain: "record?",
  });
  requireKnown("call classicalGaussian()", options, [...NUMBER_OPTIONS, "delta"]);
  const { epsilon, delta } = options;
  if (!(epsilon < 1)) {
    throw new RangeError(
      `Cannot make the classical Gaussian mechanism: epsilon must be below 1, beyond which its theorem is false: current value is ${epsilon}`,
    );
  }
  const multiplier = Math.sqrt(2 * Math.log(1.25 / delta)) / epsilon;
  return gaussianNumber("classical gaussian", { ...options, multiplier });
}

/**
 * The analytic Gaussian mechanism: the least standard deviation for which the mechanism is (ε, δ)-DP
 * (Balle, Wang 2018, Theorem 8, Algorithm 1), for any ε, on a grid with exact discrete Gaussian noise.
 * That δ holds for the discrete law too is checked by {@linkcode discreteGaussianDelta}, and the
 * deviation raised where it does not. It also keeps sensitivity²/(2·deviation²)-zCDP, in steps (Canonne, Kamath,
 * Steinke 2020, Theorem 4); the discrete law keeps no μ-GDP in general.
 *
 * @throws {RangeError} when a parameter is out of range.
 *
 * @example
 * ```ts
 * import { analyticGaussian } from "./gaussian.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * const mechanism = analyticGaussian<number>({
 *   query: (rows) => rows[0]!,
 *   epsilon: 2,
 *   delta: 1e-6,
 *   sensitivity: 1,
 *   relation: replaceOne,
 * });
 * ```
 */
export function analyticGaussian<Row>(options: GaussianOptions<Row>): GridMechanism<Row, number> {
  requireFields("analyticGaussian", options, {
    query: "function",
    relation: "relation",
    domain: "record?",
  });
  requireKnown("call analyticGaussian()", options, [...NUMBER_OPTIONS, "delta"]);
  return gaussianNumber("analytic gaussian", {
    ...options,
    multiplier: analyticGaussianDeviation(options),
  });
}

/**
 * The least standard deviation per unit of sensitivity for which the Gaussian mechanism is (ε, δ)-DP,
 * rounded up (Balle, Wang 2018, Theorem 8), by bisection on a logarithmic scale.
 *
 * @throws {RangeError} unless ε is positive and δ in (0, 1).
 *
 * @example
 * ```ts
 * import { analyticGaussianDeviation } from "./gaussian.ts";
 * analyticGaussianDeviation({ epsilon: 1, delta: 1e-5 }); // 3.7302…
 * ```
 */
export function analyticGaussianDeviation(
  options: { epsilon: number; delta: number },
): number {
  const { epsilon, delta } = requireFields("analyticGaussianDeviation", options, {});
  requireClaim({ epsilon, delta });
  let low = 1e-9, high = 1;
  while (gaussianDelta(1 / high, epsilon) > delta) high *= 2;
  for (let i = 0; i < 200 && high / low > 1 + 1e-15; i++) {
    const middle = Math.sqrt(low * high);
    if (gaussianDelta(1 / middle, epsilon) > delta) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * The Gaussian mechanism for a vector with Euclidean sensitivity, on a grid, with independent exact
 * discrete Gaussian noise: ρ-zCDP with variance sensitivity²/(2ρ) (Bun, Steinke 2016, Proposition 1.6;
 * for the discrete law Canonne, Kamath, Steinke 2020, Theorem 4). Rounding may move each coordinate
 * apart by less than one step more, so the sensitivity is raised by √dimension steps.
 *
 * @throws {RangeError} when a parameter is out of range.
 *
 * @example
 * ```ts
 * import { vectorGaussian } from "./gaussian.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * const mechanism = vectorGaussian<readonly number[]>({
 *   query: (rows) => rows[0]!,
 *   dimension: 2,
 *   rho: 0.1,
 *   sensitivity: 1,
 *   relation: replaceOne,
 * });
 * ```
 */
export function vectorGaussian<Row>(
  given: VectorGaussianOptions<Row>,
): GridMechanism<Row, number[]> {
  const { query, dimension, rho, relation, domain, ...options } = requireFields(
    "vectorGaussian",
    given,
    { query: "function", relation: "relation", domain: "record?" },
  );
  requireKnown("call vectorGaussian()", given, [
    "query",
    "dimension",
    "rho",
    "sensitivity",
    "relation",
    "queryError",
    "granularity",
    "domain",
  ]);
  const action = "make the Gaussian mechanism";
  const claim = zcdp({ rho, relation });
  requireInteger(action, "dimension", dimension, { min: 1 });
  const sensitivity = computedSensitivity(action, options),
    scale = sensitivity / Math.sqrt(2 * rho);
  const granularity = gridStep(action, { ...options, sensitivity, scale, dimension });
  gridSensitivity(action, { sensitivity, granularity });
  // (a + 1)² summed: ‖⌈D⌉‖ ≤ ‖D‖ + √d. The factor covers the rounding of doubles.
  const steps = (sensitivity / granularity + Math.sqrt(dimension)) * (1 + 1e-12);
  return gridVector({
    name: "vector gaussian",
    claim,
    ...gaussianNoise({ steps, deviation: steps / Math.sqrt(2 * rho), granularity }),
    query,
    domain,
    dimension,
  });
}

/**
 * The discrete Gaussian mechanism for `dimension` integers with Euclidean sensitivity: ρ-zCDP with
 * variance parameter sensitivity²/(2ρ) (Canonne, Kamath, Steinke 2020, Theorem 4). No rounding, so
 * nothing is raised.
 *
 * @throws {RangeError} when a parameter is out of range, or at release a value is no integer.
 *
 * @example
 * ```ts
 * import { integerGaussian } from "./gaussian.ts";
 * import { addRemoveOne } from "../../core/relations/relation.ts";
 * const size = integerGaussian({
 *   query: (rows) => [rows.length],
 *   dimension: 1,
 *   rho: 0.05,
 *   sensitivity: 1,
 *   relation: addRemoveOne,
 * });
 * ```
 */
export function integerGaussian<Row>(
  options: Omit<
    VectorGaussianOptions<Row>,
    "granularity" | "queryError"
  >,
): GridMechanism<Row, number[]> {
  const { query, dimension, rho, sensitivity, relation, domain } = requireFields(
    "integerGaussian",
    options,
    { relation: "relation", query: "function", domain: "record?" },
  );
  requireKnown("call integerGaussian()", options, [
    "relation",
    "query",
    "sensitivity",
    "domain",
    "dimension",
    "rho",
    "steps",
    "stepOf",
    "granularity",
  ]);
  const action = "make the discrete Gaussian mechanism";
  const claim = zcdp({ rho, relation });
  requireInteger(action, "dimension", dimension, { min: 1 });
  gridSensitivity(action, { sensitivity, granularity: 1 });
  const deviation = sensitivity / Math.sqrt(2 * rho) * (1 + 1e-12);
  return gridVector({
    name: "integer gaussian",
    claim,
    ...gaussianNoise({ steps: sensitivity, deviation, granularity: 1 }),
    query: (data) => {
      const values = query(data);
      if (!values.every(Number.isInteger)) {
        throw new RangeError("Cannot release: what the query gives must be integers");
      }
      return values;
    },
    domain,
    dimension,
  });
}

function gaussianNumber<Row>(
  name: string,
  { query, epsilon, delta, relation, domain, multiplier, ...options }:
    & GaussianOptions<Row>
    & { multiplier: number },
): GridMechanism<Row, number> {
  const action = `make the ${name} mechanism`;
  requireClaim({ epsilon, delta });
  const claim: Claim = approximate({ epsilon, delta, relation });
  const sensitivity = computedSensitivity(action, options), scale = sensitivity * multiplier;
  const granularity = gridStep(action, { ...options, sensitivity, scale });
  const steps = gridSensitivity(action, { sensitivity, granularity });
  let deviation = steps * multiplier;
  while (discreteGaussianDelta({ deviation, shift: steps, epsilon }) > delta) {
    deviation *= 1 + 2 ** -20;
  }
  const { variance, ...parts } = gaussianNoise({ steps, deviation, granularity });
  // Two roundings, each by half of EPSILON.
  const rho = roundUp(0.5 * steps * steps / variance, { relativeError: Number.EPSILON });
  const alsoKeeps = alsoConcentrated({ rho, relation });
  return gridNumber({ name, claim, alsoKeeps, ...parts, query, domain });
}

function gaussianNoise(
  { steps, deviation, granularity }: { steps: number; deviation: number; granularity: number },
): {
  /** The noise has exactly this one: deviation², rounded to a double. */
  variance: number;
  noise: ReturnType<typeof discreteGaussian>;
  grid: GridMechanism<never, never>["grid"];
} {
  const variance = deviation ** 2;
  return {
    variance,
    noise: discreteGaussian({ variance: rational(variance) }),
    grid: { granularity, sensitivityInSteps: steps, scaleInSteps: deviation },
  };
}

/** Beyond it noise is so small that the search for it does not end. */
const LARGEST_EPSILON = 1e10;

function requireClaim({ epsilon, delta }: { epsilon: number; delta: number }): void {
  if (!(epsilon > 0 && epsilon <= LARGEST_EPSILON)) {
    throw new RangeError(
      `Cannot calibrate Gaussian noise: epsilon must be positive and at most ${LARGEST_EPSILON}: ` +
        `current value is ${epsilon}`,
    );
  }
  requireChance("calibrate Gaussian noise", "delta", delta);
}
