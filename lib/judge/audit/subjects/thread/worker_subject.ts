import type { Claim } from "../../../../core/claims/claim.ts";
import type { Domain } from "../../../../core/relations/dataset.ts";
import type { Subject } from "../../kernel/subject.ts";
import { inParallel, requireWorkers } from "../../kernel/copies/in_parallel.ts";
import { Thread, type ThreadOptions } from "./thread.ts";

/**
 * Returns a subject itself, or with `workers` above 1 as many copies of it, each in a thread of its own
 * ({@linkcode workerSubject}) and with a source split from `source`.
 *
 * @throws {RangeError} when there are too many, or not a whole number of them.
 */
export function inWorkers(
  own: Subject,
  { workers, source, ...options }: ThreadOptions & { readonly workers: number },
): Subject {
  requireWorkers(workers);
  if (workers === 1) return own;
  const copies = Array.from(
    { length: workers },
    (_, k) => workerSubject(own, { ...options, source: source.split(`worker ${k + 1}`) }),
  );
  return inParallel(copies);
}

/** The name, claim and domain of a subject, and how it is called. */
export interface SubjectDescription {
  readonly name: string;
  readonly calledWith?: Subject["calledWith"];
  readonly claim?: Claim | undefined;
  readonly domain?: Domain | undefined;
}

/**
 * Returns a subject in a thread of its own, where it draws while this one goes on. The worker imports the module
 * of `maker` and calls the function that it exports with `maker.argument` and `{ source, onOutput }`; what
 * that returns, or resolves to, is the subject. The name, claim and domain are those of `like`.
 *
 * A thread that takes longer than the time-out for an output is ended and the subject fails, even if the code never yields.
 * (Where the subject does not call `onOutput`, the time-out is for a whole draw.)
 *
 * @throws {RangeError} when the time-out is not positive.
 */
function workerSubject(like: SubjectDescription, options: ThreadOptions): Subject {
  return threadSubject(like, new Thread(like.name, options));
}

/** Returns the subject that draws in `thread`, with this name, claim and domain. */
export function threadSubject(
  { name, claim, domain, calledWith }: SubjectDescription,
  thread: Thread,
): Subject {
  return {
    name,
    ...(calledWith === undefined ? {} : { calledWith }),
    ...(claim === undefined ? {} : { claim }),
    ...(domain === undefined ? {} : { domain }),
    drawsElsewhere: true,
    draw: (data, count) => thread.draw(data, count),
    drawInOrder: (pair, coins) => thread.drawInOrder(pair, coins),
    close: () => Promise.resolve(thread.close()),
  };
}
