import { betPure, type PureGrid, pureGrid } from "./bet_pure.ts";
import type { Evidence } from "./evidence.ts";
import type { Batch } from "./batch.ts";
import { CAUTIONS } from "./mixture.ts";
import { Wealth } from "./wealth.ts";

/** Shares of the money of the bettors of each caution. */
const CAUTION_SHARES: readonly number[] = [0.1, 0.15, 0.3, 0.3, 0.15];

/**
 * The evidence against ε-DP for an ascending grid of ε, from batches of any pairs in any order.
 *
 * Hypotheses are tested upwards and testing stops at the first that is not refuted: "ε above this"
 * is then wrong with probability at most α, with no correction for the number of hypotheses, because
 * to overshoot the first true one must be refuted (auditing.md, section 2.4).
 */
export class PureEvidence implements Evidence {
  /** ε ascending, in nats. */
  readonly grid: Float64Array;
  readonly #bets: PureGrid;
  readonly #wealth: Wealth;
  readonly #threshold: number;
  readonly #claimIndex: number;
  #refuted = 0;

  /** `alpha` is this evidence's own share of the chance of error. */
  constructor(
    { grid, claimIndex, alpha }: { grid: Float64Array; claimIndex: number; alpha: number },
  ) {
    this.grid = grid;
    this.#bets = pureGrid(grid);
    this.#claimIndex = claimIndex;
    this.#wealth = new Wealth({ shares: CAUTION_SHARES, hypotheses: grid.length });
    this.#threshold = Math.log(1 / alpha);
  }

  /** Settles the bets of a batch. */
  add(batch: Batch): void {
    CAUTIONS.forEach((_, bettor) => {
      betPure(this.#bets, {
        counts: batch.counts,
        logOdds: batch.logOdds[bettor]!,
        leaves: batch.leaves,
        into: this.#wealth.of(bettor),
      });
    });
    while (
      this.#refuted < this.grid.length && this.#wealth.logAt(this.#refuted) >= this.#threshold
    ) this.#refuted++;
  }

  /** Begins a restart: see {@linkcode Wealth.restart}. */
  restart(): void {
    this.#wealth.restart();
  }

  /** The largest ε refuted so far, 0 if none. */
  get lowerBound(): number {
    return this.#refuted === 0 ? 0 : this.grid[this.#refuted - 1]!;
  }

  /** Logarithm of the wealth against hypothesis `j` of the grid, now. */
  wealthAt(j: number): number {
    return this.#wealth.logAt(j);
  }
  /** Logarithm of the e-value against the claim: the wealth as it is now. */
  get logEValue(): number {
    return this.#wealth.logAt(this.#claimIndex);
  }

  /** Whether the claim and every smaller ε are refuted. */
  get refuted(): boolean {
    return this.#refuted > this.#claimIndex;
  }
}

/**
 * A grid of parameters: the claimed one and steps of `ratio` from it down to `bottom` and up to `top`.
 */
export function epsilonGrid(
  claim: number,
  { ratio = 1.0025, bottom = claim / 64, top = Math.min(1e300, Math.max(40, 8 * claim)) }: {
    ratio?: number;
    bottom?: number;
    top?: number;
  } = {},
): { grid: Float64Array; claimIndex: number } {
  const below = Math.ceil(Math.log(claim / bottom) / Math.log(ratio));
  const above = Math.max(0, Math.ceil(Math.log(top / claim) / Math.log(ratio)));
  const grid = Float64Array.from(
    { length: below + above + 1 },
    (_, j) => claim * ratio ** (j - below),
  );
  grid[below] = claim;
  return { grid, claimIndex: below };
}
