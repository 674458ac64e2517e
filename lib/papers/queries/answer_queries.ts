import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields } from "../../core/numeric/require.ts";
import type { BoxQuery } from "./box_query.ts";
import type { FiniteDomain } from "./finite_domain.ts";
import { type HistogramQuery, isLinear, type LinearQuery, WEIGHT_STEPS } from "./linear_query.ts";

/** Answers a fixed list of queries on any histogram, into `out`. */
export type QueryEvaluator = (histogram: Float64Array, out: Float64Array) => Float64Array;

/**
 * Prepares the answers to queries. For boxes a histogram is summed up along each attribute, and a query
 * is an alternating sum over the corners of its box, at most 2^(attributes that it restricts from
 * below); a linear query takes one product a cell. Exact for histograms of integers below 2³⁷ in all
 * (2⁵³ where all queries are boxes).
 *
 * @throws {RangeError} when a box is not inside the domain, or weights are not as `linearQuery` makes
 * them.
 */
export function queryEvaluator(
  domain: FiniteDomain,
  queries: readonly HistogramQuery[],
): QueryEvaluator {
  const corners = queries.map((query, i) => {
    if (isLinear(query)) {
      requireWeights(domain, query, i);
      return [];
    }
    requireInside(domain, query, i);
    return cornersOf(domain, query);
  });
  const linear = [...queries.entries()].filter((entry): entry is [number, LinearQuery] =>
    isLinear(entry[1])
  );
  const starts = new Uint32Array(queries.length + 1);
  corners.forEach(({ length }, i) => starts[i + 1] = starts[i]! + length);
  const cells = Uint32Array.from(corners.flatMap((list) => list.map(({ cell }) => cell)));
  const signs = Float64Array.from(corners.flatMap((list) => list.map(({ sign }) => sign)));
  const sums = new Float64Array(domain.size);
  return (histogram, out) => {
    if (linear.length < queries.length) {
      sums.set(histogram);
      accumulate(domain, sums);
    }
    for (let i = 0; i < queries.length; i++) {
      let answer = 0;
      for (let k = starts[i]!; k < starts[i + 1]!; k++) answer += signs[k]! * sums[cells[k]!]!;
      out[i] = answer;
    }
    for (const [i, { weights }] of linear) {
      let answer = 0;
      for (let cell = 0; cell < weights.length; cell++) answer += weights[cell]! * histogram[cell]!;
      out[i] = answer;
    }
    return out;
  };
}

/**
 * The answers to queries on a histogram.
 *
 * @param histogram one number for each cell of the domain.
 * @throws {RangeError} when a query is not one of the domain, or numbers and cells differ in number.
 *
 * @example
 * ```ts
 * import { answerQueries } from "./answer_queries.ts";
 * import { rangeQuery } from "./box_query.ts";
 * import { finiteDomain } from "./finite_domain.ts";
 * const domain = finiteDomain({ shape: [4] });
 * const queries = [rangeQuery(domain, { 0: [1, 2] })];
 * answerQueries(Float64Array.of(5, 1, 2, 7), { domain, queries }); // 3
 * ```
 */
export function answerQueries(
  histogram: Float64Array,
  options: { domain: FiniteDomain; queries: readonly HistogramQuery[] },
): Float64Array {
  const { domain, queries } = requireFields("answerQueries", options, {
    domain: "record",
    queries: "list",
  });
  requireKnown("call answerQueries()", options, ["domain", "queries"]);
  if (histogram.length !== domain.size) {
    throw new RangeError(
      `Cannot answer queries: histogram must have ${domain.size} numbers: current number is ${histogram.length}`,
    );
  }
  return queryEvaluator(domain, queries)(histogram, new Float64Array(queries.length));
}

interface Corner {
  readonly cell: number;
  readonly sign: number;
}

function requireInside({ shape }: FiniteDomain, { lower, upper }: BoxQuery, index: number): void {
  const inside = lower.length === shape.length && upper.length === shape.length &&
    shape.every((values, i) => {
      const from = lower[i]!, to = upper[i]!;
      return Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from <= to &&
        to < values;
    });
  if (!inside) {
    throw new RangeError(
      `Cannot answer queries: boxes must be inside the domain and not empty: query ${index} is not`,
    );
  }
}

function requireWeights({ size }: FiniteDomain, { weights }: LinearQuery, index: number): void {
  const right = weights.length === size &&
    weights.every((weight) =>
      weight >= 0 && weight <= 1 && Number.isInteger(weight * WEIGHT_STEPS)
    );
  if (!right) {
    throw new RangeError(
      `Cannot answer queries: weights must be made by linearQuery for the domain: those of query ${index} are not`,
    );
  }
}

/** The corners of a box that are in the domain: those below its first cell count nothing. */
function cornersOf({ shape }: FiniteDomain, { lower, upper }: BoxQuery): Corner[] {
  let corners: Corner[] = [{ cell: 0, sign: 1 }];
  shape.forEach((values, i) => {
    corners = corners.flatMap(({ cell, sign }) => {
      const high = { cell: cell * values + upper[i]!, sign };
      return lower[i] === 0 ? [high] : [high, {
        cell: cell * values + lower[i]! - 1,
        sign: -sign,
      }];
    });
  });
  return corners;
}

/** Turns a histogram into its sums over all cells with no code larger, attribute by attribute. */
function accumulate({ shape, size }: FiniteDomain, sums: Float64Array): void {
  let stride = 1;
  for (let attribute = shape.length - 1; attribute >= 0; attribute--) {
    const block = stride * shape[attribute]!;
    for (let from = 0; from < size; from += block) {
      for (let i = from + stride; i < from + block; i++) sums[i] = sums[i]! + sums[i - stride]!;
    }
    stride = block;
  }
}
