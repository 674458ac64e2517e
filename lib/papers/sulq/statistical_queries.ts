import { requireKnown } from "../../core/text/known_options.ts";
import type { ZcdpClaim } from "../../core/claims/claim.ts";
import type { Dataset } from "../../core/relations/dataset.ts";
import { replaceOne } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import {
  requireFields,
  requireInteger,
  requireKind,
  requirePositive,
} from "../../core/numeric/require.ts";
import { type ReleaseOptions, spendThen } from "../../dp/mechanisms/release.ts";
import type { SulqCalibration } from "./sulq_accounting.ts";
import { sampleSulq, sulqClaim } from "./sulq_database.ts";
import { type SulqNoise, sulqNoise } from "./sulq_noise.ts";

/** Required accuracy of answers to statistical queries. Neighbours replace a row; n is public. */
export interface StatisticalQueryOptions {
  /** T, the number of queries that may be asked. */
  readonly queries: number;
  /** τ: answers are means of values in [0, 1], within τ. */
  readonly tolerance: number;
  /** Probability that any of the T answers is off by more than τ. */
  readonly failure: number;
}

/** All that a statistical-query learner sees of the rows (Kearns 1998). */
export interface StatisticalQueryOracle<Row> {
  /** Privacy claim of all its answers together. */
  readonly claim: ZcdpClaim;
  /** τ. */
  readonly tolerance: number;
  /** Number of answers left. */
  readonly remaining: number;
  /**
   * The mean of `value` over the rows, within τ. @throws {RangeError} when all queries were
   * answered.
   */
  ask(value: (row: Row) => number): number;
}

/**
 * Opens a statistical-query oracle on a SuLQ database (Blum, Dwork, McSherry, Nissim 2005): every learner
 * that asks only for means within τ learns privately. The noise is as large as τ allows: R =
 * (nτ)²/(2·ln(2T/failure)), by the tail 2e^(−t²/2R) of (discrete) Gaussian noise and a union over T
 * answers. The claim, T/(2R)-zCDP, follows from n, τ and T and falls as 1/n²: who needs a given ρ
 * takes a larger τ. (Rounding of rows to the grid adds less than 2⁻¹⁰ at most to τ, and far less
 * where the noise is below 2¹⁸ rows.)
 *
 * @throws {RangeError} on options out of range, or when the budget cannot pay; nothing was drawn then.
 * @throws {TypeError} when the source is not secure.
 *
 * @example
 * ```ts
 * import { openBudget } from "../../dp/accounting/budget/budget.ts";
 * import { zcdp } from "../../core/claims/claim.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * import { openStatisticalQueries } from "./statistical_queries.ts";
 * const budget = openBudget(zcdp({ rho: 0.001, relation: replaceOne }));
 * const rows = Array.from({ length: 10_000 }, (_, i) => i % 4);
 * const needs = { queries: 10, tolerance: 0.05, failure: 0.01 };
 * const oracle = openStatisticalQueries(rows, { ...needs, budget });
 * oracle.ask((row) => row === 3 ? 1 : 0); // 0.25 within 0.05
 * oracle.claim.rho; // 0.0003
 * ```
 */
export function openStatisticalQueries<Row>(
  data: Dataset<Row>,
  given: StatisticalQueryOptions & ReleaseOptions,
): StatisticalQueryOracle<Row> {
  requireKind("openStatisticalQueries", "data", data, "list");
  const { budget, source, ...options } = requireFields("openStatisticalQueries", given, {});
  requireKnown("call openStatisticalQueries()", given, [
    "queries",
    "tolerance",
    "failure",
    "budget",
    "source",
  ]);
  return spendThen("answer privately", {
    budget,
    source,
    prepare: () => {
      const calibration = statisticalQueryCalibration(options, { rowCount: data.length });
      const prepared = sulqNoise(calibration);
      return {
        claim: sulqClaim({ ...calibration, relation: replaceOne }),
        draw: (secure) => sampleStatisticalQueries(secure, { ...options, data, prepared }),
      };
    },
  });
}

/** R and T for n rows. @throws {RangeError} on options out of range. */
export function statisticalQueryCalibration(
  { queries, tolerance, failure }: StatisticalQueryOptions,
  { rowCount }: { rowCount: number },
): SulqCalibration {
  const action = "answer statistical queries";
  requireInteger(action, "queries", queries, { min: 1 });
  requireInteger(action, "rows", rowCount, { min: 1 });
  requirePositive(action, "tolerance", tolerance);
  requirePositive(action, "failure", failure);
  if (!(failure < 1)) {
    throw new RangeError(`Cannot ${action}: failure must be below 1: current value is ${failure}`);
  }
  return {
    queries,
    variance: (rowCount * tolerance) ** 2 / (2 * Math.log(2 * queries / failure)),
  };
}

/**
 * {@linkcode openStatisticalQueries} drawing from a source of either kind: for audits and tests.
 */
export function sampleStatisticalQueries<Row>(
  source: Source,
  { data, prepared, ...options }: StatisticalQueryOptions & {
    readonly data: Dataset<Row>;
    /** The noise, if it was made before: its table takes milliseconds. */
    readonly prepared?: SulqNoise;
  },
): StatisticalQueryOracle<Row> {
  const calibration = statisticalQueryCalibration(options, { rowCount: data.length });
  const sulq = { ...calibration, relation: replaceOne };
  const database = sampleSulq(source, {
    ...sulq,
    data,
    ...(prepared === undefined ? {} : { prepared }),
  });
  return {
    claim: sulqClaim(sulq),
    tolerance: options.tolerance,
    get remaining(): number {
      return database.remaining;
    },
    ask: (value) => database.ask(value) / data.length,
  };
}
