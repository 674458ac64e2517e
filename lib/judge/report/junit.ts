import type { AuditReport } from "../audit/report.ts";
import { quoteFor } from "./quote_for.ts";
import { requireReport } from "./require_report.ts";
import { terminalReport } from "./terminal.ts";
import { claimOf, wordingOf } from "./wording.ts";

const TAGS = {
  refuted: "failure",
  failed: "error",
  inconclusive: "error",
  "not-refuted": "",
} as const;

/**
 * Returns the report as JUnit XML: one suite with one test, failed when refuted, in error when the subject failed or nothing can be
 * concluded. It keeps to the schema of Jenkins (junit-10.xsd of its xunit plugin), where `skipped` is counted by suites and not by
 * all of them together.
 */
export function junitReport(report: AuditReport): string {
  requireReport("junitReport", report);
  const { headline, findings } = wordingOf(report);
  return junitOfTest({
    command: "audit",
    name: `${report.subject} keeps ${claimOf(report)}`,
    seconds: report.seconds,
    tag: TAGS[report.verdict],
    type: report.verdict,
    message: `${headline}. ${findings[0]}`,
    text: terminalReport(report),
  });
}

/** Returns one suite with one test, as JUnit XML: `tag` is how it failed, and "" where it passed. */
export function junitOfTest(
  { command, name, seconds, tag, type, message, text }: {
    /** The command of dpcheck that is the test. */
    readonly command: string;
    readonly name: string;
    readonly seconds: number;
    readonly tag: "failure" | "error" | "";
    readonly type: string;
    readonly message: string;
    readonly text: string;
  },
): string {
  const quoted = (value: string): string => quoteFor("markup", value);
  const time = seconds.toFixed(3);
  const counts = `tests="1" failures="${tag === "failure" ? 1 : 0}" ` +
    `errors="${tag === "error" ? 1 : 0}" time="${time}"`;
  const outcome = tag === ""
    ? `      <system-out>${quoted(text)}</system-out>`
    : `      <${tag} type="${type}" message="${quoted(message)}">${quoted(text)}</${tag}>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="dpcheck" ${counts} skipped="0">`,
    `    <testcase classname="dpcheck.${command}" name="${quoted(name)}" time="${time}">`,
    outcome,
    "    </testcase>",
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}
