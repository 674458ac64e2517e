import type { Source } from "../../core/mechanism/source.ts";
import { logBinomialLowerTail } from "../../core/numeric/binomial_tail.ts";
import { clopperPearsonUpper } from "../../core/numeric/clopper_pearson.ts";
import {
  requireChance,
  requireFields,
  requireInteger,
  requireKind,
} from "../../core/numeric/require.ts";
import { SeededSource } from "../../core/random/seeded_source.ts";
import { AssertionError } from "./assertion_error.ts";

/** Options of {@linkcode assertUtility}: a theorem on utility (error ≤ bound with probability ≥ share), and its test. */
export interface AssertUtilityOptions {
  /** The error that a run may have. */
  readonly bound: number;
  /** The least probability of that, in (0, 1). */
  readonly share: number;
  /** One minus the chance of failing when the theorem holds, in (0, 1). */
  readonly confidence: number;
  /** Runs: all of them are made, whatever the first ones show. */
  readonly runs: number;
  /** Seed of the runs' sources. Default 1. */
  readonly seed?: number;
}

/** Result of the runs. */
export interface UtilityReport {
  /** Runs whose error was within the bound. */
  readonly successes: number;
  /** Fewer successes fail the assertion. */
  readonly leastSuccesses: number;
  /** All runs. */
  readonly runs: number;
  /** The exact chance of failing when the share is just as claimed: at most 1 − confidence. */
  readonly falseAlarmRate: number;
  /** The true share is at most this, with the confidence asked for. */
  readonly shareAtMost: number;
  /** The largest error of a run. */
  readonly largestError: number;
}

/**
 * Tests a utility theorem, "the error is at most `bound` with probability at least `share`", by an
 * exact binomial test on a fixed number of independent runs: throws when so few runs kept the bound
 * that this has a chance of at most 1 − `confidence` under the theorem. An error that is not a number
 * breaks the bound.
 *
 * @param run one run on a source of its own: its error.
 * @throws {AssertionError} when the share is too small.
 * @throws {RangeError} when an option is out of bounds, or the runs are so few that no outcome could
 * fail.
 *
 * @example
 * ```ts
 * import { floatLaplace } from "@dpcheck/dpcheck/random";
 * import { assertUtility } from "@dpcheck/dpcheck/testing";
 *
 * // |Laplace(1)| is at most ln 20 with probability 0.95.
 * const report = await assertUtility(
 *   (source) => Math.abs(floatLaplace(source, new Float64Array(1), { scale: 1 })[0]!),
 *   { bound: Math.log(20), share: 0.95, confidence: 0.999, runs: 500 },
 * );
 * report.leastSuccesses; // 459
 * ```
 */
export async function assertUtility(
  run: (source: Source) => number | Promise<number>,
  options: AssertUtilityOptions,
): Promise<UtilityReport> {
  requireKind("assertUtility", "run", run, "function");
  const { bound, share, confidence, runs, seed = 1 } = requireFields("assertUtility", options, {});
  const action = "assert utility";
  if (Number.isNaN(bound)) {
    throw new RangeError(`Cannot ${action}: bound must be a number: current value is NaN`);
  }
  requireChance("assert utility", "share", share);
  requireChance("assert utility", "confidence", confidence);
  requireInteger(action, "runs", runs, { min: 1 });
  const alpha = 1 - confidence;
  const leastSuccesses = smallestPassing({ runs, share, alpha });
  if (leastSuccesses === 0) {
    throw new RangeError(
      `Cannot ${action}: runs must be enough for some outcome to fail: current value is ${runs}`,
    );
  }
  const source = new SeededSource(seed).split("utility");
  let successes = 0, largestError = -Infinity;
  for (let i = 0; i < runs; i++) {
    const error = await run(source.split(i));
    if (error <= bound) successes++;
    largestError = Math.max(largestError, Number.isNaN(error) ? Infinity : error);
  }
  const report = {
    successes,
    leastSuccesses,
    runs,
    falseAlarmRate: Math.exp(logBinomialLowerTail(leastSuccesses - 1, runs, share)),
    shareAtMost: clopperPearsonUpper({ successes, trials: runs, alpha }),
    largestError,
  };
  if (successes >= leastSuccesses) return report;
  throw new AssertionError(
    `The error was at most ${bound} in ${successes} of ${runs} runs: with probability ${share} as ` +
      `claimed it would be in at least ${leastSuccesses}, but for a chance of ` +
      `${report.falseAlarmRate.toPrecision(2)}. Largest error ${largestError}, seed ${seed}.`,
    { report },
  );
}

/** The fewest successes k for which P(X < k) ≤ alpha still holds: the largest such k. */
function smallestPassing(
  { runs, share, alpha }: { runs: number; share: number; alpha: number },
): number {
  // P(X ≤ k − 1) grows with k: bisection.
  let low = 0, high = runs + 1;
  while (high - low > 1) {
    const k = (low + high) >> 1;
    if (logBinomialLowerTail(k - 1, runs, share) <= Math.log(alpha)) low = k;
    else high = k;
  }
  return low;
}
