import type { Source } from "../../core/source.ts";
import { Coins } from "../subjects/order/coins.ts";
import { drawInOrder } from "../subjects/order/draw_in_order.ts";
import { joinOutputs, type Outputs } from "../subjects/outputs.ts";
import type { PairData, PairOutputs, Subject } from "../subjects/subject.ts";
import { DrawingRate } from "./drawing_rate.ts";
import { OutputCheck } from "./output_check.ts";
import type { Progress } from "./progress.ts";

/** Draws never asked for in one go, and the fewest. */
const MAX_BATCH = 1 << 17;
const MIN_BATCH = 32;

/** The time that one batch should take at most: progress and deadlines are looked at between them. */
const BATCH_SECONDS = 0.2;

/** The share of the time that drawing takes where outputs are counted and nothing is learned any more. */
const DRAWING_SHARE = 0.5;

/** A batch that is being drawn. It must be used or dropped. */
export interface BegunBatch {
  /** How many draws it has. */
  readonly count: number;
  /** Both sides, when they are drawn. */
  readonly drawn: Promise<PairOutputs>;
}

/**
 * Draws from a subject within a budget of draws and seconds, and counts both. The coins of a batch are thrown when it is
 * begun, and its outputs are drawn in their order.
 */
export class Sampler {
  readonly #subject: Subject;
  readonly #check: OutputCheck;
  readonly #labels: Source;
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: ((progress: Progress) => void) | undefined;
  readonly #start = performance.now();
  #draws = 0;
  /** Draws asked for and not used yet. */
  #inFlight = 0;
  readonly #drawing = new DrawingRate();
  #lastProgress = 0;
  #lastTurn = performance.now();

  /** Draws not beyond this number, nor beyond this many seconds. */
  readonly maxDraws: number;
  readonly maxSeconds: number;

  /** Starts the clock. `labels` decides which side is drawn. */
  constructor(
    subject: Subject,
    { labels, maxDraws, maxSeconds, signal, onProgress }:
      & { labels: Source; maxDraws: number; maxSeconds: number }
      & {
        signal?: AbortSignal | undefined;
        onProgress?: ((progress: Progress) => void) | undefined;
      },
  ) {
    this.#subject = subject;
    this.#check = new OutputCheck(subject.name);
    this.#labels = labels;
    this.#signal = signal;
    this.#onProgress = onProgress;
    this.maxDraws = maxDraws;
    this.maxSeconds = maxSeconds;
  }

  /** Draws so far, both sides together. */
  get draws(): number {
    return this.#draws;
  }

  /** What the subject's last error said, if it has answered with nothing but errors. */
  get onlyErrors(): string | undefined {
    return this.#check.onlyErrors;
  }

