/** The time and size of an answer aimed at: short enough to abort, long enough for the costs of a request not to matter. */
const TARGET_MILLISECONDS = 100, TARGET_BYTES = 4 << 20;
/** The first size of a request, the largest one, and the factor by which it grows at most. */
const FIRST = 16, MOST = 1 << 16, GROWTH = 4;

/**
 * The number of outputs that one request may ask for. It begins small, for a program may need a second an output, and grows
 * fourfold while answers come fast.
 */
export class BatchSize {
  #current = FIRST;

  /** Outputs that the next request may ask for. */
  get current(): number {
    return this.#current;
  }

  /** Adapts the size to an answer of `count` outputs, its bytes, and the milliseconds that it took. */
  measured(count: number, bytes: number, milliseconds: number): void {
    const bySpeed = count * TARGET_MILLISECONDS / Math.max(milliseconds, 1e-3);
    const byLength = count * TARGET_BYTES / Math.max(bytes, 1);
    const most = Math.max(1, Math.floor(Math.min(bySpeed, byLength, MOST)));
    // The last request of a draw may be short: it does not make the next one smaller.
    const grown = count < this.#current ? this.#current : GROWTH * this.#current;
    this.#current = Math.min(grown, most);
  }
}
