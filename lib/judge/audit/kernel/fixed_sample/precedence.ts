import type { Claim } from "../../../../core/claims/claim.ts";
import type { Source } from "../../../../core/mechanism/source.ts";
import { requireInteger } from "../../../../core/numeric/require.ts";
import { tradeOff } from "../../../../core/claims/trade_off/trade_off.ts";
import { precedenceCounts, precedenceRanks } from "./precedence_counts.ts";
import {
  countExtremes,
  drawOrderStatistics,
  precedenceStatistic,
  type RankWeights,
  rankWeights,
} from "./precedence_null.ts";

/**
 * Scores of independent runs on the two sides of a pair: one number an output, the higher the likelier
 * the left side. The score must have been fixed without looking at these runs.
 */
export interface Scores {
  /** Scores of outputs on the left dataset. */
  readonly left: Float64Array;
  /** Scores of outputs on the right dataset. */
  readonly right: Float64Array;
}

/** Result of {@linkcode precedenceTest}. */
interface PrecedenceResult {
  /** Under the claim, at most α with probability at most α, whatever α, laws and score. */
  readonly pValue: number;
  /** Of the ranks with thresholds from the left sample, and from the right sample. */
  readonly ranks: { readonly left: number; readonly right: number };
}

/** Settings of {@linkcode precedenceTest}. */
interface PrecedenceOptions {
  /** The claim under test. */
  readonly claim: Claim;
  /** Orders equal scores and draws the calibration. */
  readonly source: Source;
  /** Draws of the calibration, fixed beforehand: the least p-value is about 2/replicates. Default 1999. */
  readonly replicates?: number;
}

/**
 * Tests a claim exactly from two samples of fixed sizes, by precedence.
 *
 * Sort the left scores; at each rank k of a grid count how many right scores, K_k, lie above the k-th
 * largest. If P(S) = u for the set S above it, the claim allows no Q(S) below g(u), its
 * {@linkcode tradeOff}. Let p_k(j) be the chance of K_k ≤ j when Q(S) = g(u) always; the statistic is
 * the smallest p_k(K_k).
 *
 * *Validity.* For an output of the left side, the P-probability of a higher score is uniform; for one of
 * the right side its distribution function G is at least g. Take V0 with distribution function g and
 * couple V ≤ V0 for every right output: no count K_k is smaller than in the configuration of V0, the
 * statistic is nondecreasing in each count, so it is the smallest under that least favourable
 * configuration, which depends on the claim and the sample sizes alone. Its rank among `replicates`
 * draws of the configuration is therefore a p-value at every level, for every P, Q and score (Barnard
 * 1963 for the Monte-Carlo rank). Nothing in this needs p_k to be computed exactly.
 *
 * The same test with the sides exchanged finds sets that are rare on the left; each of the two is tested at
 * half the level.
 *
 * @throws {RangeError} when a sample is empty, a score is NaN, or replicates is below 19.
 *
 * @example
 * ```ts
 * import { pure } from "../../../../core/claims/claim.ts";
 * import { replaceOne } from "../../../../core/relations/relation.ts";
 * import { SeededSource } from "../../../../core/random/seeded_source.ts";
 * import { precedenceTest } from "./precedence.ts";
 * const left = new Float64Array(50).fill(1), right = new Float64Array(50).fill(0);
 * const claim = pure({ epsilon: 1, relation: replaceOne });
 * precedenceTest({ left, right }, { claim, source: new SeededSource(1) }).pValue; // 0.001
 * ```
 */
export function precedenceTest(
  scores: Scores,
  { claim, source, replicates = 1999 }: PrecedenceOptions,
): PrecedenceResult {
  const prepared = prepare(scores, { source, replicates });
  return testPrepared(prepared, { claim, source });
}

/** Settings of {@linkcode precedenceLowerBound}. */
interface PrecedenceBoundOptions extends Omit<PrecedenceOptions, "claim"> {
  /**
   * The claim for each value of the parameter to bound: each must imply those of larger values. As in
   * `(epsilon) => approximate({ epsilon, delta: 1e-6, relation })`.
   */
  readonly family: (value: number) => Claim;
  /** The largest probability that the bound is wrong. */
  readonly alpha: number;
  /** Values to test, ascending, fixed beforehand. */
  readonly grid: readonly number[];
}

