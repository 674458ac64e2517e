import type { AuditReport } from "../audit/report.ts";
import type { ReportPlace } from "./sarif.ts";
import { quoteFor } from "./quote_for.ts";
import { wordingOf } from "./wording.ts";

/**
 * The report as a workflow command of GitHub Actions, which shows it beside the changed files: an error where the claim is
 * refuted or there is no verdict, a warning where a refutation is not confirmed, else a notice.
 */
export function githubAnnotation(report: AuditReport, { file }: ReportPlace = {}): string {
  const { verdict, headline, findings } = wordingOf(report);
  const place = file === undefined ? "" : `file=${quoteFor("property", file)},`;
  const title = quoteFor("property", `dpcheck: ${verdict}`);
  const message = [`${headline}.`, ...findings, `Replay: ${report.replay}`]
    .map((line) => quoteFor("annotation", line)).join("%0A");
  return `::${levelOf(report)} ${place}title=${title}::${message}\n`;
}

function levelOf(report: AuditReport): "error" | "warning" | "notice" {
  if (report.verdict !== "not-refuted") return "error";
  return report.unconfirmed === undefined ? "notice" : "warning";
}
