import { logSigmoid } from "../../../../core/numeric/log_sigmoid.ts";
import type { Evidence } from "./claim_evidence.ts";
import type { SideCounts } from "../subject.ts";
import type { LocationShiftBatch, PredictionBatch } from "./prediction_batch.ts";
import { RareWealth, withRareShare } from "./rare_wealth.ts";
import { FIXED_ODDS, LEAF_SHARE, SCORE_SHARE, SHIFT_SHARES } from "./shares.ts";
import { Wealth } from "./wealth.ts";
import { withLost } from "./with_lost.ts";

/** The bettors: on leaves, the first on a shift, and on a score. */
const ON_LEAVES = 0, ON_SHIFT = 1, ON_SCORE = ON_SHIFT + Object.keys(SHIFT_SHARES).length;

/**
 * The evidence against ε-DP for an ascending grid of ε, from batches of any pairs in any order.
 *
 * Hypotheses are tested upwards, and testing stops at the first that is not refuted. For the lower bound to be above the
 * true ε, the smallest true hypothesis must be refuted. That has probability at most α, so no correction for the number
 * of hypotheses is needed (a fixed sequence; Maurer, Hothorn, Lehmacher 1995).
 */
export class PureEvidence implements Evidence {
  /** ε ascending, in nats. */
  readonly grid: Float64Array;
  readonly #bets: PureGrid;
  readonly #wealth: Wealth;
  readonly #rare = new RareWealth();
  readonly #threshold: number;
  readonly #claimIndex: number;
  #refuted = 0;

