import type { Source } from "../../../../core/mechanism/source.ts";
import type { Subject } from "../../kernel/subject.ts";
import { loadExport } from "./load_export.ts";
import { functionSubject } from "../function_subject.ts";
import { mechanismSubject } from "../mechanism_subject.ts";

/** How a module is drawn from. */
interface LoadOptions {
  readonly source: Source;
  readonly timeoutSeconds?: number | undefined;
  readonly onOutput?: (() => void) | undefined;
}

/**
 * Returns the subject that `FILE` or `FILE#EXPORT` names, loaded into this thread and drawing in it.
 *
 * @throws {RangeError} when the file cannot be read or loaded, or has no such export.
 * @throws {TypeError} when the export is neither a mechanism nor a function.
 */
export async function loadModule(specifier: string, options: LoadOptions): Promise<Subject> {
  const exported = await loadExport(specifier);
  if (exported.kind === "mechanism") return mechanismSubject(exported.mechanism, options);
  const { timeoutSeconds, ...others } = options;
  return functionSubject(exported.run, {
    name: specifier,
    ...others,
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
  });
}
