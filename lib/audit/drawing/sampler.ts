import type { Source } from "../../core/source.ts";
import type { Evidence } from "../betting/evidence.ts";
import type { PredictionBatch } from "../betting/prediction_batch.ts";
import type { AuditOptions } from "../options.ts";
import type { CandidatePair } from "../prediction/candidate_pair.ts";
import { Coins } from "../subjects/order/coins.ts";
import { drawInOrder } from "../subjects/order/draw_in_order.ts";
import { countOf, joinOutputs, type Outputs } from "../subjects/outputs.ts";
import type { PairData, PairOutputs, Subject } from "../subjects/subject.ts";
import { DrawingRate } from "./drawing_rate.ts";
import { OutputCheck } from "./output_check.ts";
import type { Progress } from "./progress.ts";

/** Draws never asked for in one go, and the fewest. */
const MAX_BATCH = 1 << 17;
const MIN_BATCH = 32;

/** The share of what a candidate has seen that its next batch is: odds are learned between batches, which takes time. */
const BATCH_SHARE = { quick: 1 / 16, thorough: 1 / 4, sparing: 1 };

/** The time that one batch should take at most: progress and deadlines are looked at between them. */
const BATCH_SECONDS = 0.2;

/** Batches that a subject elsewhere has to draw while one is learned from: one to draw, one to go on with. */
const AHEAD = 2;

/** The share of the time that drawing takes where outputs are counted and nothing is learned any more. */
const DRAWING_SHARE = 0.5;

/** A batch that is being drawn. */
interface BegunBatch {
  readonly count: number;
  readonly drawn: Promise<PairOutputs>;
}

/** One running audit: it draws, counts what was drawn and how long it took, and stops in time. */
export class Sampler {
  readonly #subject: Subject;
  readonly #check: OutputCheck;
  readonly #labels: Source;
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: ((progress: Progress) => void) | undefined;
  readonly #start = performance.now();
  #draws = 0;
  readonly #drawsOn = new WeakMap<PairData, Readonly<Record<"left" | "right", number>>>();
  /** Draws asked for and not used yet. */
  #inFlight = 0;
  readonly #drawing = new DrawingRate();
  #lastProgress = 0;
  #lastTurn = performance.now();
  #nextRestart = 64;

  /** Draws not beyond this number, nor beyond this many seconds. */
  readonly maxDraws: number;
  readonly maxSeconds: number;

