import { requireFields, requireKind } from "../../core/numeric/require.ts";
import type { BoxQuery } from "./box_query.ts";
import type { FiniteDomain } from "./finite_domain.ts";

/** Weights are whole multiples of 2⁻¹⁶: answers are then exact, and noise hides their fractions. */
export const WEIGHT_STEPS: number = 2 ** 16;

/**
 * A linear query: the sum of a weight over all rows, which depends on the cell and is from 0 to 1. One
 * row replaced, added or removed moves its answer by at most 1. Made by {@linkcode linearQuery}.
 */
export interface LinearQuery {
  /** One weight a cell, each a multiple of 2⁻¹⁶. */
  readonly weights: Float64Array;
}

/** Query of a histogram: the number of rows in a box, or the sum of the weights of all rows. */
export type HistogramQuery = BoxQuery | LinearQuery;

/** Returns true if the query has weights instead of a box. */
export function isLinear(query: HistogramQuery): query is LinearQuery {
  return "weights" in query;
}

/**
 * The query that sums a weight over the rows, each weight rounded to 2⁻¹⁶. (Weights from −1 to 1, as in
 * Hardt, Ligett, McSherry 2012, are 2w − 1: where n is public, ask for w, double the answer and take n
 * from it.) It takes eight bytes a cell.
 *
 * @param weightOf the weight of a cell's rows, from 0 to 1; fixed without looking at the data.
 * @throws {RangeError} when a weight is not from 0 to 1.
 *
 * @example
 * ```ts
 * import { finiteDomain } from "./finite_domain.ts";
 * import { linearQuery } from "./linear_query.ts";
 * const age = linearQuery(finiteDomain({ shape: [101] }), (years) => years / 100); // ages in sum, in centuries
 * ```
 */
export function linearQuery(
  options: FiniteDomain,
  weightOf: (cell: number) => number,
): LinearQuery {
  const { size } = requireFields("linearQuery", options, { shape: "list" });
  requireKind("linearQuery", "weightOf", weightOf, "function");
  const weights = Float64Array.from({ length: size }, (_, cell) => {
    const weight = weightOf(cell);
    if (!(weight >= 0 && weight <= 1)) {
      throw new RangeError(
        `Cannot make a linear query: weights must be from 0 to 1: current value is ${weight} at cell ${cell}`,
      );
    }
    return Math.round(weight * WEIGHT_STEPS) / WEIGHT_STEPS;
  });
  return { weights };
}
