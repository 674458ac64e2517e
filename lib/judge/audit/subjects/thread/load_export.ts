import { realpath, stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import {
  type CalledWith,
  declaredCall,
  type RandomisedCall,
  requireNoDefault,
} from "../../../../core/mechanism/declared_call.ts";
import type { Mechanism } from "../../../../core/mechanism/mechanism.ts";

/** The export of a module: a mechanism, or a function of a dataset and a source. */
export type ModuleExport =
  | { readonly kind: "mechanism"; readonly mechanism: Mechanism }
  | { readonly kind: "function"; readonly run: RandomisedCall; readonly calledWith: CalledWith };

/**
 * Loads what `FILE` or `FILE#EXPORT` names into this thread; a mechanism without a name is called by the specifier.
 *
 * With a number `anew` the module is evaluated once more for that number, and so has variables of its own; what it imports is not.
 *
 * @throws {RangeError} when the file cannot be read or loaded, or has no such export.
 * @throws {TypeError} when the export is neither a mechanism nor a function, or it is not clear whether it takes a source.
 */
export async function loadExport(
  specifier: string,
  { anew }: { readonly anew?: number } = {},
): Promise<ModuleExport> {
  const { file, name } = splitSpecifier(specifier);
  const exports = await load(file, anew);
  if (!Object.hasOwn(exports, name)) {
    const names = Object.keys(exports).join(", ") || "nothing";
    throw new RangeError(
      `Cannot load a subject: ${file} must export ${name}: it exports ${names}`,
    );
  }
  const exported = exports[name];
  if (isMechanism(exported)) {
    requireNoDefault(exported.sample, exported.name ?? specifier);
    const mechanism = { ...bound(exported), name: exported.name ?? specifier };
    return { kind: "mechanism", mechanism };
  }
  if (typeof exported === "function") {
    return { kind: "function", ...declaredCall(exported as () => unknown) };
  }
  throw new TypeError(
    `Cannot load a subject: ${name} of ${file} must be a mechanism or a function: ` +
      `current value is ${exported === null ? "null" : typeof exported}`,
  );
}

/** Returns the file and the export that `FILE` or `FILE#EXPORT` names. */
export function splitSpecifier(specifier: string): { file: string; name: string } {
  const hash = specifier.lastIndexOf("#");
  if (hash < 0) return { file: specifier, name: "default" };
  return { file: specifier.slice(0, hash), name: specifier.slice(hash + 1) || "default" };
}

async function load(file: string, anew?: number): Promise<Record<string, unknown>> {
  let url: string;
  let isFolder: boolean;
  try {
    const path = await realpath(file);
    url = pathToFileURL(path).href;
    isFolder = (await stat(path)).isDirectory();
  } catch {
    throw new RangeError(`Cannot load a subject: there must be a file ${file || '""'}`);
  }
  if (isFolder) throw new RangeError(`Cannot load a subject: ${file} must be a file, not a folder`);
  try {
    return await import(anew === undefined ? url : `${url}?dpcheck=${anew}`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Node before 22.18, whether the file or what it imports has types.
    const why = /^Unknown file extension ".[mc]?tsx?"/.test(message)
      ? "this Node loads no TypeScript: Node 22.18 and Deno do, or name JavaScript"
      : message.split("\n")[0];
    throw new RangeError(`Cannot load a subject: ${file} must load: ${why}`, { cause: error });
  }
}

function isMechanism(value: unknown): value is Mechanism {
  return typeof value === "object" && value !== null &&
    typeof (value as { sample?: unknown }).sample === "function";
}

/** Returns the mechanism's members with its methods bound: a class keeps them on its prototype. */
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