  /**
   * @param grid the ε to test, in nats, ascending
   * @param claimIndex the place of the claimed ε in the grid
   * @param alpha the largest probability of refuting a true hypothesis
   */
  constructor(
    { grid, claimIndex, alpha }: { grid: Float64Array; claimIndex: number; alpha: number },
  ) {
    this.grid = grid;
    this.#bets = pureGrid(grid);
    this.#claimIndex = claimIndex;
    this.#wealth = new Wealth({
      shares: [LEAF_SHARE, ...Object.values(SHIFT_SHARES), SCORE_SHARE],
      hypotheses: grid.length,
    });
    this.#threshold = Math.log(1 / alpha);
  }

  /** Settles the bets on a batch. */
  add(batch: PredictionBatch): void {
    const { lost } = batch;
    if (batch.shifted !== undefined) this.#addShifted(batch.shifted, lost);
    // Where outputs have no score its bettor bets on leaves.
    const scored = batch.scored ?? { ...batch, odds: batch.logOdds[0]! };
    betPure(this.#bets, {
      counts: withLost(scored.counts, { ...scored, lost }),
      leaves: scored.leaves,
      logOdds: scored.odds,
      into: this.#wealth.of(ON_SCORE),
    });
    const { leaves } = batch, logOdds = batch.logOdds[0]!;
    const counts = withLost(batch.counts, { lost, leaves, odds: logOdds });
    betPure(this.#bets, { counts, logOdds, leaves, into: this.#wealth.of(ON_LEAVES) });
    if (batch.rare !== undefined) this.#rare.add(batch.rare);
    if (batch.lost !== undefined) this.#rare.lose();
    while (
      this.#refuted < this.grid.length && this.wealthAt(this.#refuted) >= this.#threshold
    ) this.#refuted++;
  }

  /** Settles the bets on outputs that move as the data do. */
  #addShifted(
    { counts: drawn, leaves, halves, asData, asSeen }: LocationShiftBatch,
    lost: SideCounts | undefined,
  ): void {
    const odds = FIXED_ODDS * this.grid[this.#claimIndex]!;
    const fixed = halves.map((half) => half * odds);
    [fixed, asData, asSeen].forEach((logOdds, k) => {
      const into = this.#wealth.of(ON_SHIFT + k);
      const counts = withLost(drawn, { lost, leaves, odds: logOdds });
      betPure(this.#bets, { counts, logOdds, leaves, into });
    });
  }

  /** Begins a restart. */
  restart(): void {
    this.#wealth.restart();
  }

  /** The largest ε refuted so far, 0 if none. */
  get lowerBound(): number {
    return this.#refuted === 0 ? 0 : this.grid[this.#refuted - 1]!;
  }

  /** Returns the logarithm of the wealth against hypothesis `j` of the grid, now. */
  wealthAt(j: number): number {
    return withRareShare(
      this.#wealth.logAt(j),
      this.#rare.logAgainst([{ epsilon: this.grid[j]!, delta: 0 }]),
    );
  }

  /** Logarithm of the e-value against the claim: the wealth as it is now. */
  get logEValue(): number {
    return this.wealthAt(this.#claimIndex);
  }

  /** Rare cells of each family that were bet on so far. */
  get rareCells(): readonly number[] {
    return this.#rare.begun;
  }

  /** Whether the claim and every smaller ε are refuted. */
  get refuted(): boolean {
    return this.#refuted > this.#claimIndex;
  }
}

/**
 * Settles the bets against ε-DP on one batch, for a whole ascending grid of ε at once.
 *
 * With θ₊ = e^ε/(1+e^ε), θ₋ = 1−θ₊, a predicted r(y) = P(right | y) and c = clip(r, [θ₋, θ₊]), a draw
 * with label b multiplies the wealth by (r/c)^b·((1−r)/(1−c))^(1−b), whose expectation is at most 1
 * under ε-DP whatever r is, as long as r was fixed before the draw: the true P(right | y) lies in [θ₋, θ₊], the
 * factor's expectation is 1 where r does too, and elsewhere it is linear in the true probability with its maximum, 1, at c.
 * A leaf with |log odds| l bets against exactly the ε below l, on its likelier label: with a draws of that label and b
 * of the other it adds a·(ln σ(l) − ln θ₊) + b·(ln σ(−l) − ln θ₋). Sorted by l, all leaves and all ε cost one sweep.
 *
 * @param grid the ε to bet against
 * @param counts draws of the batch at `[2 * leaf + label]`
 * @param logOdds predicted log odds of the right dataset at each leaf, fixed before the batch
 * @param leaves the leaves to bet on
 * @param into logarithms of the wealth, one for each ε: those of the batch are added
 */
export function betPure(
  { epsilon: grid, logUpper, logLower }: PureGrid,
  { counts, logOdds, leaves, into }: {
    counts: Float64Array;
    logOdds: Float64Array;
    leaves: Int32Array;
    into: Float64Array;
  },
): void {
  const sorted = leaves.toSorted((a, b) => Math.abs(logOdds[b]!) - Math.abs(logOdds[a]!));
  let gain = 0, right = 0, wrong = 0, next = 0;
  const largest = sorted.length === 0 ? 0 : Math.abs(logOdds[sorted[0]!]!);
  // No leaf bets against an ε at or above the largest log odds.
  for (let j = firstFrom(grid, largest) - 1; j >= 0; j--) {
    const epsilon = grid[j]!;
    for (; next < sorted.length; next++) {
      const leaf = sorted[next]!, l = Math.abs(logOdds[leaf]!);
      if (l <= epsilon) break;
      const likelier = logOdds[leaf]! > 0 ? 1 : 0;
      const a = counts[2 * leaf + likelier]!, b = counts[2 * leaf + 1 - likelier]!;
      gain += a * logSigmoid(l) + b * logSigmoid(-l);
      right += a;
      wrong += b;
    }
    into[j]! += gain - right * logUpper[j]! - wrong * logLower[j]!;
  }
}

/** Returns the place of the first value of an ascending grid that is at least `least`; its length where there is none. */
function firstFrom(grid: Float64Array, least: number): number {
  let low = 0, high = grid.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (grid[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Ascending ε, in nats, with ln θ₊ and ln θ₋ of each. */
interface PureGrid {
  readonly epsilon: Float64Array;
  readonly logUpper: Float64Array;
  readonly logLower: Float64Array;
}

/** Returns the grid of some ascending ε. */
export function pureGrid(epsilon: Float64Array): PureGrid {
  return {
    epsilon,
    logUpper: epsilon.map(logSigmoid),
    logLower: epsilon.map((x) => logSigmoid(-x)),
  };
}
