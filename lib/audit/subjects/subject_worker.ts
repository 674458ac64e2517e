/**
 * The other end of {@linkcode workerSubject}: a thread that makes a subject and draws from it.
 *
 * @module
 */
import type { Source } from "../../core/source.ts";
import { SeededSource } from "../../random/seeded_source.ts";
import { type Outputs, type Subject, SubjectFailure, Thrown } from "../subject.ts";

/** A function of a module that makes a subject. */
export interface SubjectMaker {
  /** The module's URL. */
  readonly module: string;
  /** The name of what it exports: `(argument, { source }) => subject`, or a promise of one. */
  readonly name: string;
  /** Handed over; whatever can be copied to another thread. */
  readonly argument: unknown;
}

/** What a thread is asked for, one thing after the other. */
export type Request =
  | { readonly kind: "make"; readonly maker: SubjectMaker; readonly seed: string }
  /** From now on `id` means this dataset. */
  | { readonly kind: "data"; readonly id: number; readonly data: unknown }
  | { readonly kind: "draw"; readonly id: number; readonly count: number };

/** What it answers to a draw. */
export type Answer =
  | {
    readonly kind: "outputs";
    readonly outputs: Outputs;
    /** The outputs that were errors, which cannot be copied as what they are. */
    readonly thrown: readonly { readonly at: number; readonly message: string }[];
  }
  /** The subject failed, and says so itself. */
  | { readonly kind: "failure"; readonly message: string }
  /** It could not be made, or its outputs not be sent. */
  | { readonly kind: "broken"; readonly reason: string };

const scope = globalThis as unknown as {
  addEventListener(type: "message", listen: (event: MessageEvent<Request>) => void): void;
  postMessage(answer: Answer, transfer?: Transferable[]): void;
};

let subject: Promise<Subject>;
/** Resolves when the last draw asked for has been answered. */
let last: Promise<void> = Promise.resolve();
// A subject may remember what it did on a dataset: the same one must be the same object.
const datasets = new Map<number, unknown>();

async function make({ module, name, argument }: SubjectMaker, source: Source): Promise<Subject> {
  const exports = await import(module);
  return await exports[name](argument, { source });
}

async function draw(data: unknown, count: number): Promise<void> {
  const outputs = await (await subject).draw(data, count);
  if (outputs.kind === "block") {
    const { values } = outputs;
    // Of a view into a larger buffer all would be taken along.
    const own = values.byteLength === values.buffer.byteLength ? values : values.slice();
    scope.postMessage({ kind: "outputs", outputs: { ...outputs, values: own }, thrown: [] }, [
      own.buffer as ArrayBuffer,
    ]);
    return;
  }
  const thrown: { at: number; message: string }[] = [];
  const values = outputs.values.map((value, at) => {
    if (!(value instanceof Thrown)) return value;
    thrown.push({ at, message: value.message });
    return null;
  });
  scope.postMessage({ kind: "outputs", outputs: { kind: "values", values }, thrown });
}

function refuse(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  scope.postMessage(
    error instanceof SubjectFailure
      ? { kind: "failure", message }
      : { kind: "broken", reason: message.split("\n")[0]! },
  );
}

scope.addEventListener("message", ({ data: request }) => {
  switch (request.kind) {
    case "make":
      subject = make(request.maker, new SeededSource(request.seed));
      // Reported when something is drawn.
      subject.catch(() => {});
      return;
    case "data":
      datasets.set(request.id, request.data);
      return;
    case "draw":
      last = last.then(() => draw(datasets.get(request.id), request.count)).catch(refuse);
  }
});
