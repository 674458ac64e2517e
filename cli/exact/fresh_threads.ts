import { Worker } from "node:worker_threads";
import { shownDataset } from "../../lib/judge/audit/subjects/shown_dataset.ts";
import { siblingOf } from "../../lib/judge/audit/subjects/thread/sibling_of.ts";
import { NotEnumerable } from "../../lib/judge/exact/enumeration/branching_source.ts";
import type { Question } from "../../lib/judge/exact/enumeration/answer_digest.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { shuffle } from "../../lib/core/random/shuffle.ts";
import type { FreshAnswer, FreshRequest } from "./fresh_worker.ts";

/** A question, and the answer that a thread must give. */
export type Known = Question & { readonly expected: string };

/** Number of threads at most, at a time, and of those that are asked everything. */
const MOST_THREADS = 8, AT_A_TIME = 2, WITH_ALL = 2;
/** Runs of the program on other datasets than its first, in a thread that is asked everything. */
const MOST_RUNS = 20_000;
/** Seconds that a thread may take. */
const TIMEOUT = 120;

/**
 * Asks a module again in threads, each of which loads it and what it imports anew and is asked first about another dataset; two
 * are asked about all, in shuffled orders.
 *
 * @returns how many threads there were.
 * @throws {NotEnumerable} when an answer differs.
 */
export async function requireSameInThreads(
  specifier: string,
  known: readonly Known[],
): Promise<number> {
  const threads = Math.min(known.length, MOST_THREADS);
  const starts = Array.from(
    { length: threads },
    (_, k) => Math.floor(k * (known.length - 1) / Math.max(1, threads - 1)),
  );
  for (let from = 0; from < threads; from += AT_A_TIME) {
    await Promise.all(
      starts.slice(from, from + AT_A_TIME).map((start, k) =>
        requireSame(
          specifier,
          orderFrom(start, { known, all: from + k < WITH_ALL, seed: from + k }),
        )
      ),
    );
  }
  return threads;
}

function orderFrom(
  start: number,
  { known, all, seed }: { known: readonly Known[]; all: boolean; seed: number },
): Known[] {
  const first = known[start]!;
  if (!all) return [first];
  let runs = 0;
  const others = shuffle(
    new SeededSource("threads").split(seed),
    known.filter((each) => each !== first),
  ).filter(({ law }) => (runs += law?.branches ?? 1) <= MOST_RUNS);
  return [first, ...others];
}

async function requireSame(specifier: string, known: readonly Known[]): Promise<void> {
  const questions = known.map(({ expected: _, ...question }) => question);
  const answer = await asked({ specifier, questions });
  if ("reason" in answer) throw new NotEnumerable(`in a thread of its own ${answer.reason}`);
  const place = answer.digests.findIndex((digest, i) => digest !== known[i]!.expected);
  if (place < 0) return;
  const before = place === 0
    ? "where this is its first call"
    : `after ${shownDataset(known[place - 1]!.data)}`;
  throw new NotEnumerable(
    `it answers otherwise on ${
      shownDataset(known[place]!.data)
    } in a thread of its own, ${before}, than here: it keeps state, or ` +
      "reads a clock, a file or randomness of its own",
  );
}

function asked(request: FreshRequest): Promise<FreshAnswer> {
  const worker = new Worker(new URL(siblingOf(import.meta.url, "fresh_worker")));
  const answer = new Promise<FreshAnswer>((resolve) => {
    const timer = setTimeout(
      () => resolve({ reason: `it gives no answer for ${TIMEOUT} s` }),
      TIMEOUT * 1000,
    );
    const end = (answer: FreshAnswer): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    worker.on("message", end);
    worker.on("error", (error: Error) => end({ reason: `it fails: ${error.message}` }));
    worker.on("exit", () => end({ reason: "it ends its thread" }));
    worker.postMessage(request);
  });
  return answer.finally(() => void worker.terminate());
}
