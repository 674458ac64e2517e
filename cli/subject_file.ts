import { readFileSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import process from "node:process";
import { splitCommand } from "../lib/audit/subjects/process/split_command.ts";
import { numbersInProgram } from "../lib/core/numbers_in_program.ts";
import type { AuditArguments } from "./audit.ts";
import { importedFiles } from "./suite/imported_files.ts";

/**
 * The file in which the subject is written, relative to the current folder and below it, if the options tell: that of the module, or
 * the first word of the command that names a file here.
 */
export function subjectFile(
  options: Pick<AuditArguments, "module" | "exec">,
): string | undefined {
  return filesNamed(options).map((word) => relative(process.cwd(), word))
    .find((path) => path !== "" && !path.startsWith("..") && !isAbsolute(path));
}

/** The most characters of a text in which numbers are looked for. */
const LONGEST = 1 << 20;

/** The numbers in the text of a module with what it imports, or of the files that a command names. */
export function numbersOfSubject(options: Pick<AuditArguments, "module" | "exec">): number[] {
  const texts = filesNamed(options).flatMap((file) => importedFiles(resolve(file)))
    .map((file) => readFileSync(file, "utf8"))
    .filter((text) => text.length <= LONGEST && !text.includes("\0"));
  return numbersInProgram(texts.join("\n"));
}

function filesNamed({ module, exec }: Pick<AuditArguments, "module" | "exec">): string[] {
  const words = module !== undefined
    ? [module.replace(/#[^#]*$/, "")]
    : exec === undefined
    ? []
    : splitCommand(exec);
  return words.filter(isFile);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
