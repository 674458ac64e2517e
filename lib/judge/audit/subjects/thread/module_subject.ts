import { asserted } from "../../../../core/relations/relation.ts";
import { relationNamed } from "../../../../core/relations/relation_named.ts";
import type { Source } from "../../../../core/mechanism/source.ts";
import { requireFields, requireKind } from "../../../../core/numeric/require.ts";
import type { Subject } from "../../kernel/subject.ts";
import { inParallel, requireWorkers } from "../../kernel/copies/in_parallel.ts";
import { loadModule } from "./load_module.ts";
import { readClaim } from "../read_claim.ts";
import { siblingOf } from "./sibling_of.ts";
import type { Made } from "./subject_worker.ts";
import { Thread } from "./thread.ts";
import { type SubjectDescription, threadSubject } from "./worker_subject.ts";

/** How to run a module as a subject. */
export interface ModuleSubjectOptions {
  /** Handed to every call. */
  readonly source: Source;
  /** Seconds that loading it, or one output, may take before it counts as hung. Default 30. */
  readonly timeoutSeconds?: number;
  /** Copies that draw at the same time, each in a thread of its own. Default 1. */
  readonly workers?: number;
}

/**
 * Returns the subject that a module of this runtime exports. `specifier` is `FILE` for the default export or
 * `FILE#EXPORT`; what is exported is a Mechanism (anything with a `sample` method) or a plain
 * `(data, source) => output`. The module runs with this process's permissions in a thread of its own, or
 * with `workers` above 1 in as many, which draw at the same time. A call of `Deno.exit` in it ends the thread only. When it
 * loops forever the subject fails, but the thread goes on: Deno can end it only with the process, which the caller must do
 * (`Deno.exit`). Outputs must be values that `structuredClone` copies. Each thread has its own variables of the module. A
 * mechanism whose claim has a relation that is not one of this library, by its name, is loaded into this thread too, for its
 * relation.
 *
 * @throws {RangeError} when the file cannot be read or loaded, has no such export, or the export has an invalid claim.
 * @throws {TypeError} when the export is neither a mechanism nor a function.
 * @throws {SubjectFailure} when loading takes longer than the time-out.
 *
 * @example
 * ```ts
 * import type { Source } from "@dpcheck/dpcheck";
 * const subjectOf = (source: Source) => moduleSubject("./laplace.ts#noisyMean", { source });
 * ```
 */
export async function moduleSubject(
  specifier: string,
  options: ModuleSubjectOptions,
): Promise<Subject> {
  requireKind("moduleSubject", "specifier", specifier, "text");
  const { source, timeoutSeconds, workers = 1 } = requireFields("moduleSubject", options, {
    source: "source",
  });
  requireWorkers(workers);
  const threads = Array.from({ length: workers }, (_, k) =>
    new Thread(specifier, {
      maker: {
        module: siblingOf(import.meta.url, "load_module"),
        name: "loadModule",
        argument: specifier,
      },
      source: source.split(`worker ${k + 1}`),
      timeoutSeconds,
    }));
  try {
    const [made] = await Promise.all(threads.map((thread) => thread.made));
    const description = await describedBy(made!, { specifier, source });
    return inParallel(threads.map((thread) => threadSubject(description, thread)));
  } catch (error) {
    for (const thread of threads) thread.close();
    throw error;
  }
}

/** Returns the name, claim and domain of a module that a thread has loaded. */
export async function describedBy(
  made: Made,
  { specifier, source }: { readonly specifier: string; readonly source: Source },
): Promise<SubjectDescription> {
  return descriptionIn(made) ?? await describe(specifier, { source });
}

/** Returns the description in a message from the thread; `undefined` where it has a relation that is not known by its name. */
function descriptionIn(
  { name, calledWith, domain, claim, relation }: Made,
): SubjectDescription | undefined {
  if (claim === undefined) return { name, calledWith, domain };
  const known = relation === undefined ? asserted : relationNamed(relation);
  return known && { name, domain, claim: readClaim(claim, { relation: known }) };
}

/** Loads the module into this thread for its description. */
async function describe(
  specifier: string,
  options: { readonly source: Source },
): Promise<SubjectDescription> {
  const { name, domain, claim } = await loadModule(specifier, options);
  return { name, domain, claim: claim && readClaim(claim, claim) };
}
