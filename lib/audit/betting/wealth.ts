/**
 * The wealth of several bettors against every hypothesis of a grid, each with restarts.
 *
 * A bettor's bets multiply: `log[b][j]` is the logarithm of its product of e-values against
 * hypothesis j since the first draw. A restart is a bettor that begins at a later time, so that its
 * wealth is the product since then: what was lost while learning is forgotten. All of them hold a
 * share of the money, fixed beforehand; their average is an e-process because each of them is one.
 */
export class Wealth {
  readonly #shares: readonly number[];
  readonly #log: readonly Float64Array[];
  readonly #restarts: { readonly share: number; readonly since: readonly Float64Array[] }[] = [];

  /** `shares` are the bettors' shares of the money (their sum 1); `hypotheses` the size of the grid. */
  constructor({ shares, hypotheses }: { shares: readonly number[]; hypotheses: number }) {
    this.#shares = shares;
    this.#log = shares.map(() => new Float64Array(hypotheses));
  }

  /** The logarithms that the bets of bettor `b` are added to. */
  of(bettor: number): Float64Array {
    return this.#log[bettor]!;
  }

  /** Begins the next restart from what is known now. At most {@linkcode MAX_RESTARTS} have a share. */
  restart(): void {
    const k = this.#restarts.length;
    if (k >= MAX_RESTARTS) return;
    this.#restarts.push({ share: RESTART_SHARES[k]!, since: this.#log.map((log) => log.slice()) });
  }

  /** Logarithm of the average wealth against hypothesis `j`, money not yet invested included. */
  logAt(j: number): number {
    let high = 0;
    const terms: [share: number, log: number][] = [];
    let invested = FROM_START;
    this.#shares.forEach((share, b) => {
      const now = this.#log[b]![j]!;
      terms.push([share * FROM_START, now]);
      if (now > high) high = now;
    });
    for (const restart of this.#restarts) {
      invested += restart.share;
      this.#shares.forEach((share, b) => {
        const gained = this.#log[b]![j]! - restart.since[b]![j]!;
        terms.push([share * restart.share, gained]);
        if (gained > high) high = gained;
      });
    }
    let sum = (1 - invested) * Math.exp(-high);
    for (const [share, log] of terms) sum += share * Math.exp(log - high);
    return high + Math.log(sum);
  }
}

/** The share of the money that bets from the first draw on. */
const FROM_START = 0.6;

/** How many restarts there can be. */
export const MAX_RESTARTS = 40;

const RESTART_SHARES: readonly number[] = (() => {
  const raw = Array.from({ length: MAX_RESTARTS }, (_, k) => 1 / (k + 4));
  const sum = raw.reduce((a, b) => a + b, 0);
  return raw.map((share) => ((1 - FROM_START) * share) / sum);
})();
