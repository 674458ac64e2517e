import type { AuditReport } from "../audit/report.ts";
import { requireReport } from "./require_report.ts";

/**
 * Returns the figures of a report for {@linkcode htmlReport}, as markup: outputs on the two datasets, the bound beside the claim, evidence
 * over draws, the trade-off found and claimed, power, pairs by rank. Each image has a text alternative. They need an audit with
 * `details: true`; without, and for a subject that failed, there are none and the text is empty.
 *
 * ```ts
 * import { audit, mechanismSubject, pairOf, pure, replaceOne, SeededSource } from "@dpcheck/dpcheck";
 * import { htmlReport, reportFigures } from "@dpcheck/dpcheck/report";
 *
 * const coin = {
 *   name: "a coin that lies too seldom",
 *   claim: pure({ epsilon: 1, relation: replaceOne }),
 *   sample: (data: readonly unknown[], source: { uniform(): number }) =>
 *     source.uniform() < 0.9 ? data[0] : !data[0],
 * };
 * const report = await audit(mechanismSubject(coin, { source: new SeededSource(1) }), {
 *   pair: pairOf(replaceOne, { left: [false], right: [true] }),
 *   maxDraws: 10_000,
 *   seed: 1,
 *   details: true,
 * });
 * const page = htmlReport(report, { figures: await reportFigures(report) });
 * ```
 */
export async function reportFigures(report: AuditReport): Promise<string> {
  requireReport("reportFigures", report);
  if (report.details === undefined) return "";
  // What draws plots is loaded only where a page is written.
  const { allFigures } = await import("./figures/all_figures.ts");
  return allFigures(report);
}
