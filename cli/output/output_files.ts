import { appendFileSync } from "node:fs";
import process from "node:process";
import type { AuditReport } from "../../lib/judge/audit/report.ts";
import { githubAnnotation } from "../../lib/judge/report/github.ts";
import { htmlReport } from "../../lib/judge/report/html.ts";
import { reportFigures } from "../../lib/judge/report/report_figures.ts";
import { jsonReport } from "../../lib/judge/report/json.ts";
import { junitReport } from "../../lib/judge/report/junit.ts";
import { markdownReport } from "../../lib/judge/report/markdown.ts";
import type { Made } from "../../lib/judge/report/report_page.ts";
import { sarifReport } from "../../lib/judge/report/sarif.ts";
import type { OutputFiles } from "../options/command_options.ts";
import { BadInput } from "../options/bad_input.ts";
import { commitHere } from "../options/commit_here.ts";
import { testOfAudit } from "./test_of_audit.ts";
import { reasonOf } from "../options/reason_of.ts";
import type { CertificateFiles } from "./write_certificate.ts";
import { STANDARD_OUTPUT, writablePath, writeOutput } from "./write_output.ts";

/** Writers of reports by option. They get the file of the subject, if that is known. */
const FORMATS = {
  json: jsonReport,
  junit: junitReport,
  html: htmlWithFigures,
  sarif: (report: AuditReport, file?: string) => sarifReport(report, place(file)),
  markdown: markdownReport,
} as const;

type Format = keyof typeof FORMATS;
/** Options that may be passed on where they were not given. */
type Asked<Files> = { readonly [Name in keyof Files]?: Files[Name] | undefined };

/** Refuses files that cannot be written, before a long run. @throws {BadInput} naming the option. */
export function checkOutputFiles(files: Asked<OutputFiles & CertificateFiles>): void {
  const known = new Map<string, string>();
  const { certificate, smt, ...reports } = files;
  const all: { option: string; file: string }[] = given(reports);
  if (certificate !== undefined) all.push({ option: "--certificate", file: certificate });
  if (smt !== undefined) all.push({ option: "--smt", file: smt });
  for (const { option, file } of all) {
    const path = writablePath(option, file);
    const other = known.get(path);
    if (other !== undefined) throw new BadInput(`${other} and ${option} ${file} must be two files`);
    known.set(path, `${option} ${file}`);
  }
}

/** Tells if a report goes to standard output, where nothing else may be printed then. */
export function usesStandardOutput(files: Asked<OutputFiles>): boolean {
  return given(files).some(({ file }) => file === STANDARD_OUTPUT);
}

/**
 * Writes the report in every form asked for; `subjectFile` is where the subject is written.
 *
 * @throws {BadInput} when a file cannot be written, after all others are.
 */
export async function writeOutputFiles(
  report: AuditReport,
  files: OutputFiles,
  subjectFile?: string,
): Promise<void> {
  const problems: string[] = [];
  for (const { option, file, format } of given(files)) {
    try {
      writeOutput(option, file, await FORMATS[format](report, subjectFile));
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      problems.push(error.message);
    }
  }
  if (files.github) problems.push(...annotate(report, subjectFile));
  if (problems.length > 0) throw new BadInput(problems.join("; "));
}

/** Prints the annotation, and adds the summary to the page of the build if there is one. */
function annotate(report: AuditReport, subjectFile: string | undefined): string[] {
  process.stdout.write(githubAnnotation(report, place(subjectFile)));
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (summary === undefined || summary === "") return [];
  try {
    appendFileSync(summary, markdownReport(report));
    return [];
  } catch (error) {
    return [`GITHUB_STEP_SUMMARY ${summary} cannot be written: ${reasonOf(error)}`];
  }
}

/** The page of a report, with its figures, and a test that runs the audit again. */
async function htmlWithFigures(report: AuditReport): Promise<string> {
  return htmlReport(report, {
    figures: await reportFigures(report),
    regressionTest: testOfAudit(report),
    ...madeHere(),
  });
}

/** The time, and the commit of the code in this folder. */
export function madeHere(): Made {
  const commit = commitHere();
  return { date: new Date(), ...(commit === undefined ? {} : { commit }) };
}

function place(file: string | undefined): { file?: string } {
  return file === undefined ? {} : { file };
}

function given(files: Asked<OutputFiles>): { option: string; file: string; format: Format }[] {
  return (Object.keys(FORMATS) as Format[]).flatMap((format) => {
    const file = files[format];
    return file === undefined ? [] : [{ option: `--${format}`, file, format }];
  });
}
