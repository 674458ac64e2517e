import type { AuditReport } from "../audit/report.ts";
import { requireFields } from "../../core/numeric/require.ts";
import { boundOf } from "./bound.ts";
import { jsonText } from "./json_text.ts";
import { claimOf, wordingOf } from "./wording.ts";
import { shortData } from "./short_data.ts";
import { requireReport } from "./require_report.ts";

/** File and line of the subject of a report. */
export interface ReportPlace {
  /** Its file, relative to the root of the repository. Code scanning shows a finding beside a file only. */
  readonly file?: string;
}

/** The rule that results name. */
const RULE = {
  id: "claim-refuted",
  shortDescription: { text: "A differential-privacy claim is refuted" },
  fullDescription: {
    text:
      "An audit bet on which of two neighbouring datasets each output came from, and won more than the claim allows.",
  },
  defaultConfiguration: { level: "error" },
};

/**
 * Returns the report in the Static Analysis Results Interchange Format 2.1.0 (OASIS 2020), which code scanning reads: a result where the
 * claim is refuted, none where it is not, and a failed invocation where there is no verdict.
 *
 * @example
 * ```ts
 * import type { AuditReport } from "../audit/report.ts";
 * const resultsOf = (report: AuditReport) =>
 *   JSON.parse(sarifReport(report, { file: "noisy_mean.py" })).runs[0].results;
 * ```
 */
export function sarifReport(report: AuditReport, place: ReportPlace = {}): string {
  requireReport("sarifReport", report);
  const { file } = requireFields("sarifReport", place, { file: "text?" });
  const { headline, findings } = wordingOf(report);
  const results = report.verdict !== "refuted" ? [] : [{
    ruleId: RULE.id,
    ruleIndex: 0,
    level: RULE.defaultConfiguration.level,
    message: {
      text: [`${headline}.`, ...findings, ...shownPair(report), ...causes(report)].join("\n"),
    },
    ...(file === undefined ? {} : { locations: [locationOf(report, file)] }),
    // The same finding in the next run, whatever its figures.
    partialFingerprints: { "claim/v1": `${report.subject} ${claimOf(report)}` },
    properties: {
      verdict: report.verdict,
      confirmed: report.confirmed,
      bound: boundOf(report),
      replay: report.replay,
    },
  }];
  const failed = report.verdict === "failed" || report.verdict === "inconclusive";
  return jsonText(sarifLog({
    rules: [RULE],
    results,
    version: report.versions.dpcheck,
    ...(failed ? { failure: [`${headline}.`, ...findings].join("\n") } : {}),
  }));
}

/** Returns a log of one run; `failure` says why it has no verdict. */
export function sarifLog(
  { rules, results, version = "0.0.0", failure }: {
    readonly rules: readonly object[];
    readonly results: readonly object[];
    readonly version?: string | undefined;
    readonly failure?: string;
  },
): object {
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{
      tool: { driver: { name: "dpcheck", version, rules } },
      invocations: [{
        executionSuccessful: failure === undefined,
        toolExecutionNotifications: failure === undefined
          ? []
          : [{ level: "error", message: { text: failure } }],
      }],
      results,
    }],
  };
}

/** Returns the causes that watched noise shows. */
function causes({ recording }: AuditReport): string[] {
  return recording?.findings.map(({ sentence }) => `${sentence}.`) ?? [];
}

/** The line that watched noise names, or the first of the subject's file. */
function locationOf({ recording }: AuditReport, file: string): object {
  return sarifLocation(recording?.findings.find(({ place }) => place !== "")?.place ?? "", file);
}

/** Returns a place as in "mean.py:14", in a file beside that of the subject; where it has no line, the first of that file. */
export function sarifLocation(place: string, file: string): object {
  const [, path, line] = /^(.+):([0-9]+)$/.exec(place) ?? [];
  const folder = file.replace(/[^/\\]*$/, "");
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(path === undefined ? file : `${folder}${path}`) },
      region: { startLine: line === undefined ? 1 : Number(line) },
    },
  };
}

function shownPair({ pair, event }: AuditReport): string[] {
  if (pair === null) return [];
  const sides = `left ${shortData(pair.left)}, right ${shortData(pair.right)}`;
  return [`Pair: ${sides}.`, ...(event === null ? [] : [`Event: ${event.description}.`])];
}

/** A relative path as the URI reference that it is. */
function uriOf(file: string): string {
  return file.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/");
}
