import type { Source } from "../../../core/source.ts";
import { Coins } from "../order/coins.ts";
import { drawInOrder } from "../order/draw_in_order.ts";
import type { Outputs } from "../outputs.ts";
import type { PairData, PairOutputs, Subject } from "../subject.ts";
import { DrawingRate } from "./drawing_rate.ts";
import { OutputCheck } from "./output_check.ts";
import { PairCosts } from "./pair_costs.ts";
import type { Progress } from "./progress.ts";

/** The most draws of one batch. */
export const MAX_BATCH: number = 1 << 17;

/** The size of a batch is a multiple of this. */
const MIN_BATCH = 32;

/** The size of the first batch on a pair where outputs may take long: it shows how long. */
const FIRST_LOOK = 1;

/** The time that one batch should take at most: deadlines and the abort signal are checked between batches. */
const BATCH_SECONDS = 0.2;

/** The share of the time that drawing takes in a test, where outputs are counted and not learned from. */
const DRAWING_SHARE = 0.5;

/** The least seconds that a rate is computed from: clocks are coarse. */
const SHORTEST_SECONDS = 1e-3;

/** Milliseconds between reports of progress, and between pauses for timers and signals. */
const REPORT_EVERY = 100, PAUSE_EVERY = 100;

/** A batch that is being drawn. It must be used or dropped. */
export interface BegunBatch {
  /** Its number of draws. */
  readonly count: number;
  /** The outputs on both sides. */
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
  #secondsBefore = 0;
  #hasDrawn = false;
  /** Draws asked for and not used yet. */
  #inFlight = 0;
  readonly #drawing = new DrawingRate();
  /** Set where draws may take long and the clock counts: elsewhere equal seeds give equal audits. */
  readonly #costs: PairCosts | undefined;
  #lastProgress = 0;
  #lastPause = performance.now();

  /** The budget of draws. */
  readonly maxDraws: number;
  /** The budget of seconds. */
  readonly maxSeconds: number;

