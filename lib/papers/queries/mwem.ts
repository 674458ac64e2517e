import { requireKnown } from "../../core/text/known_options.ts";
import { alsoConcentrated } from "../../core/claims/bounded_range.ts";
import { type Claim, pure, type PureClaim } from "../../core/claims/claim.ts";
import type { Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { addRemoveOne, type Relation, replaceOne } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { divide, rational } from "../../core/numeric/rational.ts";
import { roundUp } from "../../core/numeric/round_outward.ts";
import {
  requireFields,
  requireInteger,
  requireKind,
  requireOneOf,
} from "../../core/numeric/require.ts";
import { discreteLaplace } from "../../core/random/discrete_laplace.ts";
import { type ReleaseOptions, spendThen } from "../../dp/mechanisms/release.ts";
import { share } from "../../dp/accounting/budget/share.ts";
import { queryEvaluator } from "./answer_queries.ts";
import { type FiniteDomain, histogramOf } from "./finite_domain.ts";
import { type HistogramQuery, isLinear, WEIGHT_STEPS } from "./linear_query.ts";
import { type Measurement, mwemRounds } from "./mwem_rounds.ts";

/** The most rows: scores then stay exact integers. */
const MOST_ROWS = 2 ** 31;

/** Options of MWEM; all of it fixed without looking at the data. */
export interface MwemOptions {
  /** The cells that rows may fall into. */
  readonly domain: FiniteDomain;
  /** The queries to be answered well: at least one. */
  readonly queries: readonly HistogramQuery[];
  /** T, how many queries are measured: at least 1. */
  readonly rounds: number;
  /** The claim, in nats. */
  readonly epsilon: number;
  /**
   * `replaceOne`: the number of rows is public. `addRemoveOne`: it is private, and measured with one
   * of then 2T + 1 equal shares of ε.
   */
  readonly relation: Relation;
  /** The average of the iterates before each round, as published, or the last. Default: average. */
  readonly output?: "average" | "last";
  /**
   * Number of times, after each round, that all measurements so far are applied once more (the paper's section
   * 2.3); costs no privacy. The theorem is for 0. Default 0.
   */
  readonly replays?: number;
}

/** A private estimate of a histogram. */
export interface MwemEstimate {
  /** Privacy claim, which was spent. */
  readonly claim: PureClaim;
  /** The cells. */
  readonly domain: FiniteDomain;
  /** The number of rows, or its noisy value (at least 1). */
  readonly size: number;
  /** The estimated rows in each cell: not negative, `size` in sum. */
  readonly histogram: Float64Array;
  /** Measurements, in order; covered by the claim. */
  readonly measurements: readonly Measurement[];
}

type Sampler = (rows: ArrayLike<number>, source: Source) => MwemEstimate;

/** ε of every choice and of every measurement. */
function shareOfEach({ epsilon, rounds, relation }: MwemOptions): number {
  return share(epsilon, 2 * rounds + (relation === replaceOne ? 0 : 1));
}

/**
 * Returns the zCDP claim of MWEM, as that of T choices of bounded range ε′ and T measurements (T + 1 where n is private) that are
 * ε′-DP each: ε′²·(T/8 + T/2)-zCDP, or 1/2 more.
 */
function alsoKept(options: MwemOptions): readonly Claim[] {
  const { rounds, relation } = options, share = shareOfEach(options);
  const parts = 0.625 * rounds + (relation === replaceOne ? 0 : 0.5);
  return alsoConcentrated({
    rho: roundUp(parts * share * share, { relativeError: Number.EPSILON }),
    relation,
  });
}

/** The claim of {@linkcode fitMwem}. @throws {RangeError} on an ε or a relation it cannot keep. */
function claimOf({ epsilon, relation }: MwemOptions): PureClaim {
  if (relation !== replaceOne && relation !== addRemoveOne) {
    throw new RangeError(
      `Cannot run MWEM: relation must be add-remove-one or replace-one: current value is ${relation.name}`,
    );
  }
  return pure({ epsilon, relation });
}

function sampler(options: MwemOptions): Sampler {
  const action = "run MWEM";
  const { domain, queries, rounds, relation, output = "average", replays = 0 } = options;
  requireKind("fitMwem", "domain.shape", domain.shape, "list");
  const claim = claimOf(options);
  requireOneOf(action, "output", output, ["average", "last"]);
  requireInteger(action, "number of queries", queries.length, { min: 1 });
  requireInteger(action, "rounds", rounds, { min: 1, max: 2 ** 20 });
  requireInteger(action, "replays", replays, { min: 0 });
  const sizeIsPublic = relation === replaceOne;
  const share = shareOfEach(options);
  // All answers are whole multiples of the unit, and so is the noise: their fractions tell nothing.
  const steps = queries.some(isLinear) ? WEIGHT_STEPS : 1, unit = 1 / steps;
  const noise = discreteLaplace({ scale: divide(rational(steps), rational(share)) });
  const evaluate = queryEvaluator(domain, queries);
  return (rows, source) => {
    requireRows(rows, options);
    const answers = evaluate(histogramOf(domain, rows), new Float64Array(queries.length));
    const size = sizeIsPublic ? rows.length : Math.min(
      MOST_ROWS,
      Math.max(1, rows.length + unit * noise.fill(source, new Float64Array(1))[0]!),
    );
    const result = mwemRounds(source, {
      answers,
      size,
      domain,
      queries,
      evaluate,
      rounds,
      selectionEpsilon: share,
      noise,
      unit,
      output,
      replays,
    });
    return { claim, domain, size, ...result };
  };
}

/** Checks the number of rows if it is public. A private one is never refused; no array is long enough to make scores inexact. */
function requireRows({ length }: ArrayLike<number>, { relation }: MwemOptions): void {
  if (relation !== replaceOne) return;
  requireInteger("run MWEM", "number of rows", length, { min: 1, max: MOST_ROWS });
}

/**
 * One draw of MWEM from a source of either kind, for audits, tests and benchmarks. Users call
 * {@linkcode fitMwem}.
 *
 * @throws {RangeError} on bad options or rows, before anything random is drawn.
 */
export function sampleMwem(
  source: Source,
  { rows, ...options }: MwemOptions & { readonly rows: ArrayLike<number> },
): MwemEstimate {
  return sampler(options)(rows, source);
}

/**
 * Estimates a histogram privately so that given queries, counts in boxes or sums of weights, come out
 * well: multiplicative weights with the exponential mechanism (Hardt, Ligett, McSherry 2012, Figure 1).
 * From a uniform histogram of n rows, T times: the exponential mechanism with ε/2T chooses a query that
 * the estimate answers badly, it is measured with noise of scale 2T/ε, and every cell is multiplied by
 * exp(weight·(measured − estimated)/2n).
 *
 * The claim is ε-DP for one row replaced, or added or removed, as `relation` says; of the estimate
 * everything may be published.
 *
 * Not for marginals: `adaptiveMarginals` is nearer to them, in any number of columns, and so is plain noise where each is counted
 * once and ε is not small. It serves where queries are far more than rows, and where its theorem is wanted.
 *
 * Deviations: the noise is discrete Laplace of that scale, for counts are integers (with linear queries
 * among them it is drawn in steps of 2⁻¹⁶, of which all answers are multiples); where n is private
 * (`addRemoveOne`) it is measured too, which the paper leaves out. Theorem 2.2's error is
 * `mwemErrorBound`.
 *
 * @param rows the cell of each row.
 * @throws {RangeError} on bad options or rows, or when the budget cannot pay; then nothing was drawn.
 * @throws {TypeError} when the source is not secure (for callers without types).
 *
 * @example
 * ```ts
 * import { openBudget } from "../../dp/accounting/budget/budget.ts";
 * import { pure } from "../../core/claims/claim.ts";
 * import { answerQueries } from "./answer_queries.ts";
 * import { rangeQuery } from "./box_query.ts";
 * import { finiteDomain } from "./finite_domain.ts";
 * import { fitMwem } from "./mwem.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * const domain = finiteDomain({ shape: [8] });
 * const queries = [0, 1, 2, 3].map((last) => rangeQuery(domain, { 0: [0, last] }));
 * const rows = Array.from({ length: 1000 }, (_, i) => i % 3);
 * const estimate = fitMwem(rows, {
 *   domain,
 *   queries,
 *   rounds: 4,
 *   epsilon: 1,
 *   relation: replaceOne,
 *   budget: openBudget(pure({ epsilon: 1, relation: replaceOne })),
 * });
 * answerQueries(estimate.histogram, { domain, queries }); // near 334, 667, 1000, 1000
 * ```
 */
export function fitMwem(
  rows: ArrayLike<number>,
  given: MwemOptions & ReleaseOptions,
): MwemEstimate {
  const { budget, source, ...options } = requireFields("fitMwem", given, {
    domain: "record",
    queries: "list",
    relation: "relation",
  });
  requireKnown("call fitMwem()", given, [
    "domain",
    "queries",
    "rounds",
    "epsilon",
    "relation",
    "output",
    "replays",
    "budget",
    "source",
  ]);
  return spendThen("run MWEM privately", {
    budget,
    source,
    prepare: () => {
      const sample = sampler(options);
      requireRows(rows, options);
      histogramOf(options.domain, rows);
      return {
        claim: claimOf(options),
        alsoKeeps: alsoKept(options),
        draw: (secure) => sample(rows, secure),
      };
    },
  });
}

/**
 * MWEM as a mechanism, for audits: from cells to the queries chosen, the noisy counts, the noisy size
 * (if private) and the estimated histogram, all of which the claim covers.
 *
 * @param options `sizes` are the numbers of rows that a search may try.
 * @throws {RangeError} on options out of range.
 *
 * @example
 * ```ts
 * import { addRemoveOne } from "../../core/relations/relation.ts";
 * import { SeededSource } from "../../core/random/seeded_source.ts";
 * import { rangeQuery } from "./box_query.ts";
 * import { finiteDomain } from "./finite_domain.ts";
 * import { mwemMechanism } from "./mwem.ts";
 * const domain = finiteDomain({ shape: [3] });
 * const mechanism = mwemMechanism({
 *   domain,
 *   queries: [rangeQuery(domain, { 0: [0, 1] })],
 *   rounds: 1,
 *   epsilon: 1,
 *   relation: addRemoveOne,
 *   sizes: { min: 0, max: 4 },
 * });
 * mechanism.sample([0, 0, 2], new SeededSource(1)).length; // 6: query, count, n and three cells
 * ```
 */
export function mwemMechanism(
  given: MwemOptions & { readonly sizes: Domain["size"] },
): Mechanism<number, number[]> {
  const { sizes, ...options } = requireFields("mwemMechanism", given, {
    domain: "record",
    queries: "list",
    relation: "relation",
    sizes: "record",
  });
  requireKnown("call mwemMechanism()", given, [
    "domain",
    "queries",
    "rounds",
    "epsilon",
    "relation",
    "output",
    "replays",
    "sizes",
  ]);
  const draw = sampler(options);
  const sample = (rows: ArrayLike<number>, source: Source): number[] => {
    const { measurements, size, histogram } = draw(rows, source);
    return [...measurements.flatMap(({ query, value }) => [query, value]), size, ...histogram];
  };
  return {
    name: "mwem",
    claim: claimOf(options),
    alsoKeeps: alsoKept(options),
    domain: { rows: { type: "integer", min: 0, max: options.domain.size - 1 }, size: sizes },
    check(rows): void {
      requireRows(rows, options);
      histogramOf(options.domain, rows);
    },
    sample,
  };
}
