import { describeClaim } from "../core/claim.ts";
import type { RecordReport } from "../recording/record.ts";
import { jsonText } from "./json_text.ts";
import { quoteFor } from "./quote_for.ts";
import { recordText } from "./record_text.ts";
import { sarifLocation, sarifLog } from "./sarif.ts";
import { shortData } from "./short_data.ts";

/** How a run of `dpcheck record` is written. */
export interface RecordRun {
  /** The program. */
  readonly subject: string;
  readonly seconds: number;
  /** Whether a suspicion counts as a failure. */
  readonly strict: boolean;
  /** Of dpcheck. */
  readonly version: string;
  /** The file of the program, relative to the root of the repository, where it is known. */
  readonly file?: string | undefined;
}

/** Findings in the Static Analysis Results Interchange Format, each at its line. */
export function recordSarif(
  report: RecordReport,
  { subject, file, strict, version }: RecordRun,
): string {
  const kinds = [...new Set(report.findings.map(({ kind }) => kind))];
  return jsonText(sarifLog({
    version,
    rules: kinds.map((kind) => ({
      id: kind,
      shortDescription: { text: `Watched noise: ${kind.replaceAll("-", " ")}` },
    })),
    results: report.findings.map(({ kind, place, sentence, pair }) => ({
      ruleId: kind,
      ruleIndex: kinds.indexOf(kind),
      level: kind === "declaration-broken" || strict ? "error" : "warning",
      message: {
        text: `${sentence}.\nPair: left ${shortData(pair.left)}, right ${shortData(pair.right)}.`,
      },
      ...(file === undefined ? {} : { locations: [sarifLocation(place, file)] }),
      partialFingerprints: { "finding/v1": `${subject} ${kind} ${place}` },
    })),
  }));
}

/** One test as JUnit XML: failed where a declaration is broken, or with `strict` where something is suspected. */
export function recordJunit(report: RecordReport, run: RecordRun): string {
  const isFailed = report.verdict === "broken" || (run.strict && report.verdict === "suspected");
  const time = run.seconds.toFixed(3);
  const counts = `tests="1" failures="${isFailed ? 1 : 0}" errors="0" time="${time}"`;
  const name = `the noise of ${run.subject} covers ${describeClaim(report.claim)}`;
  const text = quoteFor("markup", recordText(report, run));
  const message = quoteFor("markup", report.findings[0]?.sentence ?? "");
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="dpcheck" ${counts} skipped="0">`,
    `    <testcase classname="dpcheck.record" name="${quoteFor("markup", name)}" time="${time}">`,
    isFailed
      ? `      <failure type="${
        report.verdict.replace(" ", "-")
      }" message="${message}">${text}</failure>`
      : `      <system-out>${text}</system-out>`,
    "    </testcase>",
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/** Findings as Markdown, for the summary of a build. */
export function recordMarkdown(report: RecordReport, { subject }: RecordRun): string {
  const text = (sentence: string): string => quoteFor("markdown", sentence);
  return [
    `### ${report.verdict}: ${text(`${subject}, claimed: ${describeClaim(report.claim)}`)}`,
    "",
    ...report.findings.map(({ sentence, pair }) =>
      `- ${text(sentence)} (left ${text(shortData(pair.left))}, right ${
        text(shortData(pair.right))
      })`
    ),
    ...(report.findings.length === 0 ? [] : [""]),
    `${report.runs} runs on ${report.pairs} pairs, seed ${report.seed}.`,
    "",
  ].join("\n");
}
