import type { Source } from "../../core/source.ts";
import { requirePositive } from "../../numeric/require.ts";
import { type Outputs, type Subject, SubjectFailure, Thrown } from "../subject.ts";
import { inParallel } from "./in_parallel.ts";
import type { Answer, Request, SubjectMaker } from "./subject_worker.ts";

/** How to run a subject in a worker. */
interface WorkerOptions {
  readonly maker: SubjectMaker;
  /** Seeds the worker's own source. */
  readonly source: Source;
  /** How long one draw may take before the subject counts as hung. Default 30. */
  readonly timeoutSeconds?: number | undefined;
}

/**
 * A subject itself, or with `workers` above 1 as many copies of it, each in a thread of its own
 * ({@linkcode workerSubject}) and with a source split from `source`.
 */
export function inWorkers(
  own: Subject,
  { workers, source, ...options }: WorkerOptions & { readonly workers: number },
): Subject {
  if (workers === 1) return own;
  const copies = Array.from(
    { length: workers },
    (_, k) => workerSubject(own, { ...options, source: source.split(`worker ${k + 1}`) }),
  );
  return inParallel(copies);
}

/**
 * A subject in a thread of its own, where it draws while this one goes on. The worker imports the module
 * of `maker` and calls the function that it exports with `maker.argument` and `{ source }`; what that
 * returns, or resolves to, is the subject. The name, claim and domain are those of `like`.
 *
 * A draw that takes longer than the time-out ends the worker, even if the code never yields.
 *
 * @throws {RangeError} when the time-out is not positive.
 */
export function workerSubject(
  like: Pick<Subject, "name" | "claim" | "domain">,
  { maker, source, timeoutSeconds = 30 }: WorkerOptions,
): Subject {
  requirePositive("start a subject", "timeout", timeoutSeconds);
  const thread = new Thread(like.name, timeoutSeconds);
  thread.send({ kind: "make", maker, seed: seedOf(source) });
  const { name, claim, domain } = like;
  return {
    name,
    ...(claim === undefined ? {} : { claim }),
    ...(domain === undefined ? {} : { domain }),
    drawsElsewhere: true,
    draw: (data, count) => thread.draw(data, count),
    close: () => thread.close(),
  };
}

/** A seed of 128 bits for a source in another thread. */
function seedOf(source: Source): string {
  return Array.from({ length: 4 }, () => source.uint32().toString(16).padStart(8, "0")).join("");
}

interface Waiting {
  readonly count: number;
  readonly resolve: (outputs: Outputs) => void;
  readonly reject: (error: Error) => void;
}

class Thread {
  readonly #worker = new Worker(new URL("./subject_worker.ts", import.meta.url), {
    type: "module",
  });
  readonly #name: string;
  readonly #timeoutSeconds: number;
  /** Requests not answered yet; the first is being drawn. */
  readonly #waiting: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failure: SubjectFailure | undefined;
  readonly #ids = new Map<unknown, number>();

  constructor(name: string, timeoutSeconds: number) {
    this.#name = name;
    this.#timeoutSeconds = timeoutSeconds;
    this.#worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#answered(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(`${name} broke its thread: ${event.message}`);
    };
  }

  send(request: Request): void {
    this.#worker.postMessage(request);
  }

  draw(data: unknown, count: number): Promise<Outputs> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      this.#waiting.push({ count, resolve, reject });
      if (this.#waiting.length === 1) this.#startTimer();
      this.send({ kind: "draw", id: this.#idOf(data), count });
    });
  }

  /** Gives the first request its time. */
  #startTimer(): void {
    const { count } = this.#waiting[0]!;
    this.#timer = setTimeout(
      () =>
        this.#fail(
          `${this.#name} hung: it did not draw ${count} outputs in ${this.#timeoutSeconds} s`,
        ),
      this.#timeoutSeconds * 1000,
    );
  }

  /** Sends a dataset the first time that it is drawn on. */
  #idOf(data: unknown): number {
    const known = this.#ids.get(data);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(data, id);
    this.send({ kind: "data", id, data });
    return id;
  }

  close(): Promise<void> {
    if (this.#failure === undefined) this.#fail(`${this.#name} was closed`);
    return Promise.resolve();
  }

  #answered(answer: Answer): void {
    if (answer.kind === "failure") return this.#fail(answer.message);
    if (answer.kind === "broken") {
      return this.#fail(`${this.#name} cannot be drawn from in a thread: ${answer.reason}`);
    }
    clearTimeout(this.#timer);
    this.#waiting.shift()?.resolve(outputsOf(answer));
    if (this.#waiting.length > 0) this.#startTimer();
  }

  /** Ends the thread for good. */
  #fail(message: string): void {
    this.#failure ??= new SubjectFailure(message);
    clearTimeout(this.#timer);
    this.#worker.terminate();
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}

/** Errors lose their class on the way. */
function outputsOf({ outputs, thrown }: Extract<Answer, { kind: "outputs" }>): Outputs {
  if (outputs.kind === "block" || thrown.length === 0) return outputs;
  const values = outputs.values.slice();
  for (const { at, message } of thrown) values[at] = new Thrown(message);
  return { kind: "values", values };
}
