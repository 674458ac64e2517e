/**
 * A thread's sign of life: it beats for every output, in memory that another thread sees, so that a slow
 * thread can be told from one that hangs. A thread that hangs cannot send messages.
 */
export class Heartbeat {
  /** Where the beats are counted; what a thread is given to make its own `Heartbeat`. */
  readonly memory: SharedArrayBuffer;
  readonly #beats: Int32Array<SharedArrayBuffer>;

  /** Counts in `memory`, or in memory of its own. */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.memory = memory;
    this.#beats = new Int32Array(memory);
  }

  /** Beats once. Only one thread may: what it writes may be seen a little late, but costs little. */
  beat(): void {
    this.#beats[0]!++;
  }

  /**
   * Calls `onSilence` once no beat has come for so many milliseconds, or at most a tenth later, unless the
   * function that is returned is called before.
   */
  watch(milliseconds: number, onSilence: () => void): () => void {
    let beats = Atomics.load(this.#beats, 0);
    let since = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      const current = Atomics.load(this.#beats, 0);
      if (current !== beats) {
        beats = current;
        since = now;
      } else if (now - since >= milliseconds) {
        clearInterval(timer);
        onSilence();
      }
    }, Math.min(1000, milliseconds / 10));
    return () => clearInterval(timer);
  }
}
