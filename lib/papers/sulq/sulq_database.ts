import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields, requireKind } from "../../core/numeric/require.ts";
import { zcdp, type ZcdpClaim } from "../../core/claims/claim.ts";
import type { Dataset } from "../../core/relations/dataset.ts";
import type { Relation } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { type ReleaseOptions, spendThen } from "../../dp/mechanisms/release.ts";
import { type SulqCalibration, sulqRho } from "./sulq_accounting.ts";
import { type SulqNoise, sulqNoise } from "./sulq_noise.ts";
import { requireRowRelation } from "../../dp/mechanisms/require_row_relation.ts";
import { MOST_STEPS } from "../../dp/mechanisms/unit_steps.ts";

/** Options of a SuLQ database. */
export interface SulqOptions extends SulqCalibration {
  /** When two datasets are neighbours: replace-one or add-remove-one. */
  readonly relation: Relation;
}

/** Answers a limited number of noisy sums over rows that it does not show. */
export interface SulqDatabase<Row> {
  /** Privacy claim of all its answers together. */
  readonly claim: ZcdpClaim;
  /** Number of answers left. */
  readonly remaining: number;
  /**
   * Σ g(row) + N(0, R). Contributions are brought into [0, 1]; one that is not a number, or whose
   * computation throws, counts as 0, for a refusal would tell about the row.
   *
   * @throws {RangeError} when all queries were answered.
   */
  ask(contribution: (row: Row) => number): number;
}

/**
 * Opens a database for sublinear queries (Blum, Dwork, McSherry, Nissim 2005): T times at most it
 * answers Σ g(dᵢ) + N(0, R) for g into [0, 1], which may be chosen in the light of earlier answers.
 * The claim is T/(2R)-zCDP; `sulqAccounting` shows it beside the privacy that the paper states. The
 * budget pays for all T answers now. The paper counts the answers and no more: a row is what a
 * person is.
 *
 * @throws {RangeError} on options out of range, or when the budget cannot pay; nothing was drawn then.
 * @throws {TypeError} when the source is not secure.
 *
 * @example
 * ```ts
 * import { openBudget } from "../../dp/accounting/budget/budget.ts";
 * import { zcdp } from "../../core/claims/claim.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * import { openSulq } from "./sulq_database.ts";
 * const ages = [31, 47, 52, 68];
 * const budget = openBudget(zcdp({ rho: 0.1, relation: replaceOne }));
 * const database = openSulq(ages, { variance: 100, queries: 2, relation: replaceOne, budget });
 * database.ask((age) => age >= 50 ? 1 : 0); // 2 and noise of deviation 10
 * database.remaining; // 1
 * ```
 */
export function openSulq<Row>(
  data: Dataset<Row>,
  given: SulqOptions & ReleaseOptions,
): SulqDatabase<Row> {
  requireKind("openSulq", "data", data, "list");
  const { budget, source, ...options } = requireFields("openSulq", given, { relation: "relation" });
  requireKnown("call openSulq()", given, ["relation", "variance", "queries", "budget", "source"]);
  return spendThen("open a SuLQ database", {
    budget,
    source,
    prepare: () => {
      const prepared = sulqNoise(options);
      return {
        claim: sulqClaim(options),
        draw: (secure) => sampleSulq(secure, { ...options, data, prepared }),
      };
    },
  });
}

/** The claim of a SuLQ database: T/(2R)-zCDP. @throws {RangeError} on options out of range. */
export function sulqClaim({ variance, queries, relation }: SulqOptions): ZcdpClaim {
  requireRowRelation("open a SuLQ database", relation);
  return zcdp({ rho: sulqRho({ variance, queries }), relation });
}

/**
 * A SuLQ database that draws from a source of either kind: what audits, tests and benchmarks run.
 * Users call {@linkcode openSulq}.
 *
 * @throws {RangeError} on options out of range.
 */
export function sampleSulq<Row>(
  source: Source,
  { data, prepared, ...options }: SulqOptions & {
    readonly data: Dataset<Row>;
    /** The noise, if it was made before: its table takes milliseconds. */
    readonly prepared?: SulqNoise;
  },
): SulqDatabase<Row> {
  const claim = sulqClaim(options);
  const { stepsPerUnit, noise } = prepared ?? sulqNoise(options);
  let remaining = options.queries;
  return {
    claim,
    get remaining(): number {
      return remaining;
    },
    ask(contribution): number {
      if (remaining === 0) {
        throw new RangeError(
          `Cannot answer: queries must be at most ${options.queries}: all were answered`,
        );
      }
      // Counted before the rows are looked at: whatever happens then has been paid for.
      remaining--;
      let steps = 0;
      for (const row of data) {
        steps = Math.min(
          MOST_STEPS,
          steps + Math.round(bounded(contribution, row) * stepsPerUnit),
        );
      }
      return (steps + noise.fill(source, new Float64Array(1))[0]!) / stepsPerUnit;
    },
  };
}

function bounded<Row>(contribution: (row: Row) => number, row: Row): number {
  try {
    const value = contribution(row);
    return value > 0 ? Math.min(1, value) : 0;
  } catch {
    return 0;
  }
}
