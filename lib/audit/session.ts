import type { Source } from "../core/source.ts";
import type { Arm } from "./arm.ts";
import { countOf } from "./encode.ts";
import type { Evidence } from "./evidence.ts";
import { countRight } from "./labels.ts";
import type { Batch } from "./batch.ts";
import type { AuditOptions, Progress } from "./options.ts";
import { joinOutputs } from "./subjects/pack_outputs.ts";
import type { Outputs, Subject } from "./subject.ts";

/** Draws never asked for in one go, and the fewest. */
const MAX_BATCH = 1 << 17;
const MIN_BATCH = 32;

/** The time that one batch should take at most: progress and deadlines are looked at between them. */
const BATCH_SECONDS = 0.2;

/** The datasets of a pair, and outputs on them. */
type Sides = Readonly<Record<"left" | "right", unknown>>;
type Drawn = Readonly<Record<"left" | "right", Outputs>>;

/** One running audit: it draws, counts what was drawn and how long it took, and stops in time. */
export class Session {
  readonly #subject: Subject;
  readonly #labels: Source;
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: ((progress: Progress) => void) | undefined;
  readonly #start = performance.now();
  #drawSeconds = 0;
  #draws = 0;
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

  /** A batch size for an arm: a share of what it has seen, within what time allows. */
  batchSize(arm: Arm): number {
    const rate = this.#draws / Math.max(1e-4, this.#drawSeconds);
    // Without a deadline the clock has no say: equal seeds then give equal audits.
    const affordable = this.maxSeconds === Infinity
      ? MAX_BATCH
      : this.#draws === 0
      ? MIN_BATCH
      : rate * BATCH_SECONDS;
    const share = arm.learner.pace === "eager" ? 1 / 16 : 1 / 4;
    const wanted = Math.min(arm.learner.draws * share, affordable, MAX_BATCH);
    const whole = Math.max(1, Math.floor(wanted / MIN_BATCH)) * MIN_BATCH;
    return Math.max(1, Math.min(whole, this.maxDraws - this.#draws));
  }

  /** Draws both sides of a pair, `count` in all, labels first. */
  async draw(pair: Sides, count: number): Promise<Drawn> {
    await this.#turn();
    this.#signal?.throwIfAborted();
    return await this.#begin(pair, count);
  }

  /** Begins to draw at once: a subject elsewhere is at work when this returns. */
  async #begin({ left, right }: Sides, count: number): Promise<Drawn> {
    const begun = performance.now();
    const rightCount = countRight(this.#labels, count);
    const leftFirst = this.#labels.uint32() < 2 ** 31;
    const leftDrawn = (): Outputs | Promise<Outputs> =>
      this.#subject.draw(left, count - rightCount);
    const rightDrawn = (): Outputs | Promise<Outputs> => this.#subject.draw(right, rightCount);
    const order = leftFirst ? [leftDrawn, rightDrawn] : [rightDrawn, leftDrawn];
    const drawn = this.#subject.drawsElsewhere ? await bothAtOnce(order) : await inTurn(order);
    this.#signal?.throwIfAborted();
    this.#draws += count;
    this.#drawSeconds += (performance.now() - begun) / 1000;
    return leftFirst
      ? { left: drawn[0]!, right: drawn[1]! }
      : { left: drawn[1]!, right: drawn[0]! };
  }

  /** Draws `count` outputs of a pair in batches, as far as time allows. */
  async drawMany(
    pair: Sides,
    count: number,
  ): Promise<Drawn> {
    const parts: Drawn[] = [];
    let drawn = 0;
    while (drawn < count && (drawn === 0 || this.spent < 1)) {
      const rate = this.#draws / Math.max(1e-4, this.#drawSeconds);
      const affordable = this.#draws === 0 ? 256 : Math.max(256, Math.floor(rate * BATCH_SECONDS));
      const part = Math.min(count - drawn, affordable, MAX_BATCH);
      parts.push(await this.draw(pair, part));
      drawn += part;
    }
    return {
      left: joinOutputs(parts.map(({ left }) => left)),
      right: joinOutputs(parts.map(({ right }) => right)),
    };
  }

  /** Draws a batch for an arm and settles the bets on it. */
  async step(arm: Arm, evidence: Evidence, phase: Progress["phase"]): Promise<Batch> {
    return this.#settle(await this.draw(arm.pair, this.batchSize(arm)), { arm, evidence, phase });
  }

  /**
   * Steps with one arm until told to stop, and shows each batch to `see`. Where the subject draws
   * elsewhere, a batch is begun before the last one is learned from, so that both go on at once; its
   * size and labels are fixed then. What is not wanted any more is dropped unseen.
   */
  async stay(
    arm: Arm,
    evidence: Evidence,
    { phase, until, see }: {
      phase: Progress["phase"];
      until: () => boolean;
      see?: (batch: Batch) => void;
    },
  ): Promise<void> {
    const ahead = this.#subject.drawsElsewhere ?? false;
    let next: Promise<Drawn> | undefined;
    while (!until()) {
      const drawn = await (next ?? this.draw(arm.pair, this.batchSize(arm)));
      next = undefined;
      if (ahead && this.spent < 1) {
        await this.#turn();
        next = this.#begin(arm.pair, this.batchSize(arm));
        // Should it fail, that shows when it is awaited.
        next.catch(() => {});
      }
      const batch = this.#settle(drawn, { arm, evidence, phase });
      see?.(batch);
    }
    if (next !== undefined) {
      const { left, right } = await next;
      this.#draws -= countOf(left) + countOf(right);
    }
  }

  /** Settles the bets on a batch, and learns from it. */
  #settle(
    { left, right }: Drawn,
    { arm, evidence, phase }: { arm: Arm; evidence: Evidence; phase: Progress["phase"] },
  ): Batch {
    const batch = arm.learner.observe(left, right);
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

type Draw = () => Outputs | Promise<Outputs>;

/** One after the other, without a pause where none is needed. */
async function inTurn(draws: readonly Draw[]): Promise<Outputs[]> {
  const drawn: Outputs[] = [];
  for (const draw of draws) {
    const pending = draw();
    drawn.push(pending instanceof Promise ? await pending : pending);
  }
  return drawn;
}

/** Asked for one after the other, awaited together. */
function bothAtOnce(draws: readonly Draw[]): Promise<Outputs[]> {
  return Promise.all(draws.map((draw) => draw()));
}
