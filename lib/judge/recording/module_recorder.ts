import { SeededSource } from "../../core/random/seeded_source.ts";
import { SubjectFailure } from "../audit/kernel/subject.ts";
import { siblingOf } from "../audit/subjects/thread/sibling_of.ts";
import { describedBy } from "../audit/subjects/thread/module_subject.ts";
import { Thread } from "../audit/subjects/thread/thread.ts";
import type { SubjectDescription } from "../audit/subjects/thread/worker_subject.ts";
import type { ModuleRequest } from "./recorded_module.ts";
import type { Recorder } from "./recording.ts";

/**
 * Loads a module, as `moduleSubject` does, into a thread of its own in which it is recorded.
 *
 * @returns the recorder, with the claim and the domain that the module declares.
 * @throws {RangeError} when the file cannot be read or loaded, or has no such export.
 * @throws {TypeError} when the export is neither a mechanism nor a function.
 * @throws {SubjectFailure} when loading takes longer than the time-out.
 */
export async function moduleRecorder(
  specifier: string,
  { timeoutSeconds, signal }: {
    /** Seconds that loading it, or one run, may take. */
    readonly timeoutSeconds: number;
    /** Ends the thread. */
    readonly signal?: AbortSignal;
  },
): Promise<Recorder & { readonly declared: SubjectDescription }> {
  const source = new SeededSource(1);
  const thread = new Thread(specifier, {
    maker: {
      module: siblingOf(import.meta.url, "recorded_module"),
      name: "recordedModule",
      argument: specifier,
    },
    source,
    timeoutSeconds,
  });
  // A thread that is ended answers no more.
  let fail: (reason: SubjectFailure) => void = () => {};
  const ended = new Promise<never>((_, reject) => fail = reject);
  ended.catch(() => {});
  const end = (): void => {
    thread.close();
    fail(new SubjectFailure(`${specifier} was ended while it was recorded`));
  };
  if (signal?.aborted === true) end();
  signal?.addEventListener("abort", end);
  const close = (): Promise<void> => {
    signal?.removeEventListener("abort", end);
    return Promise.resolve(thread.close());
  };
  const ask = async <Answer>(request: ModuleRequest): Promise<Answer> => {
    const drawn = await Promise.race([thread.draw(request, 1), ended]);
    return (drawn as { readonly values: readonly unknown[] }).values[0] as Answer;
  };
  try {
    const declared = await describedBy(await Promise.race([thread.made, ended]), {
      specifier,
      source,
    });
    return {
      name: declared.name,
      onePolicy: await ask<boolean>({ kind: "policies" }),
      record: (request) => ask({ kind: "record", request }),
      replay: (request) => ask({ kind: "replay", request }),
      close,
      declared,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