  /** Starts the clock. The source `labels` throws the coins. */
  constructor(
    subject: Subject,
    { labels, maxDraws, maxSeconds, signal, onProgress }: {
      labels: Source;
      maxDraws: number;
      maxSeconds: number;
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
    const isTimed = subject.drawsElsewhere === true && maxSeconds < Infinity;
    this.#costs = isTimed ? new PairCosts(maxSeconds) : undefined;
  }

  /** Draws so far, both sides together. */
  get draws(): number {
    return this.#draws;
  }

  /** Adds draws that were made elsewhere, or before, and seconds that went by before. */
  countElsewhere({ draws, seconds = 0 }: { draws: number; seconds?: number }): void {
    [this.#draws, this.#secondsBefore] = [this.#draws + draws, this.#secondsBefore + seconds];
  }

  /** The message of the subject's last error, if all its outputs were errors. */
  get onlyErrors(): string | undefined {
    return this.#check.onlyErrors;
  }

  /** The value of every output, if there were any and no two differ. */
  get onlyValue(): { readonly value: unknown } | undefined {
    return this.#check.onlyValue;
  }

  /** Seconds since the start; 0 while a subject that takes time to start has not answered, and since its first answer then. */
  get seconds(): number {
    const subject = this.#subject;
    const answered = subject.firstAnswerAt === undefined ? 0 : subject.firstAnswerAt() ?? Infinity;
    const own = Math.max(0, performance.now() - Math.max(this.#start, answered)) / 1000;
    return this.#secondsBefore + own;
  }

  /** The share of the budget that is spent: the larger one of draws and time. */
  get spent(): number {
    return Math.max(this.#draws / this.maxDraws, this.seconds / this.maxSeconds);
  }

  /** The expected number of draws in the rest of the budget. */
  get remainingDraws(): number {
    const byDraws = this.maxDraws - this.#draws;
    if (this.maxSeconds === Infinity) return byDraws;
    const rate = this.#draws / Math.max(SHORTEST_SECONDS, this.seconds);
    return Math.max(0, Math.min(byDraws, rate * (this.maxSeconds - this.seconds)));
  }

  /**
   * The expected number of draws in the rest of the budget if outputs are counted and not learned from: learning takes most
   * of the time of a search.
   */
  get remainingTestDraws(): number {
    if (this.maxSeconds === Infinity) return this.remainingDraws;
    const byRate = DRAWING_SHARE * this.#drawing.perSecond *
      Math.max(0, this.maxSeconds - this.seconds);
    return Math.max(this.remainingDraws, Math.min(byRate, this.maxDraws - this.#draws));
  }

  /**
   * The size of a batch of `wanted` draws on a pair, as far as time and budget allow: a multiple of {@linkcode MIN_BATCH}, or
   * the rest of the budget; less where that many take long. Without a deadline it does not depend on the clock: equal seeds
   * then give equal audits.
   */
  batchSize(wanted: number, pair: PairData): number {
    const affordable = this.maxSeconds === Infinity
      ? MAX_BATCH
      : this.#drawing.perSecond * BATCH_SECONDS;
    const most = Math.min(wanted, affordable, MAX_BATCH);
    const whole = Math.max(1, Math.floor(most / MIN_BATCH)) * MIN_BATCH;
    const left = this.maxDraws - this.#draws - this.#inFlight;
    return Math.max(1, Math.min(whole, left, this.#quickly(pair)));
  }

  /** The most draws on a pair that do not take long; {@linkcode FIRST_LOOK} where it is not known how long they take. */
  #quickly(pair: PairData): number {
    if (this.#costs === undefined) return Infinity;
    return Math.max(FIRST_LOOK, this.#costs.within(pair, BATCH_SECONDS));
  }

  /** Whether draws may take long and the clock counts. */
  get isTimed(): boolean {
    return this.#costs !== undefined;
  }

  /** Whether outputs on this pair take far longer than on others, and long for this audit. */
  isSlow(pair: PairData): boolean {
    return this.#costs?.isSlow(pair) ?? false;
  }

  /** The speed of draws on this pair as a share of that on the quickest one; 1 unless it is slow. */
  relativeSpeed(pair: PairData): number {
    return this.#costs?.relativeSpeed(pair) ?? 1;
  }

  /** Draws a second on this pair, or on all pairs where its own speed is not known. */
  perSecond(pair: PairData): number {
    return this.#costs?.perSecond(pair) || this.#draws / Math.max(SHORTEST_SECONDS, this.seconds);
  }

  /** The draws that the seconds left allow on this pair; Infinity where the clock does not count. */
  remainingDrawsOn(pair: PairData): number {
    return this.#costs === undefined
      ? Infinity
      : Math.max(0, this.maxSeconds - this.seconds) * this.#costs.perSecond(pair);
  }

  /** Seconds that draws on this pair took; 0 where draws take no time to speak of, or the clock does not count. */
  secondsOn(pair: PairData): number {
    return this.#costs?.secondsOn(pair) ?? 0;
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

  /** Waits for the outputs of a batch that was begun. From then on its draws count, unless it is dropped. */
  async use(
    { count, drawn }: BegunBatch,
    { isDropped = false }: { readonly isDropped?: boolean } = {},
  ): Promise<PairOutputs> {
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
    const begun = performance.now();
    const coins = Coins.thrown(this.#labels, count);
    const pending = drawInOrder(this.#subject, pair, coins);
    const drawn = pending instanceof Promise ? await pending : pending;
    this.#signal?.throwIfAborted();
    // The first outputs wait for the program to start, whatever their pair.
    if (this.#hasDrawn) this.#costs?.note(pair, begun, count);
    this.#noteTime(begun, count);
    const { left = 0, right = 0 } = drawn.lost ?? {};
    this.#check.look(drawn.left, coins.left - left);
    this.#check.look(drawn.right, coins.right - right);
    return drawn;
  }

  /** Draws `count` outputs on one dataset without coins: nothing may be bet on them. */
  async drawOn(data: unknown, count: number): Promise<Outputs> {
    await this.#pause();
    this.#signal?.throwIfAborted();
    const begun = performance.now();
    const outputs = await this.#subject.draw(data, count);
    this.#check.look(outputs, count);
    this.#draws += count;
    this.#noteTime(begun, count);
    return outputs;
  }

  /** Notes how long outputs took, without the start of the subject. */
  #noteTime(begun: number, count: number): void {
    if (this.#hasDrawn || this.#subject.firstAnswerAt === undefined) {
      this.#drawing.note(begun, count);
    }
    this.#hasDrawn = true;
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
    const { seconds, maxDraws, maxSeconds } = this;
    this.#onProgress?.({ draws: this.#draws, seconds, maxDraws, maxSeconds, ...figures() });
  }
}
