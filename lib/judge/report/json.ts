import type { AuditReport } from "../audit/report.ts";
import { claimToJSON } from "../../core/claims/claim.ts";
import { jsonText } from "./json_text.ts";
import { requireReport } from "./require_report.ts";

/**
 * The version of the form of JSON reports. It grows when a field goes or changes its meaning, and stays when one is added.
 * docs/evidence.md has the fields.
 */
export const SCHEMA_VERSION = 1;

/**
 * Returns the report as JSON text, two spaces deep. JSON has no NaN and no infinities, so an infinite e-value or
 * lower bound on ε is written as the largest double (both are lower bounds: rounding down is honest), an
 * infinite detectable ε as null, and inside the two datasets or the event the strings "NaN", "Infinity"
 * and "-Infinity" stand for them.
 *
 * @example
 * ```ts
 * import type { AuditReport } from "../audit/report.ts";
 * const verdictOf = (report: AuditReport) => JSON.parse(jsonReport(report)).verdict;
 * ```
 */
export function jsonReport(report: AuditReport): string {
  requireReport("jsonReport", report);
  const { verdict, detectableEpsilon, details: _, ...rest } = report;
  const finite = {
    verdict,
    schemaVersion: SCHEMA_VERSION,
    ...rest,
    claim: claimToJSON(report.claim),
    epsilonLowerBound: roundedDown(report.epsilonLowerBound),
    eValue: roundedDown(report.eValue),
    detectableEpsilon: Number.isFinite(detectableEpsilon) ? detectableEpsilon : null,
  };
  return jsonText(finite);
}

/** A lower bound that JSON can hold. */
function roundedDown(bound: number): number {
  return Number.isNaN(bound) ? 0 : Math.min(bound, Number.MAX_VALUE);
}
