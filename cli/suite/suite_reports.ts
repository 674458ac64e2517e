import type { AuditReport } from "../../lib/judge/audit/report.ts";
import { VERSION } from "../../lib/judge/audit/version.ts";
import { htmlPage } from "../../lib/judge/report/html_page.ts";
import { codeSpan } from "../../lib/judge/report/markdown.ts";
import { jsonText } from "../../lib/judge/report/json_text.ts";
import { painter } from "../../lib/judge/report/painter.ts";
import { quoteFor } from "../../lib/judge/report/quote_for.ts";
import { quotedEnd } from "../../lib/judge/audit/subjects/quoted.ts";
import { sarifLog, sarifReport } from "../../lib/judge/report/sarif.ts";
import { shortData } from "../../lib/judge/report/short_data.ts";
import { groupedNumber, longCount } from "../../lib/judge/report/short_number.ts";
import { ExitStatus } from "../output/exit_status.ts";
import type { EntryResult, SuiteResults } from "./run_suite.ts";
import type { Suite } from "../entries/suite_schema.ts";

/** A sentence on the error that the verdicts of a suite have together. */
function errorStatement({ alpha = 0.01, error = "family-wise" }: Suite): string {
  return error === "family-wise"
    ? `Any true claim is refuted with a probability of at most ${alpha} (family-wise, by shares of α).`
    : `Of the claims refuted here, a share of at most ${alpha} is expected to be true (false discovery rate, e-BH).`;
}

/** Colours of terminals by exit status; others are yellow. */
const TONES: Readonly<Record<number, number>> = {
  [ExitStatus.notRefuted]: 32,
  [ExitStatus.refuted]: 31,
};
const HEADERS = ["audit", "verdict", "claimed", "shown", "evidence", "runs", "draws", "seconds"];

function cells(result: EntryResult): string[] {
  const { report, verdict, expect, status } = result;
  const remark = result.unchanged
    ? " (unchanged)"
    : status !== ExitStatus.notRefuted && expect === "refuted"
    ? " (should be refuted)"
    : expect === "refuted"
    ? " (as expected)"
    : "";
  return [
    result.name,
    verdict + remark,
    result.claim,
    result.shown ?? "",
    groupedNumber(result.evidence, 3),
    longCount(result.runs),
    report === undefined ? "" : longCount(report.draws),
    report === undefined ? "" : report.seconds.toFixed(1),
  ];
}

/** The results with their places in the file: what ended worst first, then what shows most. */
function worstFirst(results: readonly EntryResult[]): { result: EntryResult; index: number }[] {
  const rank = (status: number): number => [2, 3, 1, 4, 0].indexOf(status);
  return results.map((result, index) => ({ result, index })).sort((one, other) =>
    rank(one.result.status) - rank(other.result.status) ||
    other.result.evidence - one.result.evidence
  );
}

/** The reason of an audit that did not end as expected: its own, or the event that distinguishes a pair. */
function reasonOf(result: EntryResult): string {
  const { message, report } = result, { pair, event } = report ?? {};
  const reason = message ??
    (pair && event
      ? `${event.description} tells ${shortData(pair.left)} and ${shortData(pair.right)} apart`
      : "not as expected");
  return withPrinted(reason, result);
}

/** A text with the end of what the module printed, if it printed anything. */
function withPrinted(text: string, { printed }: EntryResult): string {
  return printed === undefined ? text : `${text}; it printed ${quotedEnd(printed)}`;
}

/** The command that repeats an audit, if that shows more than its reason. */
function replayOf({ message, report }: EntryResult): string | undefined {
  return message === undefined ? report?.replay : undefined;
}

/** The results that are not as expected. */
function unexpected(results: readonly EntryResult[]): EntryResult[] {
  return results.filter(({ status }) => status !== ExitStatus.notRefuted);
}

/** A sentence on the number of audits that ended as expected. */
function outcome(results: readonly EntryResult[]): string {
  const expected = results.filter(({ status }) => status === ExitStatus.notRefuted).length;
  return `${expected} of ${results.length} audit${
    results.length === 1 ? "" : "s"
  } ended as expected.`;
}

