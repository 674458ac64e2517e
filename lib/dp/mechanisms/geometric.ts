import { requireKnown } from "../../core/text/known_options.ts";
import { pure } from "../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import type { Relation } from "../../core/relations/relation.ts";
import { requireFields, requireInteger } from "../../core/numeric/require.ts";
import { divide, rational, toNumber } from "../../core/numeric/rational.ts";
import { discreteLaplace } from "../../core/random/discrete_laplace.ts";
import { MOST_COORDINATE } from "./grid.ts";
import { type GridMechanism, gridNumber, gridVector } from "./grid_mechanism.ts";

/** The options, by name. */
const OPTIONS = ["query", "epsilon", "sensitivity", "relation", "domain", "bounds"];

/** Options of the geometric mechanism. */
export interface GeometricOptions<Row, Value> {
  /** The integer, or integers, to release. */
  readonly query: (data: Dataset<Row>) => Value;
  /** The claim, in nats. */
  readonly epsilon: number;
  /** The most the query changes between neighbours, an integer (for vectors: in L1). */
  readonly sensitivity: number;
  /** When two datasets are neighbours. */
  readonly relation: Relation;
  /** The datasets for which the sensitivity holds. */
  readonly domain?: Domain;
}

/**
 * The geometric mechanism (Ghosh, Roughgarden, Sundararajan 2009): an integer plus two-sided
 * geometric noise, P(x) ∝ exp(−|x|·ε/sensitivity), drawn exactly. Queries that are not integers are
 * refused when they are evaluated.
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration_certified`.
 *
 * @throws {RangeError} when a parameter is out of range.
 *
 * @example
 * ```ts
 * import { geometric } from "./geometric.ts";
 * import { addRemoveOne } from "../../core/relations/relation.ts";
 * const size = geometric({
 *   query: (rows) => rows.length,
 *   epsilon: 1,
 *   sensitivity: 1,
 *   relation: addRemoveOne,
 * });
 * ```
 */
export function geometric<Row>(options: GeometricOptions<Row, number>): GridMechanism<Row, number> {
  requireFields("geometric", options, {
    query: "function",
    relation: "relation",
    domain: "record?",
  });
  requireKnown("call geometric()", options, OPTIONS);
  const { query, domain } = options;
  return gridNumber({
    name: "geometric",
    ...calibrate(options),
    query: (data) => integer(query(data)),
    domain,
  });
}

/**
 * The discrete Laplace mechanism for `dimension` integers with L1 sensitivity `sensitivity`:
 * independent noise P(x) ∝ exp(−|x|·ε/sensitivity) on each (Ghosh, Roughgarden, Sundararajan 2009;
 * sampling: Canonne, Kamath, Steinke 2020).
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration_certified`.
 *
 * @throws {RangeError} when a parameter is out of range.
 *
 * @example
 * ```ts
 * import { integerLaplace } from "./geometric.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * const votes = integerLaplace<boolean>({
 *   query: (rows) => [rows.filter((yes) => yes).length, rows.filter((yes) => !yes).length],
 *   dimension: 2,
 *   epsilon: 1,
 *   sensitivity: 2,
 *   relation: replaceOne,
 * });
 * ```
 */
export function integerLaplace<Row>(
  options: GeometricOptions<Row, readonly number[]> & { readonly dimension: number },
): GridMechanism<Row, number[]> {
  const { query, domain, dimension } = requireFields("integerLaplace", options, {
    query: "function",
    relation: "relation",
    domain: "record?",
  });
  requireKnown("call integerLaplace()", options, [
    "query",
    "epsilon",
    "sensitivity",
    "relation",
    "domain",
    "dimension",
    "steps",
    "stepOf",
  ]);
  requireInteger("make the discrete Laplace mechanism", "dimension", dimension, { min: 1 });
  return gridVector({
    name: "integer laplace",
    ...calibrate(options),
    query: (data) => query(data).map(integer),
    domain,
    dimension,
  });
}

/**
 * The geometric mechanism with outputs brought into `bounds` (Ghosh, Roughgarden, Sundararajan 2009):
 * everything below the lower bound becomes it, and likewise above. The query is brought into the
 * bounds first. Truncation is post-processing, so ε stands; conditioning on the bounds instead would
 * not keep it.
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration_certified`.
 *
 * @throws {RangeError} when a parameter is out of range.
 *
 * @example
 * ```ts
 * import { truncatedGeometric } from "./geometric.ts";
 * import { addRemoveOne } from "../../core/relations/relation.ts";
 * const size = truncatedGeometric({
 *   query: (rows) => rows.length,
 *   epsilon: 1,
 *   sensitivity: 1,
 *   bounds: { lower: 0, upper: 100 },
 *   relation: addRemoveOne,
 * });
 * ```
 */
export function truncatedGeometric<Row>(
  options: GeometricOptions<Row, number> & {
    readonly bounds: { readonly lower: number; readonly upper: number };
  },
): Mechanism<Row, number> {
  const { query, bounds: { lower, upper } } = requireFields("truncatedGeometric", options, {
    query: "function",
    bounds: "record",
    relation: "relation",
    domain: "record?",
  });
  requireKnown("call truncatedGeometric()", options, OPTIONS);
  const action = "make the truncated geometric mechanism";
  requireInteger(action, "bounds.lower", lower, { min: -MOST_COORDINATE });
  requireInteger(action, "bounds.upper", upper, { min: lower, max: MOST_COORDINATE });
  const within = (value: number): number => Math.min(upper, Math.max(lower, value));
  const full = geometric<Row>({ ...options, query: (data) => within(integer(query(data))) });
  const { noise } = calibrate(options);
  const logDensity = (output: number, data: Dataset<Row>): number => {
    if (output < lower || output > upper) return -Infinity;
    const at = within(integer(query(data)));
    if (lower === upper) return 0;
    if (output === lower) return noise.logUpperTail(at - lower);
    if (output === upper) return noise.logUpperTail(upper - at);
    return noise.logProbability(output - at);
  };
  return {
    ...full,
    name: "truncated geometric",
    sample: (data, source) => within(full.sample(data, source)),
    sampleMany: (data, count, source) => full.sampleMany!(data, count, source).map(within),
    logDensity,
    distribution: (data) =>
      Array.from({ length: upper - lower + 1 }, (_, i) => ({
        output: lower + i,
        probability: Math.exp(logDensity(lower + i, data)),
      })),
  };
}

function integer(value: number): number {
  if (!Number.isInteger(value)) {
    throw new RangeError("Cannot release: what the query gives must be an integer");
  }
  return value;
}

function calibrate(
  { epsilon, sensitivity, relation }: Pick<
    GeometricOptions<never, never>,
    "epsilon" | "sensitivity" | "relation"
  >,
): {
  claim: ReturnType<typeof pure>;
  noise: ReturnType<typeof discreteLaplace>;
  grid: GridMechanism<never, never>["grid"];
} {
  const claim = pure({ epsilon, relation });
  requireInteger("make the geometric mechanism", "sensitivity", sensitivity, { min: 1 });
  const scale = divide(rational(sensitivity), rational(epsilon));
  return {
    claim,
    noise: discreteLaplace({ scale }),
    grid: { granularity: 1, sensitivityInSteps: sensitivity, scaleInSteps: toNumber(scale) },
  };
}
