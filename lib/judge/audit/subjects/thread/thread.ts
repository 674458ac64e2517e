import { Worker } from "node:worker_threads";
import type { Source } from "../../../../core/mechanism/source.ts";
import { requirePositive } from "../../../../core/numeric/require.ts";
import { deferred } from "../../kernel/deferred.ts";
import type { Coins } from "../../kernel/order/coins.ts";
import type { Outputs, PairOutputs } from "../../kernel/outputs.ts";
import { shownDatasets } from "../shown_dataset.ts";
import { type PairData, SubjectFailure } from "../../kernel/subject.ts";
import { Heartbeat } from "./heartbeat.ts";
import { unpack } from "./parcel.ts";
import { siblingOf } from "./sibling_of.ts";
import type { Answer, Made, Request, SubjectMaker } from "./subject_worker.ts";

/** How to run a subject in a thread. */
export interface ThreadOptions {
  readonly maker: SubjectMaker;
  /** Seeds the thread's own source. */
  readonly source: Source;
  /** Seconds that the thread may take to load, and for an output, before it counts as hung. Default 30. */
  readonly timeoutSeconds?: number | undefined;
}

/** A request that is not answered yet. */
interface Waiting {
  /** The datasets it is to be drawn on. */
  readonly data: readonly unknown[];
  readonly resolve: (answer: Answered) => void;
  readonly reject: (error: Error) => void;
}

/** Outputs on each dataset asked about, and how many are missing. */
interface Answered {
  readonly outputs: readonly Outputs[];
  readonly missing: Pick<PairOutputs, "lost" | "unasked"> | undefined;
}

/** A thread that draws from a subject: the end in the thread that asks. */
export class Thread {
  readonly #worker = new Worker(new URL(siblingOf(import.meta.url, "subject_worker")));
  readonly #name: string;
  readonly #timeoutSeconds: number;
  readonly #heartbeat = new Heartbeat();
  readonly #made = deferred<Made>();
  #isMade = false;
  /** Requests not answered yet; the first is being drawn. */
  readonly #waiting: Waiting[] = [];
  /** Stops the watch on the heartbeat, which runs while an answer is awaited. */
  #stopWatch: () => void = () => {};
  #failure: SubjectFailure | undefined;
  readonly #ids = new Map<unknown, number>();

  /**
   * Starts the thread; messages call the subject `name`.
   *
   * @throws {RangeError} when the time-out is not positive.
   */
  constructor(name: string, { maker, source, timeoutSeconds = 30 }: ThreadOptions) {
    requirePositive("start a subject", "timeoutSeconds", timeoutSeconds);
    this.#name = name;
    this.#timeoutSeconds = timeoutSeconds;
    this.#worker.on("message", (answer: Answer) => this.#answered(answer));
    this.#worker.on(
      "error",
      (error) => this.#fail(`${name} broke its thread: ${messageOf(error)}`),
    );
    this.#worker.on("exit", () => this.#fail(`${name} ended its thread`));
    // A failure is reported by the next draw, also where `made` is not awaited.
    this.#made.promise.catch(() => {});
    this.#send({ kind: "make", maker, seed: seedOf(source), heartbeat: this.#heartbeat.memory });
    this.#watch();
  }

  /** Resolves when the subject is made, and rejects when that fails. */
  get made(): Promise<Made> {
    return this.#made.promise;
  }

  /** Draws on one dataset, after all earlier requests. */
  async draw(data: unknown, count: number): Promise<Outputs> {
    const { outputs } = await this.#ask([data], ([id]) => ({ kind: "draw", id: id!, count }));
    return outputs[0]!;
  }

  /** Draws one output a coin, after all earlier requests. */
  async drawInOrder(
    pair: PairData,
    { order, leftFirst, ends }: Coins,
  ): Promise<PairOutputs> {
    void ends?.over.then(() => this.#heartbeat.stop());
    const { outputs: [left, right], missing } = await this.#ask(
      [pair.left, pair.right],
      ([left, right]) => ({
        kind: "draw in order",
        left: left!,
        right: right!,
        order: order.slice().buffer,
        leftFirst,
      }),
    );
    return { left: left!, right: right!, ...missing };
  }

  #ask(data: readonly unknown[], request: (ids: readonly number[]) => Request): Promise<Answered> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      this.#waiting.push({ data, resolve, reject });
      this.#send(request(data.map((one) => this.#idOf(one))));
      if (this.#waiting.length === 1 && this.#isMade) this.#watch();
    });
  }

  /** Ends the thread; requests that are not answered fail. */
  close(): void {
    if (this.#failure === undefined) this.#fail(`${this.#name} was closed`);
  }

  #send(request: Request): void {
    this.#worker.postMessage(request);
  }

  #watch(): void {
    this.#stopWatch = this.#heartbeat.watch(this.#timeoutSeconds * 1000, () => {
      const what = this.#isMade
        ? `drew nothing for ${this.#timeoutSeconds} s, on ${shownDatasets(this.#waiting[0]!.data)}`
        : `was not loaded in ${this.#timeoutSeconds} s`;
      this.#fail(`${this.#name} hung: it ${what}`);
    });
  }

  /** Sends a dataset the first time that it is drawn on. */
  #idOf(data: unknown): number {
    const known = this.#ids.get(data);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(data, id);
    this.#send({ kind: "data", id, data });
    return id;
  }

  #answered(answer: Answer): void {
    switch (answer.kind) {
      case "made":
        this.#isMade = true;
        this.#made.resolve(answer);
        if (this.#waiting.length === 0) this.#stopWatch();
        return;
      case "unmade":
        this.#made.reject(errorOf(answer));
        return this.#fail(`${this.#name} cannot be drawn from in a thread: ${answer.message}`);
      case "failure":
        return this.#fail(answer.message);
      case "broken":
        return this.#fail(`${this.#name} cannot be drawn from in a thread: ${answer.reason}`);
      case "outputs":
        this.#waiting.shift()?.resolve({
          outputs: answer.parcels.map(unpack),
          missing: answer.missing,
        });
        if (this.#waiting.length === 0) this.#stopWatch();
    }
  }

  /** Ends the thread for good, except that Deno cannot end one that loops without a pause (denoland/deno#35657). */
  #fail(message: string): void {
    this.#failure ??= new SubjectFailure(message);
    this.#stopWatch();
    void this.#worker.terminate();
    this.#made.reject(this.#failure);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns a seed of 128 bits for a source in another thread. */
function seedOf(source: Source): string {
  return Array.from({ length: 4 }, () => source.uint32().toString(16).padStart(8, "0")).join("");
}

/** Returns the error of a message: messages do not carry classes. */
function errorOf({ name, message }: Extract<Answer, { kind: "unmade" }>): Error {
  switch (name) {
    case "RangeError":
      return new RangeError(message);
    case "TypeError":
      return new TypeError(message);
    default:
      return new SubjectFailure(message);
  }
}
