/**
 * The worker of `requireSameInThreads`: a thread that loads a module, with all that it imports, and answers about it.
 *
 * @module
 */
import { parentPort } from "node:worker_threads";
import type { Dataset } from "../../lib/core/relations/dataset.ts";
import { loadExport } from "../../lib/judge/audit/subjects/thread/load_export.ts";
import { answerDigest, type Question } from "../../lib/judge/exact/enumeration/answer_digest.ts";

/** The message to the thread: a module, and tasks in their order. */
export interface FreshRequest {
  readonly specifier: string;
  readonly questions: readonly Question[];
}

/** A digest for each question, or why there is none. */
export type FreshAnswer = { readonly digests: readonly string[] } | { readonly reason: string };

async function answersTo({ specifier, questions }: FreshRequest): Promise<FreshAnswer> {
  const exported = await loadExport(specifier);
  const program = exported.kind === "function"
    ? exported.run
    : (data: unknown, source: Parameters<typeof exported.mechanism.sample>[1]) =>
      exported.mechanism.sample(data as Dataset, source);
  return { digests: questions.map((each) => answerDigest(program, each)) };
}

parentPort!.on("message", (request: FreshRequest) => {
  answersTo(request)
    .catch((error): FreshAnswer => ({
      reason: error instanceof Error ? error.message : String(error),
    }))
    .then((answer) => parentPort!.postMessage(answer));
});
