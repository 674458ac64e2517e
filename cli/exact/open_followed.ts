import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  loadExport,
  type ModuleExport,
  splitSpecifier,
} from "../../lib/judge/audit/subjects/thread/load_export.ts";
import type { TracedProgram } from "../../lib/judge/exact/alignment/trace_program.ts";
import { NotEnumerable } from "../../lib/judge/exact/enumeration/branching_source.ts";
import { followedProgram } from "../../lib/judge/exact/followed_program.ts";
import {
  ChangesLanguage,
  isFollowed,
  loadRewritten,
  noteText,
} from "../../lib/judge/source/mod.ts";

/**
 * The program of a module, rewritten so that what it does is seen, and as it was written. It is loaded rewritten first: what it does to the
 * language is seen before it is relied on.
 *
 * @throws {NotEnumerable} where loading it does what is not followed, or where it loads as it was written alone, as CommonJS does.
 * @throws {TypeError | RangeError} where it cannot be loaded, or has no such export.
 */
export async function openFollowed(
  specifier: string,
): Promise<{ readonly program: TracedProgram; readonly exported: ModuleExport }> {
  const { file, name } = splitSpecifier(specifier);
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  // What is no file has its own words.
  if (!isFile) return { exported: await loadExport(specifier), program: () => undefined };
  // The process that watches this one looks at the clock.
  const loaded = await loadRewritten(file, {
    isTrusted,
    maxSteps: Infinity,
    keepsLanguage: true,
  }).catch(
    async (error) => {
      if (error instanceof ChangesLanguage) throw new NotEnumerable(error.message);
      // What cannot be loaded as it was written either has its own words.
      await loadExport(specifier);
      const message = error instanceof Error ? error.message : String(error);
      throw new NotEnumerable(`its rewritten copy does not load: ${message.split("\n")[0]}`);
    },
  );
  const [unseen] = loaded.notes;
  if (unseen !== undefined) throw new NotEnumerable(noteText(unseen));
  const exported = await loadExport(specifier);
  if (exported.kind === "mechanism") {
    const mechanism = loaded.module[name] as { sample: TracedProgram };
    return {
      exported,
      program: followedProgram((data, source) => mechanism.sample(data, source), {
        isOurs: !isFollowed(mechanism.sample),
      }),
    };
  }
  const run = loaded.module[name] as (...args: unknown[]) => unknown;
  return {
    exported,
    program: followedProgram(
      exported.calledWith === "data" ? (data) => run(data) : (data, source) => run(data, source),
    ),
  };
}

/** The folder of this package, in which modules are ours. */
const HOME = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../../lib" : ".", import.meta.url),
);

/** Whether an import is of this package: its mechanisms are called as they are. */
function isTrusted(where: string): boolean {
  return /^(npm:|jsr:)?@dpcheck\//.test(where) || where.startsWith(HOME);
}
