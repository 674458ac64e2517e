/** How fast outputs come of late, what is done with them not counted. */
export class DrawingRate {
  #total = 0;
  #draws = 0;
  #seconds = 0;
  /** When the last batch was there, in milliseconds. */
  #last = 0;

  /** Notes a batch that is there now. It began when it was asked for, or when the one before it was there. */
  note(begun: number, count: number): void {
    const now = performance.now();
    this.#seconds += (now - Math.max(begun, this.#last)) / 1000;
    this.#draws += count;
    this.#total += count;
    this.#last = now;
    // The first batches are small and slow: the later half tells more.
    if (this.#draws <= this.#total / 2) return;
    this.#draws /= 2;
    this.#seconds /= 2;
  }

  /** Draws a second; 0 before the first. */
  get perSecond(): number {
    return this.#draws / Math.max(1e-4, this.#seconds);
  }
}
