import { betApproximate, chooseCap } from "./bet_approximate.ts";
import type { Evidence } from "./claim_evidence.ts";
import type { PredictionBatch } from "./prediction_batch.ts";
import { RareWealth, withRareShare } from "./rare_wealth.ts";
import { POINT_ERRORS, POINT_SHARES } from "./shares.ts";
import { Wealth } from "./wealth.ts";
import { withLost } from "./with_lost.ts";

interface Point {
  readonly epsilon: number;
  readonly delta: number;
}

/** Leaves with what was predicted of them, and the draws of a batch. */
interface Settled extends Pick<PredictionBatch, "counts" | "leaves" | "before" | "draws" | "lost"> {
  readonly odds: Float64Array;
}

/**
 * The evidence against a family of claims, each given by points (ε, δ) of its curve. Each prediction has one bettor for
 * each point, in both directions; they hold equal shares. Hypotheses are tested upwards as in {@linkcode PureEvidence}.
 */
export class PointEvidence implements Evidence {
  readonly #grid: Float64Array;
  readonly #claimIndex: number;
  readonly #points: readonly (readonly Point[])[];
  readonly #threshold: number;
  readonly #wealth: Wealth;
  readonly #rare = new RareWealth();
  /** How many bettors have the same prediction: one for each point. */
  readonly #ofEach: number;
  #refuted = 0;

  /**
   * @param grid the parameter of each hypothesis, ascending
   * @param claimIndex the place of the claimed parameter in the grid
   * @param alpha the largest probability of refuting a true hypothesis
   * @param points the points of each hypothesis
   */
  constructor(
    { grid, claimIndex, alpha, points }: {
      grid: Float64Array;
      claimIndex: number;
      alpha: number;
      points: readonly (readonly Point[])[];
    },
  ) {
    this.#ofEach = Math.max(...points.map((own) => own.length));
    this.#grid = grid;
    this.#claimIndex = claimIndex;
    this.#points = points;
    this.#threshold = Math.log(1 / alpha);
    this.#wealth = new Wealth({
      shares: Object.values(POINT_SHARES).flatMap((share) =>
        Array.from({ length: this.#ofEach }, () => share / this.#ofEach)
      ),
      hypotheses: grid.length,
    });
  }

  /** Settles the bets on a batch. */
  add({ logOdds, shifted, scored, rare, ...batch }: PredictionBatch): void {
    this.#bet({ ...batch, odds: logOdds[POINT_ERRORS]! }, 0);
    if (shifted !== undefined) {
      [shifted.asData, shifted.asSeen].forEach((odds, k) => {
        const { draws, lost } = batch;
        this.#bet({ ...shifted, odds, draws, lost }, (k + 1) * this.#ofEach);
      });
    }
    // Where outputs have no score its bettor bets on leaves.
    this.#bet({ ...batch, ...(scored ?? { odds: logOdds[POINT_ERRORS]! }) }, 3 * this.#ofEach);
    if (rare !== undefined) this.#rare.add(rare);
    if (batch.lost !== undefined) this.#rare.lose();
    while (
      this.#refuted < this.#grid.length && this.#wealthAt(this.#refuted) >= this.#threshold
    ) this.#refuted++;
  }

  #wealthAt(j: number): number {
    return withRareShare(this.#wealth.logAt(j), this.#rare.logAgainst(this.#points[j]!));
  }

  /**
   * Settles the bets on one prediction; `first` is the first of its bettors. Where nothing was seen, masses are NaN, and no
   * bet is made.
   */
  #bet({ odds, leaves, before, lost, ...drawn }: Settled, first: number): void {
    const counts = withLost(drawn.counts, { lost, leaves, odds });
    const draws = drawn.draws + (lost?.left ?? 0) + (lost?.right ?? 0);
    const seen = leaves.reduce((n, leaf) => n + before[2 * leaf]! + before[2 * leaf + 1]!, 0);
    const sides = [0, 1].map((favoured) => {
      // Only leaves whose odds favour this side carry a stake.
      const sign = favoured === 1 ? 1 : -1;
      const own = leaves.filter((leaf) => sign * odds[leaf]! > 0);
      return {
        probability: Float64Array.from(
          own,
          (leaf) => 1 / (1 + Math.exp(-sign * odds[leaf]!)),
        ),
        mass: Float64Array.from(
          own,
          (leaf) => (before[2 * leaf]! + before[2 * leaf + 1]!) / seen,
        ),
        favoured: Float64Array.from(own, (leaf) => counts[2 * leaf + favoured]!),
        other: Float64Array.from(own, (leaf) => counts[2 * leaf + 1 - favoured]!),
      };
    });
    this.#points.forEach((points, j) => {
      // Nobody asks about what is refuted but the claim.
      if (j < this.#refuted && j !== this.#claimIndex) return;
      points.forEach((point, p) => {
        const staked = sides.map((side) => ({ ...side, cap: chooseCap(point, side) }));
        this.#wealth.of(first + p)[j]! += betApproximate(point, { sides: staked, draws });
      });
    });
  }

  /** Begins a restart. */
  restart(): void {
    this.#wealth.restart();
  }

  /** The largest parameter refuted so far, 0 if none. */
  get lowerBound(): number {
    return this.#refuted === 0 ? 0 : this.#grid[this.#refuted - 1]!;
  }

  /** Logarithm of the e-value against the claim: the wealth as it is now. */
  get logEValue(): number {
    return this.#wealthAt(this.#claimIndex);
  }

  /** Rare cells of each family that were bet on so far. */
  get rareCells(): readonly number[] {
    return this.#rare.begun;
  }

  /** Whether the claim and every smaller parameter are refuted. */
  get refuted(): boolean {
    return this.#refuted > this.#claimIndex;
  }
}
