import type { AuditReport } from "../audit/report.ts";
import { quoteFor } from "./quote_for.ts";
import { requireReport } from "./require_report.ts";
import { terminalReport } from "./terminal.ts";
import { claimOf, wordingOf } from "./wording.ts";

const TAGS = { refuted: "failure", failed: "error", inconclusive: "error", "not-refuted": "" };

/**
 * The report as JUnit XML: one suite with one test, failed when refuted, in error when the subject failed or nothing can be
 * concluded. It keeps to the schema of Jenkins (junit-10.xsd of its xunit plugin), where `skipped` is counted by suites and not by
 * all of them together.
 */
export function junitReport(report: AuditReport): string {
  requireReport("junitReport", report);
  const { headline, findings } = wordingOf(report);
  const name = `${report.subject} keeps ${claimOf(report)}`;
  const time = report.seconds.toFixed(3);
  const tag = TAGS[report.verdict];
  const counts = `tests="1" failures="${report.verdict === "refuted" ? 1 : 0}" ` +
    `errors="${tag === "error" ? 1 : 0}" time="${time}"`;
  const message = quoteFor("markup", `${headline}. ${findings[0]}`);
  const text = quoteFor("markup", terminalReport(report));
  const outcome = tag === ""
    ? `      <system-out>${text}</system-out>`
    : `      <${tag} type="${report.verdict}" message="${message}">${text}</${tag}>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="dpcheck" ${counts} skipped="0">`,
    `    <testcase classname="dpcheck.audit" name="${quoteFor("markup", name)}" time="${time}">`,
    outcome,
    "    </testcase>",
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}
