import type { Source } from "../../../../core/mechanism/source.ts";
import { Coins } from "../order/coins.ts";
import { drawInOrder } from "../order/draw_in_order.ts";
import type { DrawingEnd } from "../order/drawing_end.ts";
import { allLost } from "../order/lost_outputs.ts";
import { countOf, type Outputs, type PairOutputs } from "../outputs.ts";
import type { PairData, Subject } from "../subject.ts";
import { OutputCheck } from "./output_check.ts";
import type { Progress } from "./progress.ts";
import { TimeLimit } from "./time_limit.ts";

/** The most draws of one batch. */
export const MAX_BATCH: number = 1 << 17;

/** The size of a batch is a multiple of this. */
const MIN_BATCH = 32;

/** Milliseconds between reports of progress, and between pauses for timers and signals. */
const REPORT_EVERY = 100, PAUSE_EVERY = 100;

/** Seconds after the limit of time in which outputs that were asked for may still come, and after which no more is awaited. */
const GRACE = 0.3, LATEST = 0.6;

/** A batch that is being drawn. It must be used or dropped. */
export interface BegunBatch {
  /** Its number of draws. */
  readonly count: number;
  /** The outputs on both sides. */
  readonly drawn: Promise<PairOutputs>;
}

/**
 * Draws from a subject within a budget of draws, and counts them. The coins of a batch are thrown when it is begun, and its outputs are
 * drawn in their order. Sizes of batches are counts: the clock ends the draws at a limit, and decides nothing else.
 */
export class Sampler {
  readonly #subject: Subject;
  readonly #check: OutputCheck;
  readonly #labels: Source;
  readonly #limit: TimeLimit;
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: ((progress: Progress) => void) | undefined;
  #draws = 0;
  /** Draws asked for and not used yet. */
  #inFlight = 0;
  #isCut = false;
  #lastProgress = 0;
  #lastPause = performance.now();

  /** The budget of draws. */
  readonly maxDraws: number;

  /** The source `labels` throws the coins. */
  constructor(
    subject: Subject,
    { labels, maxDraws, limit = new TimeLimit(Infinity), signal, onProgress }: {
      labels: Source;
      maxDraws: number;
      /** Where the clock ends the draws. Default: nowhere. */
      limit?: TimeLimit;
      signal?: AbortSignal | undefined;
      onProgress?: ((progress: Progress) => void) | undefined;
    },
  ) {
    this.#subject = subject;
    this.#check = new OutputCheck(subject.name);
    this.#labels = labels;
    this.#limit = limit;
    this.#signal = signal;
    this.#onProgress = onProgress;
    this.maxDraws = maxDraws;
  }

  /** Draws so far, both sides together. */
  get draws(): number {
    return this.#draws;
  }

  /** Adds draws that were made elsewhere, or before. */
  countElsewhere({ draws }: { draws: number }): void {
    this.#draws += draws;
  }

  /** The message of the subject's last error, if all its outputs were errors. */
  get onlyErrors(): string | undefined {
    return this.#check.onlyErrors;
  }

  /** The value of every output, if there were any and no two differ. */
  get onlyValue(): { readonly value: unknown } | undefined {
    return this.#check.onlyValue;
  }

  /** Whether the clock has ended the draws before their budget was spent. It stays so. */
  get isCut(): boolean {
    return this.#isCut ||= this.#draws < this.maxDraws && this.#limit.isOver;
  }

  /** Whether draws were left out, or not made, because the clock had ended them. */
  get wasCut(): boolean {
    return this.#isCut;
  }

  /** The share of the draws that is spent; 1 where the clock has ended them. */
  get spent(): number {
    return this.isCut ? 1 : this.#draws / this.maxDraws;
  }

