import { requireKnown } from "../../core/text/known_options.ts";
import {
  requireFields,
  requireInteger,
  requireKind,
  requirePositive,
} from "../../core/numeric/require.ts";
import type { StatisticalQueryOptions, StatisticalQueryOracle } from "./statistical_queries.ts";

/** A row of truth values and its class. */
export interface BooleanRow {
  /** d truth values. */
  readonly features: readonly boolean[];
  /** True if the conjunction holds for the row. */
  readonly label: boolean;
}

/** "Feature `column` is `value`". */
export interface Literal {
  /** From 0 to d − 1. */
  readonly column: number;
  /** Value that the feature must have. */
  readonly value: boolean;
}

/** Options that determine the queries of {@linkcode fitConjunction}. */
export interface ConjunctionOptions {
  /** d. */
  readonly columnCount: number;
  /** The share of rows that may be classified wrongly. */
  readonly error: number;
}

/**
 * The queries and tolerance that {@linkcode fitConjunction} needs: one query a literal, within
 * error/(4d).
 *
 * @throws {RangeError} unless columnCount is a positive integer and error positive.
 *
 * @example
 * ```ts
 * import { conjunctionQueries } from "./fit_conjunction.ts";
 * conjunctionQueries({ columnCount: 5, error: 0.1 }); // 10 queries within 0.005
 * ```
 */
export function conjunctionQueries(
  { columnCount, error }: ConjunctionOptions,
): Pick<StatisticalQueryOptions, "queries" | "tolerance"> {
  requireInteger("learn a conjunction", "columnCount", columnCount, { min: 1 });
  requirePositive("learn a conjunction", "error", error);
  return { queries: 2 * columnCount, tolerance: error / (4 * columnCount) };
}

/**
 * Learns a conjunction of literals by statistical queries only (Kearns 1998): asks of every literal
 * how often it is false while the label is true, and keeps those for which the answer is within the
 * tolerance of never. If the labels are those of some conjunction and the answers are within τ =
 * error/(4d), all its literals are kept, and each that is kept errs on a share 2τ of the rows at
 * most: on `error` in all.
 *
 * @returns the literals whose conjunction is the hypothesis.
 * @throws {RangeError} when the oracle is not exact enough or has too few answers left.
 *
 * @example
 * ```ts
 * import { openBudget } from "../../dp/accounting/budget/budget.ts";
 * import { zcdp } from "../../core/claims/claim.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * import { type BooleanRow, conjunctionQueries, fitConjunction } from "./fit_conjunction.ts";
 * import { openStatisticalQueries } from "./statistical_queries.ts";
 * const rows: BooleanRow[] = Array.from({ length: 4000 }, (_, i) => {
 *   const features = [i % 2 === 0, i % 3 === 0];
 *   return { features, label: features[0]! };
 * });
 * const options = { columnCount: 2, error: 0.4 };
 * const budget = openBudget(zcdp({ rho: 0.1, relation: replaceOne }));
 * const needs = { ...conjunctionQueries(options), failure: 0.01 };
 * const oracle = openStatisticalQueries(rows, { ...needs, budget });
 * fitConjunction(oracle, options); // column 0 is true
 * ```
 */
export function fitConjunction(
  oracle: StatisticalQueryOracle<BooleanRow>,
  options: ConjunctionOptions,
): Literal[] {
  requireKind("fitConjunction", "oracle", oracle, "record");
  requireFields("fitConjunction", options, {});
  requireKnown("call fitConjunction()", options, ["columnCount", "error"]);
  const { queries, tolerance } = conjunctionQueries(options);
  if (!(oracle.tolerance <= tolerance && oracle.remaining >= queries)) {
    throw new RangeError(
      `Cannot learn a conjunction: the oracle must have ${queries} answers within ${tolerance} left: ` +
        `current values are ${oracle.remaining} and ${oracle.tolerance}`,
    );
  }
  const literals = Array.from({ length: options.columnCount }, (_, column) => [
    { column, value: true },
    { column, value: false },
  ]).flat();
  return literals.filter(({ column, value }) =>
    oracle.ask(({ features, label }) => label && features[column] !== value ? 1 : 0) <= tolerance
  );
}
