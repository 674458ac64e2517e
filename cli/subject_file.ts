import { statSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import process from "node:process";
import { splitCommand } from "../lib/audit/subjects/process/split_command.ts";
import type { AuditArguments } from "./audit_arguments.ts";

/**
 * The file in which the subject is written, relative to the current folder and below it, if the options tell: that of the module, or
 * the first word of the command that names a file here.
 */
export function subjectFile({ module, exec }: AuditArguments): string | undefined {
  const words = module !== undefined
    ? [module.replace(/#[^#]*$/, "")]
    : exec === undefined
    ? []
    : splitCommand(exec);
  return words.filter(isFile).map((word) => relative(process.cwd(), word))
    .find((path) => path !== "" && !path.startsWith("..") && !isAbsolute(path));
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
