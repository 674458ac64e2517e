import { describeClaim } from "../../core/claims/claim.ts";
import type { RecordReport } from "../recording/record.ts";
import { jsonText } from "./json_text.ts";
import { junitOfTest } from "./junit.ts";
import { quoteFor } from "./quote_for.ts";
import { caveats, costLines, cutLines, pairCount } from "./recorded_noise.ts";
import { recordText } from "./record_text.ts";
import { sarifLocation, sarifLog } from "./sarif.ts";
import { shortData } from "./short_data.ts";
import { longCount } from "./short_number.ts";

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
    results: report.findings.map((finding) => {
      const { kind, place, sentence, pair } = finding;
      return {
        ruleId: kind,
        ruleIndex: kinds.indexOf(kind),
        level: kind === "declaration-broken" || strict ? "error" : "warning",
        message: {
          text: [
            `${sentence}.`,
            `Pair: left ${shortData(pair.left)}, right ${shortData(pair.right)}.`,
            ...caveats([finding]),
          ].join("\n"),
        },
        ...(file === undefined ? {} : { locations: [sarifLocation(place, file)] }),
        partialFingerprints: { "finding/v1": `${subject} ${kind} ${place}` },
      };
    }),
  }));
}

/** Returns true if the exit status is 1: a declaration is broken, or with `strict` something is suspected. */
export function isFailure(
  { verdict }: RecordReport,
  { strict }: Pick<RecordRun, "strict">,
): boolean {
  return verdict === "broken" || (strict && verdict === "suspected");
}

/** Returns one test as JUnit XML, failed by {@linkcode isFailure}, and in error where noise was not followed. */
export function recordJunit(report: RecordReport, run: RecordRun): string {
  return junitOfTest({
    command: "record",
    name: `the noise of ${run.subject} covers ${describeClaim(report.claim)}`,
    seconds: run.seconds,
    tag: isFailure(report, run) ? "failure" : report.verdict === "not followed" ? "error" : "",
    type: report.verdict,
    message: report.findings[0]?.sentence ?? costLines(report, report.claim).at(-1) ?? "",
    text: recordText(report, run),
  });
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
    ...[...costLines(report, report.claim), ...cutLines(report)].flatMap((
      line,
    ) => [text(`${line}.`), ""]),
    ...caveats(report.findings).flatMap((caveat) => [caveat, ""]),
    `${longCount(report.runs)} runs on ${pairCount(report.pairs)}, seed ${report.seed}.`,
    "",
  ].join("\n");
}
