import { betApproximate, chooseCap } from "./bet_approximate.ts";
import type { Evidence } from "./evidence.ts";
import type { Batch } from "./batch.ts";
import { Wealth } from "./wealth.ts";

interface Point {
  readonly epsilon: number;
  readonly delta: number;
}

/** The caution of the bettors here: the middle one. */
const CAUTION = 1;

/**
 * The evidence against a family of claims, each a list of points (ε, δ): one bettor a point and
 * direction, all with the same share of the money. Hypotheses are tested upwards as in
 * {@linkcode PureEvidence}.
 */
export class PointEvidence implements Evidence {
  readonly #grid: Float64Array;
  readonly #claimIndex: number;
  readonly #points: readonly (readonly Point[])[];
  readonly #threshold: number;
  readonly #wealth: Wealth;
  #refuted = 0;

  /** `points[j]` are the points of hypothesis j; `grid[j]` its parameter, ascending. */
  constructor(
    { grid, claimIndex, alpha, points }: {
      grid: Float64Array;
      claimIndex: number;
      alpha: number;
      points: readonly (readonly Point[])[];
    },
  ) {
    const bettors = 2 * Math.max(...points.map((own) => own.length));
    this.#grid = grid;
    this.#claimIndex = claimIndex;
    this.#points = points;
    this.#threshold = Math.log(1 / alpha);
    this.#wealth = new Wealth({
      shares: Array.from({ length: bettors }, () => 1 / bettors),
      hypotheses: grid.length,
    });
  }

  /** Settles the bets of a batch. */
  add({ counts, logOdds, leaves, before, draws }: Batch): void {
    const seen = leaves.reduce((n, leaf) => n + before[2 * leaf]! + before[2 * leaf + 1]!, 0);
    if (seen === 0) return;
    for (const favoured of [0, 1]) {
      // Only leaves that favour this side can carry a stake.
      const sign = favoured === 1 ? 1 : -1;
      const own = leaves.filter((leaf) => sign * logOdds[CAUTION]![leaf]! > 0);
      const side = {
        probability: Float64Array.from(
          own,
          (leaf) => 1 / (1 + Math.exp(-sign * logOdds[CAUTION]![leaf]!)),
        ),
        mass: Float64Array.from(
          own,
          (leaf) => (before[2 * leaf]! + before[2 * leaf + 1]!) / seen,
        ),
        favoured: Float64Array.from(own, (leaf) => counts[2 * leaf + favoured]!),
        other: Float64Array.from(own, (leaf) => counts[2 * leaf + 1 - favoured]!),
        draws,
      };
      this.#points.forEach((points, j) => {
        points.forEach((point, p) => {
          const cap = chooseCap(point, side);
          if (cap === 0) return;
          this.#wealth.of(2 * p + favoured)[j]! += betApproximate({ ...point, cap }, side);
        });
      });
    }
    while (
      this.#refuted < this.#grid.length && this.#wealth.logAt(this.#refuted) >= this.#threshold
    ) this.#refuted++;
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
    return this.#wealth.logAt(this.#claimIndex);
  }

  /** Whether the claim and every smaller parameter are refuted. */
  get refuted(): boolean {
    return this.#refuted > this.#claimIndex;
  }
}
