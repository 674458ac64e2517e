import { FROM_FIRST_DRAW, MAX_RESTARTS, RESTART_SHARES } from "./shares.ts";

/**
 * The wealth of several bettors against every hypothesis of a grid.
 *
 * The bets of one bettor multiply: `log[b][j]` is the logarithm of the product of its e-values against hypothesis j
 * since the first draw. A restart begins later with a share of the stake, so that its wealth is the product since then
 * and what was lost while learning does not count. A stake that has not begun yet keeps its value. The average of all of
 * them, with shares fixed beforehand, is an e-process because each of them is one.
 */
export class Wealth {
  readonly #shares: readonly number[];
  readonly #log: readonly Float64Array[];
  readonly #restarts: { readonly share: number; readonly since: readonly Float64Array[] }[] = [];

  /**
   * @param shares the bettors' shares of the stake: not negative, with a sum of at most 1
   * @param hypotheses the size of the grid
   */
  constructor({ shares, hypotheses }: { shares: readonly number[]; hypotheses: number }) {
    this.#shares = shares;
    this.#log = shares.map(() => new Float64Array(hypotheses));
  }

  /** Returns the logarithms to which the bets of bettor `b` are added. */
  of(bettor: number): Float64Array {
    return this.#log[bettor]!;
  }

  /** Begins the next restart now. After {@linkcode MAX_RESTARTS} of them it does nothing. */
  restart(): void {
    const k = this.#restarts.length;
    if (k >= MAX_RESTARTS) return;
    this.#restarts.push({ share: RESTART_SHARES[k]!, since: this.#log.map((log) => log.slice()) });
  }

  /** Returns the logarithm of the average wealth against hypothesis `j`, stakes that have not begun included. */
  logAt(j: number): number {
    let largest = 0;
    const terms: [share: number, log: number][] = [];
    let begun = FROM_FIRST_DRAW;
    this.#shares.forEach((share, b) => {
      const now = this.#log[b]![j]!;
      terms.push([share * FROM_FIRST_DRAW, now]);
      largest = Math.max(largest, now);
    });
    for (const restart of this.#restarts) {
      begun += restart.share;
      this.#shares.forEach((share, b) => {
        const gained = this.#log[b]![j]! - restart.since[b]![j]!;
        terms.push([share * restart.share, gained]);
        largest = Math.max(largest, gained);
      });
    }
    let sum = (1 - begun) * Math.exp(-largest);
    for (const [share, log] of terms) sum += share * Math.exp(log - largest);
    return largest + Math.log(sum);
  }
}
