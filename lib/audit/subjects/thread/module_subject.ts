import { asserted } from "../../../core/relation.ts";
import { relationNamed } from "../../../core/relation_named.ts";
import type { Source } from "../../../core/source.ts";
import type { Subject } from "../subject.ts";
import { inParallel, requireWorkers } from "../copies/in_parallel.ts";
import { loadModule } from "./load_module.ts";
import { readClaim } from "../read_claim.ts";
import type { Made } from "./subject_worker.ts";
import { Thread } from "./thread.ts";
import { type Said, threadSubject } from "./worker_subject.ts";

/** How to run a module as a subject. */
export interface ModuleSubjectOptions {
  /** Handed to every call. */
  readonly source: Source;
  /** How long loading it, or one output, may take before it counts as hung. Default 30. */
  readonly timeoutSeconds?: number;
  /** Copies that draw at the same time, each in a thread of its own. Default 1. */
  readonly workers?: number;
}

/**
 * The subject that a module of this runtime exports. `specifier` is `FILE` for the default export or
 * `FILE#EXPORT`; what is exported is a Mechanism (anything with a `sample` method) or a plain
 * `(data, source) => output`. The module runs with this process's permissions in a thread of its own, or
 * with `workers` above 1 in as many, which draw at the same time. When it calls `Deno.exit` that ends the
 * thread only. When it loops for ever the subject fails, but the thread goes on: Deno cannot end it before the
 * process ends, which is then up to the caller (`Deno.exit`). Outputs must be what `structuredClone` copies. What the
 * module keeps in its variables each thread has for itself. A mechanism whose claim has a relation that is none
 * of those of this library, by its name, is loaded into this thread too, to know the relation.
 *
 * @throws {RangeError} when the file cannot be read or loaded, has no such export, or the export's claim is none.
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
  { source, timeoutSeconds, workers = 1 }: ModuleSubjectOptions,
): Promise<Subject> {
  requireWorkers(workers);
  const threads = Array.from({ length: workers }, (_, k) =>
    new Thread(specifier, {
      maker: {
        module: import.meta.resolve("./load_module.ts"),
        name: loadModule.name,
        argument: specifier,
      },
      source: source.split(`worker ${k + 1}`),
      timeoutSeconds,
    }));
  try {
    const [made] = await Promise.all(threads.map((thread) => thread.made));
    const said = saidIn(made!) ?? await saidHere(specifier, { source });
    return inParallel(threads.map((thread) => threadSubject(said, thread)));
  } catch (error) {
    for (const thread of threads) thread.close();
    throw error;
  }
}

/** What a message from the thread tells of the subject, or `undefined` where that is not enough. */
function saidIn({ name, domain, claim, relation }: Made): Said | undefined {
  if (claim === undefined) return { name, domain };
  const known = relation === undefined ? asserted : relationNamed(relation);
  return known && { name, domain, claim: readClaim(claim, { relation: known }) };
}

/** What the module says when it is loaded into this thread. */
async function saidHere(specifier: string, options: { readonly source: Source }): Promise<Said> {
  const { name, domain, claim } = await loadModule(specifier, options);
  return { name, domain, claim: claim && readClaim(claim, claim) };
}