  /** Starts the clock. `labels` decides which side is drawn. */
  constructor(
    subject: Subject,
    { labels, maxDraws, maxSeconds, signal, onProgress }:
      & { labels: Source; maxDraws: number; maxSeconds: number }
      & Pick<AuditOptions, "signal" | "onProgress">,
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

  /** Draws that were bet on, by the dataset of this pair that they were made on. */
  drawsOn(pair: PairData): Readonly<Record<"left" | "right", number>> {
    return this.#drawsOn.get(pair) ?? { left: 0, right: 0 };
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

  /** A batch size for a candidate: a share of what it has seen, within what time allows. */
  batchSize(candidate: CandidatePair): number {
    // Without a deadline the clock has no say: equal seeds then give equal audits.
    const affordable = this.maxSeconds === Infinity
      ? MAX_BATCH
      : this.#drawing.perSecond * BATCH_SECONDS;
    const wanted = Math.min(
      BATCH_SHARE[candidate.predictor.effort] * candidate.predictor.draws,
      affordable,
      MAX_BATCH,
    );
    const whole = Math.max(1, Math.floor(wanted / MIN_BATCH)) * MIN_BATCH;
    return Math.max(1, Math.min(whole, this.maxDraws - this.#draws - this.#inFlight));
  }

  /** Draws both sides of a pair, `count` in all, labels first. */
  async draw(pair: PairData, count: number): Promise<PairOutputs> {
    return await this.#use(await this.#begin(pair, count));
  }

  /** Begins to draw: a subject elsewhere is at work when this resolves. */
  async #begin(pair: PairData, count: number): Promise<BegunBatch> {
    await this.#turn();
    this.#signal?.throwIfAborted();
    this.#inFlight += count;
    const drawn = this.#drawBoth(pair, count);
    // Should it fail, that shows when it is used.
    drawn.catch(() => {});
    return { count, drawn };
  }

  /** What was begun, when it is drawn; it counts unless it is dropped. */
  async #use({ count, drawn }: BegunBatch, { isDropped = false } = {}): Promise<PairOutputs> {
    try {
      const sides = await drawn;
      if (!isDropped) this.#draws += count;
      return sides;
    } finally {
      this.#inFlight -= count;
    }
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

  /** Draws a batch for a candidate and settles the bets on it. */
  async step(
    candidate: CandidatePair,
    evidence: Evidence,
    phase: Progress["phase"],
  ): Promise<PredictionBatch> {
    return this.#settle(await this.draw(candidate.pair, this.batchSize(candidate)), {
      candidate,
      evidence,
      phase,
    });
  }

  /**
   * Steps with some candidates, those of fewest draws first, until told to stop, and shows each batch to `see`. Where
   * the subject draws elsewhere, batches are begun before the last one is learned from, so that both go on at
   * once; their sizes and coins are fixed then.
   *
   * Why bets stay fair: batches are drawn and settled in the order in which they were begun, so that a bet on a
   * batch is fixed by batches that were drawn before its first output, and a coin is independent of all that. What
   * was begun is settled to the end, whenever that comes: by the clock a program could see to it that the batches
   * that it is about to win are dropped. Only a refutation that ends it, a fact about batches already settled, drops them.
   */
  async stay(
    candidates: readonly CandidatePair[],
    evidence: Evidence,
    { phase, until, see = () => {}, most = () => Infinity }: {
      phase: Progress["phase"];
      until: () => boolean;
      see?: (batch: PredictionBatch) => void;
      /** Draws that may be on their way at once. */
      most?: () => number;
    },
  ): Promise<void> {
    const ahead = this.#subject.drawsElsewhere ? AHEAD : 0;
    const begun: (BegunBatch & { readonly candidate: CandidatePair })[] = [];
    const drawsOf = (candidate: CandidatePair): number =>
      begun.reduce(
        (sum, batch) => sum + (batch.candidate === candidate ? batch.count : 0),
        candidate.predictor.draws,
      );
    const begin = async (): Promise<BegunBatch & { readonly candidate: CandidatePair }> => {
      const candidate = candidates.reduce((a, b) => (drawsOf(b) < drawsOf(a) ? b : a));
      const count = Math.min(this.batchSize(candidate), Math.max(1, most() - this.#inFlight));
      return { candidate, ...await this.#begin(candidate.pair, count) };
    };
    const wasRefuted = evidence.refuted;
    while (!until()) {
      const next = begun.shift() ?? await begin();
      const sides = await this.#use(next);
      while (begun.length < ahead && !this.#isAllBegun) begun.push(await begin());
      see(this.#settle(sides, { candidate: next.candidate, evidence, phase }));
    }
    const isDropped = evidence.refuted && !wasRefuted && this.spent < 1;
    for (const next of begun) {
      const sides = await this.#use(next, { isDropped });
      if (!isDropped) see(this.#settle(sides, { candidate: next.candidate, evidence, phase }));
    }
  }

  /** Whether nothing more may be begun. */
  get #isAllBegun(): boolean {
    return this.spent >= 1 || this.#draws + this.#inFlight >= this.maxDraws;
  }

  /** Settles the bets on a batch, and learns from it. */
  #settle(
    { left, right }: PairOutputs,
    { candidate, evidence, phase }: {
      candidate: CandidatePair;
      evidence: Evidence;
      phase: Progress["phase"];
    },
  ): PredictionBatch {
    const before = this.drawsOn(candidate.pair);
    this.#drawsOn.set(candidate.pair, {
      left: before.left + countOf(left),
      right: before.right + countOf(right),
    });
    const batch = candidate.predictor.observe(left, right);
    evidence.add(batch);
    if (this.#draws >= this.#nextRestart) {
      evidence.restart();
      this.#nextRestart = 1.6 * this.#draws;
    }
    this.#report(evidence, phase);
    return batch;
  }

  /** Lets timers and signals have their turn, a few times a second: subjects may never wait. */
  async #turn(): Promise<void> {
    if (performance.now() - this.#lastTurn < 100) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#lastTurn = performance.now();
  }

  /** Tells the listener, a few times a second. */
  #report(evidence: Evidence, phase: Progress["phase"]): void {
    const now = performance.now();
    if (now - this.#lastProgress < 100) return;
    this.#lastProgress = now;
    this.#onProgress?.({
      draws: this.#draws,
      seconds: this.seconds,
      epsilonLowerBound: evidence.lowerBound,
      eValue: Math.exp(evidence.logEValue),
      phase,
    });
  }
}
