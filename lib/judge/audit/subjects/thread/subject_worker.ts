/**
 * The worker of {@linkcode workerSubject}: a thread that makes a subject and draws from it.
 *
 * @module
 */
import { parentPort } from "node:worker_threads";
import type { Claim } from "../../../../core/claims/claim.ts";
import type { Domain } from "../../../../core/relations/dataset.ts";
import type { Source } from "../../../../core/mechanism/source.ts";
import { SeededSource } from "../../../../core/random/seeded_source.ts";
import { Coins } from "../../kernel/order/coins.ts";
import { drawInOrder } from "../../kernel/order/draw_in_order.ts";
import type { Outputs, PairOutputs } from "../../kernel/outputs.ts";
import { type Subject, SubjectFailure } from "../../kernel/subject.ts";
import { Heartbeat } from "./heartbeat.ts";
import { buffersOf, pack, type Parcel } from "./parcel.ts";

/** A function of a module that makes a subject. */
export interface SubjectMaker {
  /** The module's URL. */
  readonly module: string;
  /**
   * The name of the exported function: `(argument, { source, onOutput }) => subject`, or a promise of one. The
   * subject should call `onOutput` for each output.
   */
  readonly name: string;
  /** The argument of that function: a value that can be copied to another thread. */
  readonly argument: unknown;
}

/** A message to the thread; they are answered in their order. */
export type Request =
  | {
    readonly kind: "make";
    readonly maker: SubjectMaker;
    readonly seed: string;
    readonly heartbeat: SharedArrayBuffer;
  }
  /** Gives a dataset the number `id`. */
  | { readonly kind: "data"; readonly id: number; readonly data: unknown }
  | { readonly kind: "draw"; readonly id: number; readonly count: number }
  /** Asks for one output a coin, on these two datasets. */
  | {
    readonly kind: "draw in order";
    readonly left: number;
    readonly right: number;
    /** The bytes of the order. Deno sends an array of them to a thread of Node's kind at a fifth of the speed. */
    readonly order: ArrayBuffer;
    readonly leftFirst: boolean;
  };

/** The name, claim and domain of a subject that was made, as far as a message can carry them. */
export interface Made {
  readonly name: string;
  /** How a function is called. */
  readonly calledWith: Subject["calledWith"];
  readonly domain: Domain | undefined;
  /** The claim but for its relation, which is a function. */
  readonly claim: Omit<Claim, "relation"> | undefined;
  /** The name of the claim's relation. */
  readonly relation: string | undefined;
}

/** The answers: one to the request to make a subject, then one to each draw. */
export type Answer =
  | { readonly kind: "made" } & Made
  /** The error for which the subject could not be made. */
  | { readonly kind: "unmade"; readonly name: string; readonly message: string }
  /** Outputs on one dataset, or on the left one and the right one, and how many are missing. */
  | {
    readonly kind: "outputs";
    readonly parcels: readonly Parcel[];
    readonly missing?: Pick<PairOutputs, "lost" | "unasked">;
  }
  /** The message of the subject's own failure. */
  | { readonly kind: "failure"; readonly message: string }
  /** The reason for which outputs could not be drawn or sent. */
  | { readonly kind: "broken"; readonly reason: string };

const asker = parentPort!;

let subject: Promise<Subject>;
let heartbeat: Heartbeat;
/** Resolves when the last draw asked for has been answered. */
let last: Promise<void> = Promise.resolve();
// A subject may remember what it did on a dataset: the same one must be the same object.
const datasets = new Map<number, unknown>();

async function make({ module, name, argument }: SubjectMaker, source: Source): Promise<Subject> {
  const exports = await import(module);
  return await exports[name](argument, { source, onOutput: () => heartbeat.beat() });
}

function sendMade({ name, calledWith, domain, claim }: Subject): void {
  const { relation = undefined, ...rest } = claim ?? {};
  asker.postMessage({
    kind: "made",
    name,
    calledWith,
    domain,
    claim: claim && rest as Omit<Claim, "relation">,
    relation: relation?.name,
  });
}

function sendUnmade(error: unknown): void {
  const [name, message] = error instanceof Error ? [error.name, error.message] : ["", error];
  asker.postMessage({ kind: "unmade", name, message: String(message).split("\n")[0]! });
}

async function draw(request: DrawRequest): Promise<void> {
  const { drawn, missing } = await drawnFor(request, await subject);
  heartbeat.beat();
  const parcels = drawn.map(pack);
  asker.postMessage({ kind: "outputs", parcels, missing }, parcels.flatMap(buffersOf));
}

type DrawRequest = Extract<Request, { kind: "draw" | "draw in order" }>;

/** Outputs, and how many are lost or were not asked for. */
interface Drawn {
  readonly drawn: readonly Outputs[];
  readonly missing?: Pick<PairOutputs, "lost" | "unasked">;
}

async function drawnFor(request: DrawRequest, subject: Subject): Promise<Drawn> {
  if (request.kind === "draw") {
    return { drawn: [await subject.draw(datasets.get(request.id), request.count)] };
  }
  const pair = { left: datasets.get(request.left), right: datasets.get(request.right) };
  const ends = { isOver: () => heartbeat.isStopped, over: never, late: never };
  const coins = Coins.of(new Uint8Array(request.order), { leftFirst: request.leftFirst, ends });
  const { left, right, ...missing } = await drawInOrder(subject, pair, coins);
  return { drawn: [left, right], missing };
}

/** The asking thread keeps the time. */
const never = new Promise<void>(() => {});

function refuse(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  asker.postMessage(
    error instanceof SubjectFailure
      ? { kind: "failure", message }
      : { kind: "broken", reason: message.split("\n")[0]! },
  );
}

asker.on("message", (request: Request) => {
  switch (request.kind) {
    case "make":
      heartbeat = new Heartbeat(request.heartbeat);
      subject = make(request.maker, new SeededSource(request.seed));
      subject.then(sendMade).catch(sendUnmade);
      return;
    case "data":
      datasets.set(request.id, request.data);
      return;
    case "draw":
    case "draw in order":
      last = last.then(() => draw(request)).catch(refuse);
  }
});
