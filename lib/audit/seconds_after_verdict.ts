/** Seconds to make a pair small, at least and at most; between these, twice the seconds of the audit. */
const SHRINK_SECONDS = { fewest: 1.5, most: 5, times: 2 };
/** Seconds to refute the claim once more on the smaller pair, for its bound, and for each part of an event. */
const CONFIRM_SECONDS = 3, BOUND_SECONDS = 5, EVENT_SECONDS = 3;
/** An audit may end after its deadline by this share of its seconds, or by this many seconds, whichever is more. */
const OVERRUN = { share: 0.1, seconds: 2 };
/** The shares of what is left that making a pair small, its confirmation, its bound and each part of the event have. */
const SHARES = { shrink: 0.35, confirm: 0.3, bound: 0.5, event: 0.45 };

/** The fewest seconds for each of these. */
const SHORTEST = 0.1;

/** The seconds of what is done once the verdict is known. The clock runs on. */
export class SecondsAfterVerdict {
  readonly #now: () => number;
  readonly #begun: number;
  readonly #most: number;
  readonly #audited: number;

  /** For an audit that took `seconds`, where it may take `maxSeconds`. */
  constructor(
    { maxSeconds }: { readonly maxSeconds: number },
    { seconds }: { readonly seconds: number },
    /** Milliseconds since any fixed time. */
    now: () => number = () => performance.now(),
  ) {
    this.#now = now;
    this.#begun = now();
    this.#audited = seconds;
    const overrun = Math.max(OVERRUN.seconds, OVERRUN.share * maxSeconds);
    this.#most = Math.max(0, maxSeconds - seconds) + overrun;
  }

  get #left(): number {
    return Math.max(0, this.#most - (this.#now() - this.#begun) / 1000);
  }

  /** For making the pair small. */
  forShrinking(): number {
    const { fewest, most, times } = SHRINK_SECONDS;
    const wanted = Math.min(most, Math.max(fewest, times * this.#audited));
    return Math.max(SHORTEST, Math.min(wanted, SHARES.shrink * this.#left));
  }

  /** For refuting the claim on the smaller pair. */
  forConfirming(): number {
    return Math.max(SHORTEST, Math.min(CONFIRM_SECONDS, SHARES.confirm * this.#left));
  }

  /** For the bound on the pair; without end where the audit has no deadline. */
  forBound(): number {
    return this.#most === Infinity
      ? Infinity
      : Math.max(SHORTEST, Math.min(BOUND_SECONDS, SHARES.bound * this.#left));
  }

  /** For the draws that an event is found on, for finding it, and for the draws that it is counted on; each time anew. */
  forEvent(): number {
    return Math.max(SHORTEST, Math.min(EVENT_SECONDS, SHARES.event * this.#left));
  }
}
