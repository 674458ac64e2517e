import { readFileSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import process from "node:process";
import { splitCommand } from "../../lib/judge/audit/subjects/process/split_command.ts";
import { numbersInProgram } from "../../lib/core/text/numbers_in_program.ts";
import { importedFiles } from "./imported_files.ts";

/** The options that name a subject with files. */
interface SubjectWords {
  readonly module?: string | undefined;
  readonly exec?: string | undefined;
}

/**
 * The file in which the subject is written, relative to the current folder and below it, if the options tell: that of the module, or
 * the first word of the command that names a file of the folder that audits run in.
 */
export function subjectFile(options: SubjectWords, folder: string = "."): string | undefined {
  return filesNamed(options, folder).map((word) => relative(process.cwd(), word))
    .find((path) => path !== "" && !path.startsWith("..") && !isAbsolute(path));
}

/** Longest text, in characters, in which numbers are looked for. */
const LONGEST = 1 << 20;

/** The numbers in the text of a module with what it imports, or of the files that a command names. */
export function numbersOfSubject(options: SubjectWords): number[] {
  const texts = filesNamed(options, ".").flatMap(importedFiles)
    .map((file) => readFileSync(file, "utf8"))
    .filter((text) => text.length <= LONGEST && !text.includes("\0"));
  return numbersInProgram(texts.join("\n"));
}

function filesNamed({ module, exec }: SubjectWords, folder: string): string[] {
  const words = module !== undefined
    ? [module.replace(/#[^#]*$/, "")]
    : exec === undefined
    ? []
    : splitCommand(exec);
  return words.map((word) => resolve(folder, word)).filter(isFile);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
