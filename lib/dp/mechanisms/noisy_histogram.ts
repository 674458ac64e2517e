import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields } from "../../core/numeric/require.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Relation } from "../../core/relations/relation.ts";
import { categoryPlaces } from "./category_places.ts";
import { histogramSensitivity } from "./counting.ts";
import { integerLaplace } from "./geometric.ts";
import type { GridMechanism } from "./grid_mechanism.ts";

/**
 * The noisy histogram (Dwork, McSherry, Nissim, Smith 2006, section 3.1): how many rows fall to each
 * category of a fixed list, each count with independent exact two-sided geometric noise of scale 1/ε
 * when a row is added or removed, 2/ε when it is replaced. The categories must not be taken from the
 * data. Rows of other values count nowhere.
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration_certified`.
 *
 * @throws {RangeError} when a parameter is out of range.
 *
 * @example
 * ```ts
 * import { noisyHistogram } from "./noisy_histogram.ts";
 * import { addRemoveOne } from "../../core/relations/relation.ts";
 * import { openBudget } from "../accounting/budget/budget.ts";
 * import { release } from "./release.ts";
 * const blood = noisyHistogram<string, string>({
 *   categories: ["0", "A", "B", "AB"],
 *   categoryOf: (row) => row,
 *   epsilon: 1,
 *   relation: addRemoveOne,
 * });
 * release(blood, ["A", "A", "0"], { budget: openBudget(blood.claim) }); // four integers
 * ```
 */
export function noisyHistogram<Row, Category>(
  given: {
    readonly categories: readonly Category[];
    readonly categoryOf: (row: Row) => Category;
    readonly epsilon: number;
    readonly relation: Relation;
    readonly domain?: Domain;
  },
): GridMechanism<Row, number[]> {
  const { categories, categoryOf, ...options } = requireFields("noisyHistogram", given, {
    categories: "list",
    categoryOf: "function",
    relation: "relation",
    domain: "record?",
  });
  requireKnown("call noisyHistogram()", given, [
    "categories",
    "categoryOf",
    "epsilon",
    "relation",
    "domain",
  ]);
  const action = "make a noisy histogram";
  const place = categoryPlaces(action, categories, { least: 1 });
  const counts = (data: Dataset<Row>): number[] => {
    const cells = categories.map(() => 0);
    for (const row of data) {
      const at = place.get(categoryOf(row));
      if (at !== undefined) cells[at]!++;
    }
    return cells;
  };
  return {
    ...integerLaplace<Row>({
      ...options,
      query: counts,
      dimension: categories.length,
      sensitivity: histogramSensitivity(action, options.relation),
    }),
    name: "noisy histogram",
  };
}