  /** The draws of the rest of the budget. */
  get remainingDraws(): number {
    return Math.max(0, this.maxDraws - this.#draws);
  }

  /**
   * Returns the size of a batch of `wanted` draws, as far as the budget allows: a multiple of {@linkcode MIN_BATCH}, or the rest of the budget.
   * With `isFine` it may be smaller.
   */
  batchSize(wanted: number, { isFine = false }: { readonly isFine?: boolean } = {}): number {
    const whole = isFine && wanted < MIN_BATCH
      ? Math.max(1, Math.floor(wanted))
      : Math.max(1, Math.floor(Math.min(wanted, MAX_BATCH) / MIN_BATCH)) * MIN_BATCH;
    return Math.max(1, Math.min(whole, this.maxDraws - this.#draws - this.#inFlight));
  }

  /** Draws `count` outputs on a pair, one a coin; the coins are thrown first. */
  async draw(pair: PairData, count: number): Promise<PairOutputs> {
    return await this.use(await this.begin(pair, count));
  }

  /** Begins to draw: a subject that draws elsewhere is at work when this resolves. */
  async begin(pair: PairData, count: number): Promise<BegunBatch> {
    await this.#pause();
    this.#signal?.throwIfAborted();
    this.#inFlight += count;
    const drawn = this.#drawBoth(pair, count);
    // A failure is reported when the batch is used.
    drawn.catch(() => {});
    return { count, drawn };
  }

  /**
   * Waits for the outputs of a batch that was begun. From then on its draws count, unless it is dropped. They are fewer where the clock
   * ended them, and those that the program had been asked for are lost.
   */
  async use(
    { count, drawn }: BegunBatch,
    { isDropped = false }: { readonly isDropped?: boolean } = {},
  ): Promise<PairOutputs> {
    try {
      const sides = await drawn;
      const { left, right } = sides.lost ?? { left: 0, right: 0 };
      if (!isDropped) this.#draws += countOf(sides.left) + countOf(sides.right) + left + right;
      return sides;
    } finally {
      this.#inFlight -= count;
    }
  }

  /** Draws asked for and not used yet. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Whether the budget allows no further batch. */
  get isAllBegun(): boolean {
    return this.spent >= 1 || this.#draws + this.#inFlight >= this.maxDraws;
  }

  /** Whether the subject draws in another thread or process, so that batches can be begun ahead. */
  get drawsElsewhere(): boolean {
    return this.#subject.drawsElsewhere ?? false;
  }

  /** Throws the coins of a batch and draws it. Its pair and its size are fixed before its coins are thrown. */
  async #drawBoth(pair: PairData, count: number): Promise<PairOutputs> {
    const ends = this.#endOfDraw();
    try {
      const coins = Coins.thrown(this.#labels, count, { ends });
      const pending = drawInOrder(this.#subject, pair, coins);
      const drawn = pending instanceof Promise
        ? await this.#inTime(pending, { ends, otherwise: () => allLost(coins) })
        : pending;
      this.#signal?.throwIfAborted();
      const { lost, unasked } = drawn;
      for (const side of ["left", "right"] as const) {
        const asked = coins[side] - (unasked?.[side] ?? 0);
        this.#check.look(drawn[side], asked - (lost?.[side] ?? 0));
      }
      if (unasked !== undefined) this.#isCut = true;
      return drawn;
    } finally {
      ends?.release();
    }
  }

  /** Draws `count` outputs on one dataset without coins: nothing may be bet on them. There are none where the clock ended them. */
  async drawOn(data: unknown, count: number): Promise<Outputs> {
    await this.#pause();
    this.#signal?.throwIfAborted();
    const ends = this.#endOfDraw();
    try {
      const pending = this.#subject.draw(data, count);
      const none: Outputs = { kind: "values", values: [] };
      const outputs = pending instanceof Promise
        ? await this.#inTime(pending, { ends, otherwise: () => none })
        : pending;
      if (outputs === none) return none;
      this.#check.look(outputs, count);
      this.#draws += count;
      return outputs;
    } finally {
      ends?.release();
    }
  }

  /** Returns the end that the clock sets to a draw, until it is released; `undefined` without a limit. */
  #endOfDraw(): DrawingEnd & { readonly latest: Promise<void>; release(): void } | undefined {
    const limit = this.#limit, end = limit.maxSeconds;
    if (end === Infinity) return undefined;
    const times = [end, end + GRACE, end + LATEST].map((seconds) => limit.after(seconds));
    const [over, late, latest] = times.map(({ promise }) => promise);
    return {
      isOver: () => limit.isOver,
      over: over!,
      late: late!,
      latest: latest!,
      release: () => times.forEach((time) => time.release()),
    };
  }

  /** Returns what a subject gives, or `otherwise` where it comes too late. */
  async #inTime<Given>(
    given: Promise<Given>,
    { ends, otherwise }: {
      readonly ends: { readonly latest: Promise<void> } | undefined;
      readonly otherwise: () => Given;
    },
  ): Promise<Given> {
    if (ends === undefined) return await given;
    const first = await Promise.race([given.then((value) => ({ value })), ends.latest]);
    if (first !== undefined) return first.value;
    // What comes later is of no use, also where it is a failure.
    given.catch(() => {});
    this.#isCut = true;
    return otherwise();
  }

  /** Pauses for timers and signals, a few times a second: a subject in this thread may never wait for anything. */
  async #pause(): Promise<void> {
    if (performance.now() - this.#lastPause < PAUSE_EVERY) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#lastPause = performance.now();
  }

  /** Reports progress to the caller, a few times a second. */
  report(figures: () => Pick<Progress, "epsilonLowerBound" | "eValue" | "phase">): void {
    const now = performance.now();
    if (now - this.#lastProgress < REPORT_EVERY) return;
    this.#lastProgress = now;
    const { seconds, maxSeconds } = this.#limit;
    const { maxDraws, draws } = this;
    this.#onProgress?.({ draws, seconds, maxDraws, maxSeconds, ...figures() });
  }
}
