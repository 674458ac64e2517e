import type { AuditReport } from "../audit/report.ts";
import { requireFields } from "../../core/numeric/require.ts";
import { boundOf, claimedParameter, inPercent, roundedDown } from "./bound.ts";
import { htmlPage } from "./html_page.ts";
import { COPY_SCRIPT, copyable } from "./copy_button.ts";
import { recordedNoiseLines } from "./recorded_noise.ts";
import { quoteFor } from "./quote_for.ts";
import { READS_STYLE, readsDrawing } from "./reads_drawing.ts";
import { pairDiff } from "./pair_diff.ts";
import { boundPicture, pairPicture, ratesPicture } from "./pair_picture.ts";
import { plainSentence } from "./plain_sentence.ts";
import { groupedNumber, longCount, roundedUp, shortNumber } from "./short_number.ts";
import { claimOf, originOf, pairHeading, smallestProbabilityText, wordingOf } from "./wording.ts";
import { requireReport } from "./require_report.ts";

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
  return htmlPage({
    title: `dpcheck: ${report.subject} ${wordingOf(report).verdict.toLowerCase()}`,
    body: [
      reportBody(report, { figures }),
      folded("Evidence", evidence(report, options)),
      folded("Replay", copyable({ id: "replay", name: "the command", text: report.replay })),
      regressionTest === undefined ? "" : folded(
        "Regression test",
        copyable({ id: "test", name: "the test", text: regressionTest }),
      ),
    ].filter((part) => part !== "").join("\n"),
    ...(report.recording === undefined ? {} : { style: READS_STYLE }),
    script: COPY_SCRIPT,
  });
}

/** The report as markup, for a page that has the styles and an editor of its own: without evidence and replay. */
export function reportBody(
  report: AuditReport,
  { figures = "" }: { readonly figures?: string } = {},
): string {
  const { verdict, headline, findings, advice, limits } = wordingOf(report);
  const watched = recordedNoiseLines(report);
  return [
    `<h1><span class="${report.verdict}">${verdict}</span>${quoteFor("markup", headline)}</h1>`,
    `<p class="plain">${quoteFor("markup", plainSentence(report))}</p>`,
    firstScreen(report, advice),
    report.verdict === "failed"
      ? paragraphs(findings)
      : folded("What the run showed", paragraphs(findings) + counterexample(report)),
    watched === undefined ? "" : folded(
      watched.heading,
      [...(report.recording?.findings ?? []).map(readsDrawing), paragraphs(watched.costs)]
        .join("\n"),
    ),
    figures === "" ? "" : folded("In pictures", `<div class="figures">\n${figures}\n</div>`),
    folded("Not seen by this run", paragraphs(limits)),
  ].filter((part) => part !== "").join("\n");
}

/** Writes what a reader who has one minute needs: how much, on which pair, from which line, and what to do. */
function firstScreen(report: AuditReport, advice: readonly string[]): string {
  const { pair, event, verdict, recording } = report;
  const [finding] = recording?.findings ?? [];
  const cards = [
    verdict === "failed" ? "" : card("How much", howMuch(report)),
    verdict === "failed" || pair === null ? "" : card(
      pairHeading(report),
      pairPicture(pair) +
        (event === null
          ? ""
          : `<p>How often <code>${quoteFor("markup", event.description)}</code>:</p>${
            ratesPicture(event)
          }`),
    ),
    finding === undefined ? "" : card(
      verdict === "refuted" ? "The line it may come from" : "A line that is suspected",
      `<p><code>${quoteFor("markup", finding.place)}</code></p><p>${
        quoteFor("markup", finding.sentence)
      }.</p>`,
      "whole",
    ),
    advice.length === 0 ? "" : card("What to do", paragraphs(advice), "whole"),
  ].filter((part) => part !== "");
  return cards.length === 0 ? "" : `<div class="first">\n${cards.join("\n")}\n</div>`;
}

/** The bound as a multiple of the claim, and as a picture. */
function howMuch(report: AuditReport): string {
  const { symbol, value } = claimedParameter(report), bound = report.epsilonLowerBound;
  const times = bound / value;
  const shown = report.verdict === "refuted" && times >= 1.1
    ? `<p class="times ${report.verdict}">${
      shortNumber(roundedDown(times, times < 10 ? 2 : 1))
    } ×</p><p>the claim, at least</p>`
    : report.verdict === "refuted"
    ? `<p class="times ${report.verdict}">more</p><p>than the claim</p>`
    : report.verdict === "inconclusive"
    ? `<p class="times inconclusive">not known</p><p>This run could not have seen a violation worth the name.</p>`
    : `<p class="times not-refuted">none seen</p><p>${
      quoteFor("markup", seenAbove(report))
    } How much the program really leaks is not known.</p>`;
  return `${shown}${boundPicture(value, bound)}<p>${
    quoteFor(
      "markup",
      `Shown: ${boundOf(report)}, with ${
        inPercent(report.confidence)
      } confidence. Claimed: ${symbol} = ${value}.`,
    )
  }</p>`;
}

/** From which violation on the run would have seen one. */
function seenAbove(report: AuditReport): string {
  const { symbol } = claimedParameter(report), { detectableEpsilon } = report;
  return detectableEpsilon === null || !Number.isFinite(detectableEpsilon)
    ? "The run was too short to see one."
    : `A violation above ${symbol} = ${
      roundedUp(detectableEpsilon, 3)
    } on this pair would most likely have been seen.`;
}

function card(title: string, content: string, width = ""): string {
  return `<section class="card ${width}"><h2>${quoteFor("markup", title)}</h2>${content}</section>`;
}

/** A part that is unfolded by who wants it. */
function folded(title: string, content: string): string {
  return content === ""
    ? ""
    : `<details class="fold"><summary><h2>${
      quoteFor("markup", title)
    }</h2></summary>\n${content}</details>`;
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

/** The rows of the pair as a list, and where the event was counted. */
function counterexample({ pair, event }: AuditReport): string {
  if (pair === null) return "";
  const origin = event === null ? "" : originOf(event);
  return `\n${pairDiff(pair)}${origin === "" ? "" : paragraphs([origin])}`;
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
