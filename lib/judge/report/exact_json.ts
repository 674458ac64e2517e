import { claimToJSON } from "../../core/claims/claim.ts";
import type { ExactReport } from "../exact/enumeration/check_exactly.ts";
import { requireFields, requireInteger, requireNonNegative } from "../../core/numeric/require.ts";
import { jsonText } from "./json_text.ts";
import { notSeenByExact } from "./not_seen.ts";
import { requireReport } from "./require_report.ts";

/**
 * Returns the report of an enumeration as JSON text. `epsilon` is rounded up and `epsilonLowerBound` down; a least ε that is infinite
 * is null in both. In datasets and outputs the strings "NaN", "Infinity" and "-Infinity" stand for these numbers.
 *
 * @example
 * ```ts
 * import type { ExactReport } from "../exact/enumeration/check_exactly.ts";
 * const verdictOf = (report: ExactReport) => JSON.parse(exactJson(report, { seconds: 1 })).verdict;
 * ```
 */
export function exactJson(
  report: ExactReport,
  options: { readonly seconds: number; readonly threads?: number },
): string {
  requireReport("exactJson", report, ["claim", "epsilon", "delta"]);
  const { seconds, threads = 0 } = requireFields("exactJson", options, {});
  requireNonNegative("write a report", "seconds", seconds);
  requireInteger("write a report", "threads", threads, { min: 0 });
  const { witness, epsilon, delta } = report;
  return jsonText({
    verdict: report.verdict,
    subject: report.subject,
    claim: claimToJSON(report.claim),
    epsilon: orNull(epsilon.upper),
    epsilonLowerBound: orNull(epsilon.lower),
    delta: delta.upper,
    deltaLowerBound: delta.lower,
    kind: report.kind,
    attained: report.attained,
    everyEpsilon: report.everyEpsilon ?? null,
    remainder: report.remainder,
    pair: witness === undefined ? null : { left: witness.left, right: witness.right },
    output: witness === undefined ? null : shownOutput(witness.output),
    probability: witness === undefined ? null : witness.probability,
    branches: report.branches,
    repeats: report.repeats,
    threads,
    datasets: report.datasets,
    datasetsInAll: report.outOfTime?.datasets ?? report.datasets,
    ...(report.outOfTime === undefined
      ? {}
      : { cut: [{ what: "datasets", done: report.datasets, of: report.outOfTime.datasets }] }),
    pairs: report.pairs,
    notSeen: notSeenByExact(report),
    seconds,
  });
}

/** Returns an output as JSON shows it: an error by its message. */
export function shownOutput(output: unknown): unknown {
  if (output === undefined) return "undefined";
  return output instanceof Error ? { error: output.message } : output;
}

function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
