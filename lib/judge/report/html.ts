import type { EventReport } from "../audit/counterexample/event_report.ts";
import type { AuditReport } from "../audit/report.ts";
import { requireFields } from "../../core/numeric/require.ts";
import { boundOf } from "./bound.ts";
import { htmlPage } from "./html_page.ts";
import { COPY_SCRIPT, copyable } from "./copy_button.ts";
import { recordedNoiseLines } from "./recorded_noise.ts";
import { quoteFor } from "./quote_for.ts";
import { READS_STYLE, readsDrawing } from "./reads_drawing.ts";
import { pairDiff } from "./pair_diff.ts";
import { plainSentence } from "./plain_sentence.ts";
import { groupedNumber, longCount, shortNumber } from "./short_number.ts";
import { claimOf, originOf, pairHeading, smallestProbabilityText, wordingOf } from "./wording.ts";
import { ratesOf } from "./event_rates.ts";
import { requireReport } from "./require_report.ts";

const BAR_WIDTH = 320;

/** What a page has besides the report. */
export interface HtmlOptions {
  /** Markup of figures, from {@linkcode reportFigures}. */
  readonly figures?: string;
  /** The code of a test that runs this audit again, to copy. */
  readonly regressionTest?: string;
  /** When the audit was made. */
  readonly date?: Date;
  /** The commit of the code that was audited. */
  readonly commit?: string;
}

/**
 * The report as one self-contained HTML page: nothing fetched, light and dark, from the width of a phone on. Its only script copies
 * texts. Figures come from {@linkcode reportFigures}.
 */
export function htmlReport(report: AuditReport, options: HtmlOptions = {}): string {
  requireReport("htmlReport", report);
  const { figures = "", regressionTest } = requireFields("htmlReport", options, {
    figures: "text?",
    regressionTest: "text?",
    date: "date?",
    commit: "text?",
  });
  const { verdict, headline, findings, advice, limits } = wordingOf(report);
  const watched = recordedNoiseLines(report);
  const noise = watched === undefined ? "" : section(
    watched.heading,
    [...(report.recording?.findings ?? []).map(readsDrawing), paragraphs(watched.costs)]
      .join("\n"),
  );
  const toDo = section("What to do", paragraphs(advice));
  return htmlPage({
    title: `dpcheck: ${report.subject} ${verdict.toLowerCase()}`,
    body: [
      `<h1><span class="${report.verdict}">${verdict}</span>${quoteFor("markup", headline)}</h1>`,
      `<p class="plain">${quoteFor("markup", plainSentence(report))}</p>`,
      paragraphs(findings),
      report.verdict === "failed" ? "" : counterexample(report),
      ...(watched?.isCause ? [noise, toDo] : [toDo, noise]),
      figures === "" ? "" : section("In pictures", `<div class="figures">\n${figures}\n</div>`),
      section("Not seen by this run", paragraphs(limits)),
      section("Evidence", evidence(report, options)),
      section("Replay", copyable({ id: "replay", name: "the command", text: report.replay })),
      regressionTest === undefined ? "" : section(
        "Regression test",
        copyable({ id: "test", name: "the test", text: regressionTest }),
      ),
    ].filter((part) => part !== "").join("\n"),
    ...(watched === undefined ? {} : { style: READS_STYLE }),
    script: COPY_SCRIPT,
  });
}

function section(title: string, content: string): string {
  return content === "" ? "" : `<h2>${title}</h2>\n${content}`;
}

function paragraphs(sentences: readonly string[]): string {
  return sentences.map((sentence) => `<p>${quoteFor("markup", sentence)}</p>`).join("\n");
}

/** A table of rows: a heading and the markup of a cell each. */
function table(rows: readonly (readonly [string, string])[]): string {
  const body = rows.map(([head, cell]) =>
    `<tr><th scope="row">${quoteFor("markup", head)}</th><td>${cell}</td></tr>`
  );
  return `<table>\n${body.join("\n")}\n</table>`;
}

function counterexample(report: AuditReport): string {
  const { pair, event } = report;
  if (pair === null) return "";
  const rows: [string, string][] = [];
  if (event !== null) {
    rows.push(
      ["event", `<code>${quoteFor("markup", event.description)}</code>`],
      ["rate on left", rate(event, "left")],
      ["rate on right", rate(event, "right")],
    );
    if (originOf(event) !== "") rows.push(["counted", quoteFor("markup", originOf(event))]);
  }
  const counts = rows.length === 0 ? "" : `\n${table(rows)}`;
  return section(pairHeading(report), `${pairDiff(pair)}${counts}`);
}

/** How often one side satisfied the event: a bar to scale, and the figures. */
function rate(event: EventReport, side: "left" | "right"): string {
  const rates = ratesOf(event);
  const widest = Math.max(rates.left, rates.right) || 1;
  const width = (BAR_WIDTH * rates[side] / widest).toFixed(1);
  const { hits, draws } = event[side];
  const figures = `${shortNumber(100 * rates[side], 4)}% (${longCount(hits)} of ${
    longCount(draws)
  })`;
  // On a narrow screen both bars shrink in proportion.
  const box = `viewBox="0 0 ${BAR_WIDTH} 14" preserveAspectRatio="none"`;
  return `<svg width="${BAR_WIDTH}" height="14" ${box} role="img" aria-label="${figures}">` +
    `<rect width="${width}" height="14" style="fill: var(--${side})"/></svg><br>${figures}`;
}

function evidence(report: AuditReport, { date, commit }: HtmlOptions): string {
  const { claim, confidence, alpha, eValue, draws, seconds, seed } = report;
  const versions = Object.entries(report.versions).map(([name, version]) => `${name} ${version}`);
  const rows: [string, string][] = [
    ["claim", claimOf(report)],
    ["relation", claim.relation.description],
    ["lower bound", `${boundOf(report)} (confidence ${confidence})`],
    [
      "e-value",
      `${groupedNumber(eValue)} (refuted from ${groupedNumber(1 / alpha)}, α = ${alpha})`,
    ],
    ["draws for the verdict", `${longCount(draws)} in ${shortNumber(seconds, 3)} s`],
    ["pairs tried", longCount(report.pairsTried)],
    [
      "smallest event probability",
      `${smallestProbabilityText(report)} (refuted with 90% power)`,
    ],
    ["bits of doubles", report.bits ? "looked at" : "not looked at"],
    ...(report.declaredIndependent
      ? [["outputs", "declared independent"] as [string, string]]
      : []),
    ...(report.askedAhead ? [["requests", "sent ahead of answers"] as [string, string]] : []),
    ...(report.calledWith === undefined
      ? []
      : [["called with", report.calledWith] as [string, string]]),
    ["seed", String(seed)],
    ["versions", versions.join(", ")],
    ...(commit === undefined ? [] : [["commit", commit] as [string, string]]),
    ...(date === undefined ? [] : [["date", date.toISOString()] as [string, string]]),
  ];
  return table(rows.map(([head, text]) => [head, quoteFor("markup", text)]));
}