/** The table for a terminal of so many columns: in a narrow one each audit is a block. Verdicts are green, red, or yellow in colour. */
export function suiteTable(
  suite: Suite,
  { results }: SuiteResults,
  { columns = Infinity, color = false }: { readonly columns?: number; readonly color?: boolean } =
    {},
): string {
  const paint = painter(color);
  const sorted = worstFirst(results).map(({ result }) => result);
  const rows = [HEADERS, ...sorted.map(cells)]
    .map((row) => row.map((cell) => quoteFor("terminal", cell)));
  const widths = HEADERS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const width = widths.reduce((sum, cell) => sum + cell, 2 * (widths.length - 1));
  const toneOf = (k: number): number => TONES[sorted[k]?.status ?? ExitStatus.failed] ?? 33;
  const lines = rows.map((row, k) =>
    row.map((cell, column) => {
      const padded = cell.padEnd(widths[column]!);
      return k > 0 && column === 1 ? paint(padded, toneOf(k - 1)) : padded;
    }).join("  ").trimEnd()
  );
  const isNarrow = width > columns;
  const blocks = rows.slice(1).map(([name, verdict, ...figures], k) => {
    const named = figures.map((text, k) => text === "" ? "" : `${HEADERS[k + 2]} ${text}`);
    return `${name}  ${paint(verdict!, toneOf(k))}\n  ${
      named.filter((text) => text !== "").join(", ")
    }`;
  });
  const notes = unexpected(sorted).flatMap((result) => [
    `${result.name}: ${reasonOf(result)}`,
    ...(replayOf(result) === undefined ? [] : [`Replay: ${replayOf(result)}`]),
  ]).map((note) => quoteFor("terminal", note));
  return [...(isNarrow ? blocks : lines), "", ...notes, errorStatement(suite), ""].join("\n");
}

/** The suite as Markdown, for a comment on a change: what ended worst first, with what is new since the last run. */
export function suiteMarkdown(suite: Suite, { results, removed }: SuiteResults): string {
  const row = (texts: readonly string[]): string =>
    `| ${texts.map((text) => quoteFor("markdown", text)).join(" | ")} |`;
  const heads = ["audit", "verdict", "claimed", "shown", "since the last run"];
  const sorted = worstFirst(results).map(({ result }) => result);
  const details = unexpected(sorted).map((result) => {
    const replay = replayOf(result), again = replay === undefined ? "" : `: ${codeSpan(replay)}`;
    return `- ${quoteFor("markdown", `${result.name}: ${reasonOf(result)}`)}${again}`;
  });
  return [
    `### dpcheck: ${outcome(results)}`,
    "",
    `| ${heads.join(" | ")} |`,
    `| ${heads.map(() => "---").join(" | ")} |`,
    ...sorted.map((result) => {
      const [name, verdict, claimed, shown] = cells(result);
      return row([name!, verdict!, claimed!, shown!, result.news]);
    }),
    "",
    ...(details.length === 0 ? [] : [...details, ""]),
    ...(removed.length === 0
      ? []
      : [`No longer audited: ${quoteFor("markdown", removed.join(", "))}.`, ""]),
    `${errorStatement(suite)} What is shown has the confidence of the single audit.`,
    "",
  ].join("\n");
}

/** The suite as JSON. */
export function suiteJson(suite: Suite, { results, removed }: SuiteResults): string {
  const { alpha = 0.01, error = "family-wise" } = suite;
  return jsonText({ schemaVersion: 1, alpha, error, audits: results, removed });
}