  /** Seconds since the start. */
  get seconds(): number {
    return (performance.now() - this.#start) / 1000;
  }

  /** The share of the budget that is spent, by draws or by time, whichever is further. */
  get spent(): number {
    return Math.max(this.#draws / this.maxDraws, this.seconds / this.maxSeconds);
  }

  /** How many more draws the rest of the budget is likely to allow. */
  get remainingDraws(): number {
    const byDraws = this.maxDraws - this.#draws;
    if (this.maxSeconds === Infinity) return byDraws;
    const rate = this.#draws / Math.max(1e-3, this.seconds);
    return Math.max(0, Math.min(byDraws, rate * (this.maxSeconds - this.seconds)));
  }

  /**
   * How many draws the rest of the budget is likely to allow once nothing is learned any more: most of the
   * time of a search goes into learning.
   */
  get remainingTestDraws(): number {
    if (this.maxSeconds === Infinity) return this.remainingDraws;
    const fast = DRAWING_SHARE * this.#drawing.perSecond *
      Math.max(0, this.maxSeconds - this.seconds);
    return Math.max(this.remainingDraws, Math.min(fast, this.maxDraws - this.#draws));
  }

  /**
   * The size of a batch of `wanted` draws within what time and budget allow: whole multiples of {@linkcode MIN_BATCH}.
   * Without a deadline the clock has no say: equal seeds then give equal audits.
   */
  batchSize(wanted: number): number {
    const affordable = this.maxSeconds === Infinity
      ? MAX_BATCH
      : this.#drawing.perSecond * BATCH_SECONDS;
    const most = Math.min(wanted, affordable, MAX_BATCH);
    const whole = Math.max(1, Math.floor(most / MIN_BATCH)) * MIN_BATCH;
    return Math.max(1, Math.min(whole, this.maxDraws - this.#draws - this.#inFlight));
  }

  /** Draws both sides of a pair, `count` in all, labels first. */
  async draw(pair: PairData, count: number): Promise<PairOutputs> {
    return await this.use(await this.begin(pair, count));
  }

  /** Begins to draw: a subject elsewhere is at work when this resolves. */
  async begin(pair: PairData, count: number): Promise<BegunBatch> {
    await this.#turn();
    this.#signal?.throwIfAborted();
    this.#inFlight += count;
    const drawn = this.#drawBoth(pair, count);
    // Should it fail, that shows when it is used.
    drawn.catch(() => {});
    return { count, drawn };
  }

  /** The outputs of a batch that was begun, when they are drawn: its draws count from then on, unless it is dropped. */
  async use({ count, drawn }: BegunBatch, { isDropped = false } = {}): Promise<PairOutputs> {
    try {
      const sides = await drawn;
      if (!isDropped) this.#draws += count;
      return sides;
    } finally {
      this.#inFlight -= count;
    }
  }

  /** Draws asked for and not used yet. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Whether nothing more may be begun. */
  get isAllBegun(): boolean {
    return this.spent >= 1 || this.#draws + this.#inFlight >= this.maxDraws;
  }

  /** Whether the subject draws in another thread or process, so that batches can be begun ahead. */
  get drawsElsewhere(): boolean {
    return this.#subject.drawsElsewhere ?? false;
  }

  /** Throws the coins of a batch: its pair and its size were fixed before. */
  async #drawBoth(pair: PairData, count: number): Promise<PairOutputs> {
    const begun = performance.now();
    const coins = Coins.thrown(this.#labels, count);
    const pending = drawInOrder(this.#subject, pair, coins);
    const drawn = pending instanceof Promise ? await pending : pending;
    this.#signal?.throwIfAborted();
    this.#drawing.note(begun, count);
    this.#check.look(drawn.left, coins.left);
    this.#check.look(drawn.right, coins.right);
    return drawn;
  }

  /** Draws `count` outputs on one dataset, which has no label: nothing may be bet on them. */
  async drawOn(data: unknown, count: number): Promise<Outputs> {
    await this.#turn();
    this.#signal?.throwIfAborted();
    const begun = performance.now();
    const outputs = await this.#subject.draw(data, count);
    this.#check.look(outputs, count);
    this.#draws += count;
    this.#drawing.note(begun, count);
    return outputs;
  }

  /**
   * Draws `count` outputs of a pair in batches, as far as time allows. How fast they come decides when it ends and
   * nothing else: equal seeds give equal outputs.
   */
  async drawMany(pair: PairData, count: number): Promise<PairOutputs> {
    const parts: PairOutputs[] = [];
    let drawn = 0;
    while (drawn < count && (drawn === 0 || this.spent < 1)) {
      // A batch takes a quarter of the time so far, so that the last one is not late by more.
      const part = Math.min(count - drawn, Math.max(2, Math.floor(drawn / 4)), MAX_BATCH);
      parts.push(await this.draw(pair, part));
      drawn += part;
    }
    return {
      left: joinOutputs(parts.map(({ left }) => left)),
      right: joinOutputs(parts.map(({ right }) => right)),
    };
  }

  /** Lets timers and signals have their turn, a few times a second: subjects may never wait. */
  async #turn(): Promise<void> {
    if (performance.now() - this.#lastTurn < 100) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#lastTurn = performance.now();
  }

  /** Tells the listener how far the audit has come, a few times a second. */
  report(told: () => Pick<Progress, "epsilonLowerBound" | "eValue" | "phase">): void {
    const now = performance.now();
    if (now - this.#lastProgress < 100) return;
    this.#lastProgress = now;
    this.#onProgress?.({ draws: this.#draws, seconds: this.seconds, ...told() });
  }
}
