import type { AuditReport } from "../audit/report.ts";
import type { ReportPlace } from "./sarif.ts";
import { wordingOf } from "./wording.ts";

/**
 * The report as a workflow command of GitHub Actions, which shows it beside the changed files: an error where the claim is
 * refuted or there is no verdict, a warning where a refutation is not confirmed, else a notice.
 */
export function githubAnnotation(report: AuditReport, { file }: ReportPlace = {}): string {
  const { verdict, headline, findings } = wordingOf(report);
  const place = file === undefined ? "" : `file=${property(file)},`;
  const title = property(`dpcheck: ${verdict}`);
  const message = escaped([`${headline}.`, ...findings, `Replay: ${report.replay}`].join("\n"));
  return `::${levelOf(report)} ${place}title=${title}::${message}\n`;
}

function levelOf(report: AuditReport): "error" | "warning" | "notice" {
  if (report.verdict !== "not-refuted") return "error";
  return report.unconfirmed === undefined ? "notice" : "warning";
}

function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** The value of a property, which ends at a comma or a colon. */
function property(text: string): string {
  return escaped(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
