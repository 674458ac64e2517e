import type { AuditReport } from "../audit/report.ts";
import { NOT_SEEN } from "./not_seen.ts";
import { longCount, shortNumber } from "./short_number.ts";
import { drawsSentence, originOf, pairHeading, wordingOf } from "./wording.ts";
import { ratesOf } from "./event_rates.ts";
import { visibleText } from "../../core/text/visible_text.ts";
import { recordedNoiseLines } from "./recorded_noise.ts";
import { quoteFor } from "./quote_for.ts";
import { shortData } from "./short_data.ts";
import { requireReport } from "./require_report.ts";

/** Returns the report as Markdown, for the summary of a build or a comment on a change. */
export function markdownReport(report: AuditReport): string {
  requireReport("markdownReport", report);
  const { verdict, headline, findings, advice, limits } = wordingOf(report);
  const lines = [
    `### ${verdict}: ${text(headline)}`,
    "",
    ...findings.map((finding) => `- ${text(finding)}`),
  ];
  if (report.pair !== null && report.verdict !== "failed") {
    const { event, pair } = report;
    lines.push(
      "",
      `**${pairHeading(report)}**`,
      "",
      "| | dataset | event |",
      "| --- | --- | --- |",
    );
    for (const side of ["left", "right"] as const) {
      lines.push(
        `| ${side} | ${codeSpan(shortData(pair[side])).replaceAll("|", "\\|")} | ${
          rate(event, side)
        } |`,
      );
    }
    if (event !== null) {
      lines.push("", `Event: ${codeSpan(event.description)}`);
      if (originOf(event) !== "") lines.push("", text(originOf(event)));
    }
  }
  const watched = recordedNoiseLines(report);
  const noise = watched === undefined
    ? []
    : ["", `**${watched.heading}**`, "", ...watched.lines.map((line) => `- ${text(line)}`)];
  const toDo = advice.length === 0 ? [] : ["", ...advice.map(text)];
  lines.push(...(watched?.isCause ? [...noise, ...toDo] : [...toDo, ...noise]));
  if (limits.length > 0) {
    const items = limits.map((sentence) => `- ${text(sentence)}`);
    lines.push("", `<details><summary>${NOT_SEEN}</summary>`, "", ...items);
    lines.push("", "</details>");
  }
  lines.push(
    "",
    `${drawsSentence(report)}. Replay:`,
    "",
    fenced(report.replay),
  );
  return lines.join("\n") + "\n";
}

function rate(event: AuditReport["event"], side: "left" | "right"): string {
  if (event === null) return "";
  const { hits, draws } = event[side];
  const percent = shortNumber(100 * ratesOf(event)[side], 3);
  return `${percent}% (${longCount(hits)} of ${longCount(draws)})`;
}

function text(sentence: string): string {
  return quoteFor("markdown", sentence);
}

/** Returns text in a code span: the fence is longer than any run of backticks inside. In a cell of a table its bars are to be escaped. */
export function codeSpan(shown: string): string {
  const line = visibleText(shown);
  const fence = "`".repeat(1 + longestRun(line));
  return line.startsWith("`") || line.endsWith("`") || line === ""
    ? `${fence} ${line} ${fence}`
    : `${fence}${line}${fence}`;
}

function fenced(command: string): string {
  const block = visibleText(command);
  const fence = "`".repeat(Math.max(3, 1 + longestRun(block)));
  return `${fence}sh\n${block}\n${fence}`;
}

function longestRun(shown: string): number {
  return Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
}
