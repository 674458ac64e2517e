import type { PairData } from "../subjects/subject.ts";
import { DrawingRate } from "./drawing_rate.ts";

/** A pair is slow when an output on it takes so many times as long as on the quickest pair, */
const SLOWER = 8;
/** and when so many outputs would take more than this share of the seconds of the audit. */
const SLOW = { draws: 64, share: 0.01 };

/**
 * Seconds a draw, by pair: the speed of a program may depend on the data, and a pair on which it hardly moves must not take the
 * time of all others. Which pair is drawn on next may depend on the clock; the coins to come do not.
 */
export class PairCosts {
  readonly #rates = new Map<PairData, DrawingRate>();
  readonly #maxSeconds: number;

  /** Of an audit of so many seconds. */
  constructor(maxSeconds: number) {
    this.#maxSeconds = maxSeconds;
  }

  /** Notes a batch of `count` draws that has just been drawn. */
  note(pair: PairData, begun: number, count: number): void {
    let rate = this.#rates.get(pair);
    if (rate === undefined) this.#rates.set(pair, rate = new DrawingRate());
    rate.note(begun, count);
  }

  /** Draws a second on a pair; 0 before the first. */
  perSecond(pair: PairData): number {
    return this.#rates.get(pair)?.perSecond ?? 0;
  }

  /** Whether outputs on a pair take far longer than on another, and long for this audit. */
  isSlow(pair: PairData): boolean {
    const rate = this.perSecond(pair);
    return rate > 0 && SLOWER * rate < this.#quickest() &&
      SLOW.draws / rate > SLOW.share * this.#maxSeconds;
  }

  /** The speed on a pair as a share of that on the quickest one; 1 unless the pair is slow. */
  relativeSpeed(pair: PairData): number {
    return this.isSlow(pair) ? this.perSecond(pair) / this.#quickest() : 1;
  }

  #quickest(): number {
    let most = 0;
    for (const { perSecond } of this.#rates.values()) most = Math.max(most, perSecond);
    return most;
  }
}
