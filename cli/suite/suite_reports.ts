import { htmlPage } from "../../lib/report/html_page.ts";
import { jsonText } from "../../lib/report/json_text.ts";
import { quoteFor } from "../../lib/report/quote_for.ts";
import { ExitStatus } from "../exit_status.ts";
import type { EntryResult } from "./run_suite.ts";
import type { Suite } from "./suite_schema.ts";

/** What the verdicts of a suite rest on, in a sentence. */
function errorStatement({ alpha = 0.01, error = "family-wise" }: Suite): string {
  return error === "family-wise"
    ? `Any true claim is refuted with a probability of at most ${alpha} (family-wise, by shares of α).`
    : `Of the claims refuted here, a share of at most ${alpha} is expected to be true (false discovery rate, e-BH).`;
}

const HEADERS = [
  "audit",
  "verdict",
  "expected",
  "lower bound",
  "evidence",
  "runs",
  "draws",
  "seconds",
];

function cells(result: EntryResult): string[] {
  const { report } = result;
  return [
    result.name,
    result.verdict + (result.unchanged ? " (unchanged)" : ""),
    result.expect,
    report === undefined ? "" : short(report.epsilonLowerBound),
    short(result.evidence),
    String(result.runs),
    report === undefined ? "" : String(report.draws),
    report === undefined ? "" : report.seconds.toFixed(1),
  ];
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function notes(results: readonly EntryResult[]): string[] {
  return results.flatMap(({ name, message, status, report }) =>
    status === 0 ? [] : [`${name}: ${message ?? report?.replay ?? "not as expected"}`]
  );
}

/** The table for a terminal. */
export function suiteTable(suite: Suite, results: readonly EntryResult[]): string {
  const rows = [HEADERS, ...results.map(cells)]
    .map((row) => row.map((cell) => quoteFor("terminal", cell)));
  const widths = HEADERS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column]!)).join("  ").trimEnd()
  );
  return [
    ...lines,
    "",
    ...notes(results).map((note) => quoteFor("terminal", note)),
    errorStatement(suite),
    "",
  ].join("\n");
}

/** The suite as Markdown. */
export function suiteMarkdown(suite: Suite, results: readonly EntryResult[]): string {
  const row = (texts: readonly string[]): string =>
    `| ${texts.map((text) => quoteFor("markdown", text)).join(" | ")} |`;
  return [
    row(HEADERS),
    row(HEADERS.map(() => "---")),
    ...results.map((result) => row(cells(result))),
    "",
    errorStatement(suite),
    "",
  ].join("\n");
}

/** The suite as JSON. */
export function suiteJson(suite: Suite, results: readonly EntryResult[]): string {
  const { alpha = 0.01, error = "family-wise" } = suite;
  return jsonText({ schemaVersion: 1, alpha, error, audits: results });
}

/** The suite as JUnit XML, one test an audit. */
export function suiteJunit(_suite: Suite, results: readonly EntryResult[]): string {
  const failures = results.filter(({ status }) => status === 1).length;
  const errors = results.filter(({ status }) => status > 1).length;
  const time = results.reduce((sum, { report }) => sum + (report?.seconds ?? 0), 0).toFixed(3);
  const counts =
    `tests="${results.length}" failures="${failures}" errors="${errors}" time="${time}"`;
  const tests = results.map((result) => {
    const { name, verdict, expect, status, message, report } = result;
    const tag = status === 0 ? "system-out" : status === 1 ? "failure" : "error";
    const text = quoteFor("markup", message ?? report?.replay ?? "unchanged");
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
tbody th { white-space: normal; } td { white-space: nowrap; }
@media (max-width: 40rem) {
  thead { position: absolute; left: -9999px; }
  tr { display: block; padding: 0.6rem 0; border-bottom: 1px solid var(--line); }
  th, td { display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: 0.1rem 0; }
  td::before { content: attr(data-name); }
}
`;

/** The index of the pages of a suite. */
export function suiteIndex(suite: Suite, results: readonly EntryResult[]): string {
  const row = (result: EntryResult, index: number): string => {
    const [name, verdict, ...others] = cells(result).map((text) => quoteFor("markup", text));
    const first = result.report === undefined ? name : `<a href="${index + 1}.html">${name}</a>`;
    const figures = others.map((text, k) => `<td data-name="${HEADERS[k + 2]}">${text}</td>`);
    return `<tr><th scope="row">${first}</th><td data-name="${
      HEADERS[1]
    }"><strong class="${result.verdict}">${verdict}</strong></td>${figures.join("")}</tr>`;
  };
  const unexpected = results.filter(({ status }) => status !== ExitStatus.notRefuted).length;
  return htmlPage({
    title: "dpcheck suite",
    style: INDEX_STYLE,
    body: [
      "<h1>dpcheck suite</h1>",
      `<p class="plain">${results.length - unexpected} of ${
        counted(results.length, "audit")
      } ended as expected.</p>`,
      `<p>${quoteFor("markup", errorStatement(suite))}</p>`,
      "<table><thead><tr>",
      ...HEADERS.map((text) => `<th scope="col">${text}</th>`),
      "</tr></thead><tbody>",
      ...results.map(row),
      "</tbody></table>",
    ].join("\n"),
  });
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
