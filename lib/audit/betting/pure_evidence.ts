import { betPure, type PureGrid, pureGrid } from "./bet_pure.ts";
import type { Evidence } from "./evidence.ts";
import type { LocationShiftBatch, PredictionBatch } from "./prediction_batch.ts";
import { LIKELY_ODDS, STANDARD_ERRORS } from "./standard_errors.ts";
import { Wealth } from "./wealth.ts";

/** One who bets on the cells: on which prediction, how, and with which share of the money. */
interface Bettor {
  /** The place of the caution among the {@linkcode STANDARD_ERRORS}. */
  readonly caution: number;
  /** Bets {@linkcode BOLD} times the claimed ε wherever this caution leaves anything, whatever it is. */
  readonly bold: boolean;
  readonly share: number;
}

/**
 * The odds of bold bettors, in claimed ε. To learn the odds of a cell costs a few nats; who expects a
 * program that breaks its claim to be off by a factor saves them. Two is what half the sensitivity or noise
 * gives, and pays from one and a half on.
 */
const BOLD = 2;

/**
 * Shares of the money that wait for outputs that follow the data, of bettors who expect bold odds, the distance
 * that the data move, and the distance that was seen. The rest is bet on cells.
 */
const FOLLOWERS = { bold: 0.08, asData: 0.09, asSeen: 0.03 };

const ON_CELLS = 1 - FOLLOWERS.bold - FOLLOWERS.asData - FOLLOWERS.asSeen;

/** Shares of that money of the bettors of each caution who are not bold. */
const CAUTION_SHARES: readonly number[] = [0.06, 0.09, 0.18, 0.18, 0.09];

const BETTORS: readonly Bettor[] = [
  ...STANDARD_ERRORS.map((_, caution) => ({
    caution,
    bold: false,
    share: CAUTION_SHARES[caution]!,
  })),
  ...[LIKELY_ODDS, LIKELY_ODDS + 1].map((caution) => ({ caution, bold: true, share: 0.2 })),
].map(({ share, ...own }) => ({ ...own, share: ON_CELLS * share }));

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
    this.#wealth = new Wealth({
      shares: [...BETTORS.map(({ share }) => share), ...Object.values(FOLLOWERS)],
      hypotheses: grid.length,
    });
    this.#threshold = Math.log(1 / alpha);
  }

  /** Settles the bets of a batch. */
  add(batch: PredictionBatch): void {
    if (batch.shifted !== undefined) this.#addShifted(batch.shifted);
    const fixed = this.#boldOdds;
    BETTORS.forEach(({ caution, bold }, bettor) => {
      const predicted = batch.logOdds[caution]!;
      betPure(this.#bets, {
        counts: batch.counts,
        logOdds: bold ? predicted.map((odds) => fixed * Math.sign(odds)) : predicted,
        leaves: batch.leaves,
        into: this.#wealth.of(bettor),
      });
    });
    while (
      this.#refuted < this.grid.length && this.#wealth.logAt(this.#refuted) >= this.#threshold
    ) this.#refuted++;
  }

  /** Settles the bets on outputs that follow the data. */
  #addShifted({ counts, leaves, halves, asData, asSeen }: LocationShiftBatch): void {
    const bold = halves.map((half) => half * this.#boldOdds);
    [bold, asData, asSeen].forEach((logOdds, k) => {
      const into = this.#wealth.of(BETTORS.length + k);
      betPure(this.#bets, { counts, logOdds, leaves, into });
    });
  }

  get #boldOdds(): number {
    return BOLD * this.grid[this.#claimIndex]!;
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
