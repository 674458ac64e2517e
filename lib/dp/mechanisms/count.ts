import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields } from "../../core/numeric/require.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Relation } from "../../core/relations/relation.ts";
import { histogramSensitivity } from "./counting.ts";
import { geometric } from "./geometric.ts";
import type { GridMechanism } from "./grid_mechanism.ts";

/**
 * The noisy number of rows that satisfy a predicate: sensitivity 1 whether a row is replaced, added or
 * removed, with exact two-sided geometric noise of scale 1/ε (Ghosh, Roughgarden, Sundararajan 2009).
 * Outputs may be negative.
 *
 * @throws {RangeError} when a parameter is out of range.
 *
 * @example
 * ```ts
 * import { count } from "./count.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * import { openBudget } from "../accounting/budget/budget.ts";
 * import { release } from "./release.ts";
 * const smokers = count<{ smokes: boolean }>({
 *   where: (row) => row.smokes,
 *   epsilon: 0.5,
 *   relation: replaceOne,
 * });
 * release(smokers, [{ smokes: true }, { smokes: false }], { budget: openBudget(smokers.claim) });
 * ```
 */
export function count<Row>(
  given: {
    readonly where: (row: Row) => boolean;
    readonly epsilon: number;
    readonly relation: Relation;
    readonly domain?: Domain;
  },
): GridMechanism<Row, number> {
  const { where, ...options } = requireFields("count", given, {
    where: "function",
    relation: "relation",
    domain: "record?",
  });
  requireKnown("call count()", given, ["where", "epsilon", "relation", "domain"]);
  histogramSensitivity("make a count", options.relation);
  return {
    ...geometric<Row>({
      ...options,
      query: (data: Dataset<Row>) => data.reduce((sum, row) => where(row) ? sum + 1 : sum, 0),
      sensitivity: 1,
    }),
    name: "count",
  };
}
