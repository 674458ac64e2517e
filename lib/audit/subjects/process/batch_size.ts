/** How long and how large one answer should be: short enough to abort, large enough to be cheap. */
const TARGET_MILLISECONDS = 100;
const TARGET_BYTES = 4 << 20;
const MOST = 1 << 16;

/**
 * How many outputs one request may ask of a program. Starts small, for a program may need a second an
 * output, and grows fourfold while answers come fast.
 */
export class BatchSize {
  #current = 16;

  /** Outputs that the next request may ask for. */
  get current(): number {
    return this.#current;
  }

  /** Takes note that `count` outputs took `bytes` and `milliseconds`. */
  measured(count: number, bytes: number, milliseconds: number): void {
    const bySpeed = count * TARGET_MILLISECONDS / Math.max(milliseconds, 1e-3);
    const byLength = count * TARGET_BYTES / Math.max(bytes, 1);
    const most = Math.max(1, Math.floor(Math.min(bySpeed, byLength, MOST)));
    // A short last request of a draw says nothing against a larger one.
    const grown = count < this.#current ? this.#current : 4 * this.#current;
    this.#current = Math.min(grown, most);
  }
}
