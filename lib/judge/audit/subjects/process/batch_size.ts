/** The bytes of an answer aimed at. */
const TARGET_BYTES = 4 << 20;
/** The first size of a request, the largest one, and the factor by which it grows. */
const FIRST = 16, MOST = 256, GROWTH = 4;
/** The share of the time-out that an answer is to take at most. */
const TIME_SHARE = 1 / 8;

/**
 * The number of outputs that one request may ask for: counts that grow fourfold, as far as the bytes of answers allow. Where an output takes
 * so long that such an answer would come near the time-out, requests are smaller.
 */
export class BatchSize {
  readonly #longest: number;
  #current = FIRST;

  /** For answers that may take `timeoutSeconds`. */
  constructor(timeoutSeconds: number) {
    this.#longest = TIME_SHARE * 1000 * timeoutSeconds;
  }

  /** Outputs that the next request may ask for. */
  get current(): number {
    return this.#current;
  }

  /** Adapts the size to an answer of `count` outputs, its bytes, and the milliseconds that it took. */
  measured(count: number, bytes: number, milliseconds: number): void {
    const bySpeed = count * this.#longest / Math.max(milliseconds, 1e-3);
    const byLength = count * TARGET_BYTES / Math.max(bytes, 1);
    const most = Math.max(1, Math.floor(Math.min(bySpeed, byLength, MOST)));
    // The last request of a draw may be short: it does not make the next one smaller.
    const grown = count < this.#current ? this.#current : GROWTH * this.#current;
    this.#current = Math.min(grown, most);
  }
}
