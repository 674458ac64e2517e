import type { Mechanism } from "../../core/mechanism.ts";
import type { Source } from "../../core/source.ts";
import type { Subject } from "../subject.ts";
import { functionSubject } from "./function_subject.ts";
import { requireWorkers } from "./in_parallel.ts";
import { mechanismSubject } from "./mechanism_subject.ts";
import { inWorkers } from "./worker_subject.ts";

/** How to run a module as a subject. */
export interface ModuleSubjectOptions {
  /** Handed to every call. */
  readonly source: Source;
  /** How long a promise, or a draw in a thread of its own, may take before it counts as hung. Default 30. */
  readonly timeoutSeconds?: number;
  /** Copies that draw at the same time. Default 1, in this thread. */
  readonly workers?: number;
}

/**
 * The subject that a module of this runtime exports. `specifier` is `FILE` for the default export or
 * `FILE#EXPORT`; what is exported is a Mechanism (anything with a `sample` method) or a plain
 * `(data, source) => output`. The module runs in this process, with this process's permissions: in this
 * thread, or with `workers` above 1 in as many threads of their own, which draw at the same time. What
 * the module keeps in its variables each of them has for itself.
 *
 * @throws {RangeError} when the file cannot be read or loaded, or has no such export.
 * @throws {TypeError} when the export is neither a mechanism nor a function.
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
  const { file, name } = splitSpecifier(specifier);
  const exports = await load(file);
  if (!Object.hasOwn(exports, name)) {
    const names = Object.keys(exports).join(", ") || "nothing";
    throw new RangeError(
      `Cannot load a subject: ${file} must export ${name}: it exports ${names}`,
    );
  }
  const own = subjectOf(exports[name], { specifier, file, name, source, timeoutSeconds });
  const maker = { module: import.meta.url, name: moduleSubject.name, argument: specifier };
  return inWorkers(own, { maker, workers, source, timeoutSeconds });
}

function subjectOf(
  exported: unknown,
  { specifier, file, name, source, timeoutSeconds }: {
    specifier: string;
    file: string;
    name: string;
    source: Source;
    timeoutSeconds: number | undefined;
  },
): Subject {
  if (isMechanism(exported)) {
    return mechanismSubject({ ...bound(exported), name: exported.name ?? specifier }, { source });
  }
  if (typeof exported === "function") {
    return functionSubject(exported as (data: unknown, source: Source) => unknown, {
      name: specifier,
      source,
      ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    });
  }
  throw new TypeError(
    `Cannot load a subject: ${name} of ${file} must be a mechanism or a function: ` +
      `current value is ${exported === null ? "null" : typeof exported}`,
  );
}

function splitSpecifier(specifier: string): { file: string; name: string } {
  const hash = specifier.lastIndexOf("#");
  if (hash < 0) return { file: specifier, name: "default" };
  return { file: specifier.slice(0, hash), name: specifier.slice(hash + 1) || "default" };
}

async function load(file: string): Promise<Record<string, unknown>> {
  let url: string;
  try {
    url = fileUrl(await Deno.realPath(file));
  } catch {
    throw new RangeError(`Cannot load a subject: there must be a file ${file || '""'}`);
  }
  try {
    return await import(url);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new RangeError(`Cannot load a subject: ${file} must load: ${message.split("\n")[0]}`, {
      cause: error,
    });
  }
}

/** The URL of an absolute path; `#`, `?` and `%` in file names stay part of the name. */
function fileUrl(path: string): string {
  const slashes = Deno.build.os === "windows" ? `/${path.replaceAll("\\", "/")}` : path;
  return `file://${encodeURI(slashes).replaceAll("#", "%23").replaceAll("?", "%3F")}`;
}

function isMechanism(value: unknown): value is Mechanism {
  return typeof value === "object" && value !== null &&
    typeof (value as { sample?: unknown }).sample === "function";
}

/** The mechanism's members with its methods bound: a class keeps them on its prototype. */
function bound(mechanism: Mechanism): Mechanism {
  const { claim, domain, width } = mechanism;
  return {
    name: mechanism.name,
    claim,
    ...(domain === undefined ? {} : { domain }),
    ...(width === undefined ? {} : { width }),
    sample: (data, source) => mechanism.sample(data, source),
    ...(mechanism.sampleMany === undefined
      ? {}
      : { sampleMany: (data, count, source) => mechanism.sampleMany!(data, count, source) }),
  };
}
