/** A part of an audit that its limit of time cut short, or left out. */
export interface CutPart {
  /** The part, as "the draws for the verdict". */
  readonly what: string;
  /** How much of it was done. */
  readonly done: number;
  /** How much was planned; absent where that is not known before. */
  readonly of?: number;
}

/**
 * The clock of an audit, which ends what takes too long and decides nothing else: what is done, in which order and how often, is a
 * matter of counts. What was cut is noted, for it depends on the machine.
 */
export class TimeLimit {
  /** The most seconds. */
  readonly maxSeconds: number;
  readonly #startedAt: () => number | undefined;
  readonly #begun = performance.now();
  readonly #cut: CutPart[] = [];
  #before = 0;

  /**
   * Starts the clock.
   *
   * @param startedAt when a subject that takes time to start had started, in milliseconds of `performance.now`: the clock stands
   * still before. It runs at once for any other.
   */
  constructor(maxSeconds: number, startedAt: () => number | undefined = () => 0) {
    this.maxSeconds = maxSeconds;
    this.#startedAt = startedAt;
  }

  /** Seconds that have gone by. */
  get seconds(): number {
    const started = Math.max(this.#begun, this.#startedAt() ?? Infinity);
    return this.#before + Math.max(0, performance.now() - started) / 1000;
  }

  /** Adds seconds that went by before. */
  add(seconds: number): void {
    this.#before += seconds;
  }

  /** Seconds that are left. */
  get left(): number {
    return this.maxSeconds === Infinity ? Infinity : Math.max(0, this.maxSeconds - this.seconds);
  }

  /** Whether they are over. */
  get isOver(): boolean {
    return this.left <= 0;
  }

  /** Notes a part that was cut. */
  note(part: CutPart): void {
    this.#cut.push(part);
  }

  /** The parts that were cut, in order. */
  get cut(): readonly CutPart[] {
    return this.#cut;
  }

  /** Resolves after so many seconds of this clock, unless `release` is called before. */
  after(seconds: number): { readonly promise: Promise<void>; release(): void } {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const promise = new Promise<void>((resolve) => {
      // Looked at again where it went off early, as before a subject has started.
      const wait = (): void => {
        const left = seconds - this.seconds;
        if (left <= 0) return resolve();
        timer = setTimeout(wait, Math.min(LONGEST_WAIT, Math.ceil(1000 * left)));
      };
      wait();
    });
    return { promise, release: () => clearTimeout(timer) };
  }
}

/** Milliseconds after which the clock is looked at again, at most: the longest that a timer can be set for is some 25 days. */
const LONGEST_WAIT = 60_000;