/** The suite for code scanning: a result where a claim is refuted that should not be, at the file of its subject. */
export function suiteSarif(_suite: Suite, { results }: SuiteResults): string {
  const found = results.flatMap(({ status, report, file }) => {
    if (status !== ExitStatus.refuted || report === undefined) return [];
    // The claim of a report is JSON. Of its relation only the name is read.
    const claim = { ...report.claim, relation: { name: report.claim.relation } };
    const log = sarifReport(
      { ...report, claim } as unknown as AuditReport,
      file === undefined ? {} : { file },
    );
    return [
      JSON.parse(log).runs[0] as { tool: { driver: { rules: object[] } }; results: object[] },
    ];
  });
  const problems = results.filter(({ status }) => status > ExitStatus.refuted)
    .map((result) => `${result.name}: ${reasonOf(result)}`);
  return jsonText(sarifLog({
    rules: found[0]?.tool.driver.rules ?? [],
    results: found.flatMap((run) => run.results),
    version: VERSION,
    ...(problems.length === 0 ? {} : { failure: problems.join("\n") }),
  }));
}

/** The suite as JUnit XML, one test an audit. */
export function suiteJunit(_suite: Suite, { results }: SuiteResults): string {
  const failures = results.filter(({ status }) => status === 1).length;
  const errors = results.filter(({ status }) => status > 1).length;
  const time = results.reduce((sum, { report }) => sum + (report?.seconds ?? 0), 0).toFixed(3);
  const counts =
    `tests="${results.length}" failures="${failures}" errors="${errors}" time="${time}"`;
  const tests = results.map((result) => {
    const { name, verdict, expect, status, message, report } = result;
    const tag = status === 0 ? "system-out" : status === 1 ? "failure" : "error";
    const text = quoteFor(
      "markup",
      message === undefined ? report?.replay ?? "unchanged" : withPrinted(message, result),
    );
    const attributes = status === 0
      ? ""
      : ` type="${verdict}" message="${quoteFor("markup", `${verdict}, expected ${expect}`)}"`;
    return `    <testcase classname="dpcheck.suite" name="${quoteFor("markup", name)}" time="${
      (report?.seconds ?? 0).toFixed(3)
    }">\n      <${tag}${attributes}>${text}</${tag}>\n    </testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="dpcheck" ${counts} skipped="0">`,
    ...tests,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/** On a phone each audit is a block, and each figure stands beside its name. */
const INDEX_STYLE = `
tbody th { white-space: normal; min-width: 9rem; } td { white-space: nowrap; }
.reason td { white-space: normal; font-size: 0.9rem; } tr:has(+ .reason) > * { border-bottom: 0; }
@media (max-width: 40rem) {
  thead { position: absolute; left: -9999px; }
  tr { display: block; padding: 0.6rem 0; border-bottom: 1px solid var(--line); }
  th, td { display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: 0.1rem 0; }
  td:empty { display: none; } tr:has(+ .reason) { border-bottom: 0; } .reason { padding: 0; } td::before { content: attr(data-name); }
}
`;

/** The index of the pages of a suite. */
export function suiteIndex(suite: Suite, { results }: SuiteResults): string {
  const row = ({ result, index }: { result: EntryResult; index: number }): string => {
    const [name, verdict, ...others] = cells(result).map((text) => quoteFor("markup", text));
    const first = result.report === undefined ? name : `<a href="${index + 1}.html">${name}</a>`;
    const tone = result.status === ExitStatus.notRefuted ? "not-refuted" : result.verdict;
    const reason = result.message === undefined
      ? ""
      : `<tr class="reason"><td colspan="${HEADERS.length}">${
        quoteFor("markup", withPrinted(result.message, result))
      }</td></tr>`;
    const figures = others.map((text, k) => `<td data-name="${HEADERS[k + 2]}">${text}</td>`);
    return `<tr><th scope="row">${first}</th><td data-name="${
      HEADERS[1]
    }"><strong class="${tone}">${verdict}</strong></td>${figures.join("")}</tr>${reason}`;
  };
  return htmlPage({
    title: "dpcheck suite",
    style: INDEX_STYLE,
    body: [
      "<h1>dpcheck suite</h1>",
      `<p class="plain">${outcome(results)}</p>`,
      `<p>${quoteFor("markup", errorStatement(suite))}</p>`,
      "<table><thead><tr>",
      ...HEADERS.map((text) => `<th scope="col">${text}</th>`),
      "</tr></thead><tbody>",
      ...worstFirst(results).map(row),
      "</tbody></table>",
    ].join("\n"),
  });
}
