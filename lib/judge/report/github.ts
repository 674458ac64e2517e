import type { AuditReport } from "../audit/report.ts";
import type { ReportPlace } from "./sarif.ts";
import { requireFields } from "../../core/numeric/require.ts";
import { quoteFor } from "./quote_for.ts";
import { wordingOf } from "./wording.ts";
import { requireReport } from "./require_report.ts";

/**
 * Returns the report as a workflow command of GitHub Actions, which shows it beside the changed files: an error where the claim is
 * refuted or there is no verdict, else a notice.
 */
export function githubAnnotation(report: AuditReport, place: ReportPlace = {}): string {
  requireReport("githubAnnotation", report);
  const { file } = requireFields("githubAnnotation", place, { file: "text?" });
  const { verdict, headline, findings } = wordingOf(report);
  const at = file === undefined ? "" : `file=${quoteFor("property", file)},`;
  const title = quoteFor("property", `dpcheck: ${verdict}`);
  const message = [`${headline}.`, ...findings, `Replay: ${report.replay}`]
    .map((line) => quoteFor("annotation", line)).join("%0A");
  return `::${
    report.verdict === "not-refuted" ? "notice" : "error"
  } ${at}title=${title}::${message}\n`;
}
