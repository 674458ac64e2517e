/** A time shorter than this is taken to be this long: clocks are coarse. */
const SHORTEST_SECONDS = 1e-4;

/** The rate at which outputs have lately been drawn; the time to learn from them is not counted. */
export class DrawingRate {
  #total = 0;
  #draws = 0;
  #seconds = 0;
  /** When the last batch had been drawn, in milliseconds. */
  #last = 0;

  /**
   * Notes a batch of `count` draws that has just been drawn. Its time runs from its request, or from the end of the batch
   * before.
   */
  note(begun: number, count: number): void {
    const now = performance.now();
    this.#seconds += (now - Math.max(begun, this.#last)) / 1000;
    this.#draws += count;
    this.#total += count;
    this.#last = now;
    // The first batches are small and slow: draws and seconds are halved so that later ones weigh more.
    if (this.#draws <= this.#total / 2) return;
    this.#draws /= 2;
    this.#seconds /= 2;
  }

  /** Draws a second; 0 before the first. */
  get perSecond(): number {
    return this.#draws / Math.max(SHORTEST_SECONDS, this.#seconds);
  }
}
