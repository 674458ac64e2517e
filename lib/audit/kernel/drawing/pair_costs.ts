import type { PairData } from "../subject.ts";

/** A time shorter than this is taken to be this long: clocks are coarse. */
const SHORTEST_SECONDS = 1e-4;
/** The number of last batches on a pair that show how long its outputs take. */
const LAST_BATCHES = 8;
/** The fewest batches on a pair that may be called slow: in the first the program may have to get ready for new data. */
const FEWEST_BATCHES = 3;
/** A pair is slow when an output on it takes more than this many times as long as on the quickest pair, */
const SLOWER = 8;
/** and when this number of outputs would take more than this share of the seconds of the audit. */
const SLOW = { draws: 64, share: 0.01 };

/** What is known of a pair. */
interface Costs {
  /** The last batches. */
  readonly batches: { readonly count: number; readonly seconds: number }[];
  /** All batches so far. */
  noted: number;
  /** The draws of the largest. */
  largest: number;
  /** Seconds of all. */
  seconds: number;
}

/**
 * Seconds an output takes, by pair: the speed of a program may depend on the data. The quickest of the last batches on a pair
 * counts, for any batch may wait for a busy machine, and the first one for a program that gets ready. The time of a request as
 * such is subtracted, so that small batches look no slower than large ones. Which pair is drawn on next may depend on the
 * clock; the coins to come do not.
 */
export class PairCosts {
  readonly #costs = new Map<PairData, Costs>();
  readonly #maxSeconds: number;
  /** The shortest time of any batch: what a request takes. */
  #request = Infinity;
  /** The fewest seconds that an output took. */
  #quickest = Infinity;
  /** When the last batch had been drawn, in milliseconds. */
  #last = 0;

  /** For an audit of at most `maxSeconds`. */
  constructor(maxSeconds: number) {
    this.#maxSeconds = maxSeconds;
  }

  /**
   * Notes a batch of `count` draws that has just been drawn. Its time runs from its request, or from the end of the batch
   * before.
   */
  note(pair: PairData, begun: number, count: number): void {
    const now = performance.now();
    const seconds = Math.max(SHORTEST_SECONDS, (now - Math.max(begun, this.#last)) / 1000);
    this.#last = now;
    this.#request = Math.min(this.#request, seconds);
    let costs = this.#costs.get(pair);
    if (costs === undefined) {
      this.#costs.set(pair, costs = { batches: [], noted: 0, largest: 0, seconds: 0 });
    }
    costs.noted++;
    costs.seconds += seconds;
    costs.largest = Math.max(costs.largest, count);
    costs.batches.push({ count, seconds });
    if (costs.batches.length > LAST_BATCHES) costs.batches.shift();
    this.#quickest = Math.min(this.#quickest, this.#secondsADraw(pair));
  }

  /** Draws a second on a pair; 0 before the first. */
  perSecond(pair: PairData): number {
    return 1 / this.#secondsADraw(pair);
  }

  /**
   * The number of draws on a pair that are expected to take `seconds`: at most twice the largest batch so far, for small ones
   * show little.
   */
  within(pair: PairData, seconds: number): number {
    const costs = this.#costs.get(pair);
    return costs === undefined
      ? 0
      : Math.min(2 * costs.largest, Math.floor(seconds * this.perSecond(pair)));
  }

  /** Seconds that draws on a pair took. */
  secondsOn(pair: PairData): number {
    return this.#costs.get(pair)?.seconds ?? 0;
  }

  /** Whether outputs on a pair take far longer than on another, and long for this audit. */
  isSlow(pair: PairData): boolean {
    const costs = this.#costs.get(pair);
    if (costs === undefined || costs.noted < FEWEST_BATCHES) return false;
    const cost = this.#secondsADraw(pair);
    return cost > SLOWER * this.#quickest && SLOW.draws * cost > SLOW.share * this.#maxSeconds;
  }

  /** The speed on a pair as a share of that on the quickest one; 1 unless the pair is slow. */
  relativeSpeed(pair: PairData): number {
    return this.isSlow(pair) ? this.#quickest / this.#secondsADraw(pair) : 1;
  }

  #secondsADraw(pair: PairData): number {
    const costs = this.#costs.get(pair);
    if (costs === undefined) return Infinity;
    // Of one batch alone it is not known what its request took.
    const request = costs.noted < 2 ? 0 : this.#request;
    return Math.min(
      ...costs.batches.map(({ count, seconds }) =>
        Math.max(SHORTEST_SECONDS, seconds - request) / count
      ),
    );
  }
}
