import type { SubjectDescription } from "../../lib/judge/audit/subjects/thread/worker_subject.ts";
import { moduleRecorder } from "../../lib/judge/recording/module_recorder.ts";
import { programRecorder } from "../../lib/judge/recording/program_recorder.ts";
import type { Recorder } from "../../lib/judge/recording/recording.ts";
import { type Claim, claimUnder } from "../../lib/core/claims/claim.ts";
import { asserted, type Pair } from "../../lib/core/relations/relation.ts";
import type { SearchSpace } from "../../lib/judge/audit/search/mutate_pairs.ts";
import type { AuditArguments } from "./command_options.ts";
import { reading } from "./bad_input.ts";
import { claimOf } from "./claim_of.ts";
import { datasetsOf } from "./datasets_of.ts";
import type { RecordArguments } from "./command_options.ts";

/** The claim and the datasets of a recording. */
export interface RecordedAbout {
  readonly claim: Claim;
  readonly pair: Pair | undefined;
  /** The space in which pairs are searched, if no pair is given. */
  readonly space: SearchSpace | undefined;
}

/** The claim and the pairs that the options name, or else those that a module declares; `undefined` where there is no claim. */
export function recordedAbout(
  options: RecordArguments,
  { claim: own, domain: declared }: Pick<SubjectDescription, "claim" | "domain">,
): RecordedAbout | undefined {
  const relation = options.relation ?? own?.relation ?? asserted;
  const claim = claimOf(options, relation) ?? (own && claimUnder(own, { relation }));
  if (claim === undefined) return undefined;
  const subject = declared === undefined ? {} : { domain: declared };
  const { pair, domain = declared } = datasetsOf(options, { subject, relation });
  return { claim, pair, space: pair === undefined ? { domain: domain!, relation } : undefined };
}

/**
 * Opens what is to be recorded: a program or a module.
 *
 * @param options.first gives the first dataset, from the claim and the domain that a module declares; `undefined` if there is nothing to record.
 * @returns `undefined` if `first` gives `undefined`, or the program neither records nor can be seeded.
 * @throws {BadInput} when it cannot be opened.
 * @throws {SubjectFailure} when it crashed or hung.
 */
export async function openRecorder(
  { exec, module, fd = 1, timeout }: Pick<AuditArguments, "exec" | "module" | "fd" | "timeout">,
  { first, signal }: {
    readonly first: (declared: SubjectDescription) => unknown;
    /** Ends it. */
    readonly signal?: AbortSignal;
  },
): Promise<Recorder | undefined> {
  const ended = signal === undefined ? {} : { signal };
  if (module !== undefined) {
    const recorder = await reading(
      "--module",
      module,
      () =>
        moduleRecorder(module, {
          timeoutSeconds: timeout,
          ...ended,
        }),
    );
    try {
      if (first(recorder.declared) !== undefined) return recorder;
      await recorder.close();
      return undefined;
    } catch (error) {
      await recorder.close();
      throw error;
    }
  }
  const data = first({ name: exec! });
  if (data === undefined) return undefined;
  return await reading("--exec", exec!, () =>
    programRecorder(exec!, {
      timeoutSeconds: timeout,
      ...ended,
      answersOn: fd,
      first: data,
    }));
}
