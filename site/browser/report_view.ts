import { reportFigures } from "../../lib/judge/report/report_figures.ts";
import { reportBody } from "../../lib/judge/report/html.ts";
import type { AuditReport } from "../../lib/judge/audit/report.ts";
import { claimOf } from "./claim_of.ts";
import { safeMarkup } from "./safe_markup.ts";
import { withoutOptions } from "./without_options.ts";
import type { Claimed, SentReport } from "./worker_messages.ts";

/** The report of an audit as nodes, with its figures: those of `dpcheck audit --html`. */
export async function reportView(sent: SentReport, claimed: Claimed): Promise<DocumentFragment> {
  const claim = claimOf(claimed), report = { ...sent, claim } as unknown as AuditReport;
  const markup = reportBody(report, { figures: await reportFigures(report) });
  // On this page the verdict is a part, and not the title.
  const below = withoutOptions(markup).replaceAll(
    /<(\/?)h(\d)/g,
    (_, slash, depth) => `<${slash}h${Number(depth) + 1}`,
  );
  return safeMarkup(below);
}
