/**
 * A counter that a thread increases for every output, in memory shared with another thread. So the other one can tell a slow
 * thread from one that hangs, which can send no message.
 */
export class Heartbeat {
  /** The memory of the counter, from which another thread makes its own `Heartbeat`. */
  readonly memory: SharedArrayBuffer;
  /** The number of beats, and whether the thread is to stop. */
  readonly #beats: Int32Array<SharedArrayBuffer>;

  /** Counts in `memory`, or in memory of its own. */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(8)) {
    this.memory = memory;
    this.#beats = new Int32Array(memory);
  }

  /** Counts one beat, in one thread only: the addition is not atomic, which is fast, and other threads may see it a little late. */
  beat(): void {
    this.#beats[0]!++;
  }

  /** Asks the thread to draw no further output. */
  stop(): void {
    Atomics.store(this.#beats, 1, 1);
  }

  /** Whether it was asked to. */
  get isStopped(): boolean {
    return Atomics.load(this.#beats, 1) === 1;
  }

  /**
   * Calls `onSilence` once when no beat has come for `milliseconds`, or at most a tenth later, unless the returned function
   * is called before.
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
