import { closeSync, lstatSync, openSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import type { AuditReport } from "../lib/audit/report.ts";
import { htmlReport } from "../lib/report/html.ts";
import { jsonReport } from "../lib/report/json.ts";
import { junitReport } from "../lib/report/junit.ts";
import type { OutputFiles } from "./audit_arguments.ts";
import { BadInput } from "./bad_input.ts";

const FORMATS = { json: jsonReport, junit: junitReport, html: htmlReport } as const;

/** Refuses files that cannot be written, before a long run. @throws {BadInput} naming the option. */
export function checkOutputFiles(files: OutputFiles & { readonly certificate?: string }): void {
  const known = new Map<string, string>();
  const { certificate, ...reports } = files;
  const all: { option: string; file: string }[] = given(reports);
  if (certificate !== undefined) all.push({ option: "--certificate", file: certificate });
  for (const { option, file } of all) {
    let path: string;
    try {
      path = writablePath(file);
    } catch (error) {
      throw new BadInput(`${option} ${file} cannot be written: ${reason(error)}`);
    }
    const other = known.get(path);
    if (other !== undefined) throw new BadInput(`${other} and ${option} ${file} must be two files`);
    known.set(path, `${option} ${file}`);
  }
}

/** Where a file is, or would be, after a try to write it. */
function writablePath(file: string): string {
  const created = !exists(file);
  // Opened for appending: an older report stays until there is a new one.
  closeSync(openSync(file, "a"));
  const path = realpathSync(file);
  if (created) rmSync(file);
  return path;
}

/** Writes the report in every form asked for. @throws {BadInput} when a file cannot be written. */
export function writeOutputFiles(report: AuditReport, files: OutputFiles): void {
  for (const { option, file, format } of given(files)) {
    try {
      writeFileSync(file, FORMATS[format](report));
    } catch (error) {
      throw new BadInput(`${option} ${file} cannot be written: ${reason(error)}`);
    }
  }
}

function given(
  files: OutputFiles,
): { option: string; file: string; format: keyof typeof FORMATS }[] {
  return (["json", "junit", "html"] as const).flatMap((format) => {
    const file = files[format];
    return file === undefined ? [] : [{ option: `--${format}`, file, format }];
  });
}

function exists(file: string): boolean {
  try {
    lstatSync(file);
    return true;
  } catch {
    return false;
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message.split("\n")[0]! : String(error);
}