/**
 * Returns a lower confidence bound on the parameter of a claim (ε at a δ, μ, ρ): the largest value of the grid
 * such that it and every smaller one are refuted at level alpha, or 0.
 *
 * Values are tested in ascending order up to the first that is not refuted. For the bound to be wrong,
 * the smallest value whose claim is true must be refuted, which has probability at most alpha: no
 * correction for many values (a fixed sequence; Maurer, Hothorn, Lehmacher 1995). A bisection would jump
 * over values, and is valid only for p-values that are monotone in the parameter, which these are but
 * nearly.
 *
 * @throws {RangeError} as {@linkcode precedenceTest}, and unless alpha is in (0, 1), the grid is positive
 * and ascending, and replicates is at least 2/alpha.
 */
export function precedenceLowerBound(
  scores: Scores,
  { family, alpha, grid, source, replicates = 1999 }: PrecedenceBoundOptions,
): number {
  requireBound({ alpha, grid, replicates });
  const prepared = prepare(scores, { source, replicates });
  let bound = 0;
  for (const value of grid) {
    const step = source.split(value);
    if (testPrepared(prepared, { claim: family(value), source: step }).pValue > alpha) return bound;
    bound = value;
  }
  return bound;
}

/** One direction of the test: thresholds from one sample, counts of the other. Nothing here depends on the claim. */
interface Orientation {
  readonly counts: readonly number[];
  readonly weights: readonly RankWeights[];
  readonly orderStatistics: readonly Float64Array[];
  readonly others: number;
}

/** Both directions. */
interface Prepared {
  readonly left: Orientation;
  readonly right: Orientation;
}

function prepare(
  { left, right }: Scores,
  { source, replicates }: { source: Source; replicates: number },
): Prepared {
  requireInteger("test precedence", "replicates", replicates, { min: 19, max: 1e7 });
  const sortedLeft = sorted("left", left), sortedRight = sorted("right", right);
  return {
    left: orient({ scores: sortedLeft, others: sortedRight }, { source, replicates }),
    right: orient(
      { scores: negated(sortedRight), others: negated(sortedLeft) },
      { source, replicates },
    ),
  };
}

function sorted(side: string, scores: Float64Array): Float64Array {
  if (scores.length === 0) {
    throw new RangeError(
      `Cannot test precedence: ${side} must hold at least one score: current value is 0`,
    );
  }
  const copy = scores.slice().sort();
  // Sorting puts NaN last.
  if (Number.isNaN(copy[copy.length - 1])) {
    throw new RangeError(`Cannot test precedence: scores must be numbers: ${side} has a NaN`);
  }
  return copy;
}

function negated(ascending: Float64Array): Float64Array {
  return ascending.toReversed().map((score) => -score);
}

function orient(
  samples: { scores: Float64Array; others: Float64Array },
  { source, replicates }: { source: Source; replicates: number },
): Orientation {
  const n = samples.scores.length;
  const ranks = precedenceRanks(n);
  return {
    counts: precedenceCounts(samples, { ranks, source }),
    weights: ranks.map((rank) => rankWeights(rank, n)),
    orderStatistics: drawOrderStatistics(source, { ranks, n, replicates }),
    others: samples.others.length,
  };
}

function testPrepared(
  { left, right }: Prepared,
  { claim, source }: { claim: Claim; source: Source },
): PrecedenceResult {
  const allowed = tradeOff(claim);
  const ranks = {
    left: orientationPValue(left, { allowed, source }),
    right: orientationPValue(right, { allowed, source }),
  };
  return { pValue: Math.min(1, 2 * Math.min(ranks.left, ranks.right)), ranks };
}

function orientationPValue(
  { counts, weights, orderStatistics, others }: Orientation,
  { allowed, source }: { allowed: (u: number) => number; source: Source },
): number {
  const statistic = precedenceStatistic(weights, { allowed, others });
  const observed = statistic(counts);
  const extremes = countExtremes(source, {
    orderStatistics,
    allowed,
    others,
    statistic,
    observed,
  });
  return (1 + extremes) / (1 + orderStatistics[0]!.length);
}

function requireBound(
  { alpha, grid, replicates }: { alpha: number; grid: readonly number[]; replicates: number },
): void {
  if (!(alpha > 0 && alpha < 1)) {
    throw new RangeError(
      `Cannot bound a claim: alpha must be in (0, 1): current value is ${alpha}`,
    );
  }
  if (!grid.every((value, i) => value > (i === 0 ? 0 : grid[i - 1]!))) {
    throw new RangeError("Cannot bound a claim: grid must be positive and ascending");
  }
  const least = 2 / alpha;
  if (replicates + 1 < least) {
    throw new RangeError(
      `Cannot bound a claim: replicates must be at least ${Math.ceil(least - 1)} for alpha ` +
        `${alpha}: current value is ${replicates}`,
    );
  }
}
