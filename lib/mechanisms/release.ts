import { requireFields, requireKind } from "../numeric/require.ts";
import type { Dataset } from "../core/dataset.ts";
import type { Mechanism } from "../core/mechanism.ts";
import { type ReleaseOptions, spendThen } from "./spend_then.ts";

/**
 * Releases one output privately. In this order: the data is checked, without randomness; the budget
 * pays for the mechanism's claim, or refuses; the output is drawn from a secure source. Whatever is
 * refused costs nothing, and once the budget has paid it stays paid. A seeded source does not compile.
 *
 * @throws {RangeError} when the data cannot be released or the budget cannot pay; then nothing was
 * drawn.
 * @throws {TypeError} when the source is not secure or no constructor made the claim (for callers without types).
 *
 * @example
 * ```ts
 * import { openBudget } from "../accounting/budget.ts";
 * import { pure } from "../core/claim.ts";
 * import { release } from "./release.ts";
 * import { geometric } from "./geometric.ts";
 * import { addRemoveOne } from "../core/relation.ts";
 * const size = geometric({
 *   query: (rows) => rows.length,
 *   epsilon: 1,
 *   sensitivity: 1,
 *   relation: addRemoveOne,
 * });
 * const budget = openBudget(pure({ epsilon: 1, relation: addRemoveOne }));
 * release(size, ["a", "b"], { budget });
 * ```
 */
export function release<Row, Output>(
  mechanism: Mechanism<Row, Output>,
  data: Dataset<Row>,
  options: ReleaseOptions,
): Output {
  requireKind("release", "mechanism", mechanism, "record");
  requireKind("release", "data", data, "list");
  requireFields("release", options, {});
  return spendThen("release", {
    ...options,
    prepare: () => {
      const { claim, alsoKeeps } = mechanism;
      mechanism.check?.(data);
      return { claim, alsoKeeps, draw: (source) => mechanism.sample(data, source) };
    },
  });
}
