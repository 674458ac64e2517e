import type { AuditReport } from "../audit/report.ts";
import { requireFields } from "../../core/numeric/require.ts";
import { boundOf, claimedParameter, inPercent } from "./bound.ts";
import { COPY_SCRIPT, copyable } from "./copy_button.ts";
import { recordedNoiseLines } from "./recorded_noise.ts";
import { NOT_SEEN } from "./not_seen.ts";
import { quoteFor } from "./quote_for.ts";
import { lineMarkup, READS_STYLE, readsDrawing } from "./reads_drawing.ts";
import { pairDiff } from "./pair_diff.ts";
import { pairPicture, ratesPicture } from "./pair_picture.ts";
import { plainSentence } from "./plain_sentence.ts";
import { groupedNumber, longCount, roundedUp, shortNumber } from "./short_number.ts";
import { claimOf, originOf, pairHeading, smallestProbabilityText, wordingOf } from "./wording.ts";
import {
  amountMarkup,
  card,
  factTable,
  folded,
  type Made,
  paragraphs,
  reportMarkup,
  reportPage,
  type ReportParts,
  timesAtLeast,
} from "./report_page.ts";
import { requireReport } from "./require_report.ts";

/** Parts of a page besides the report. */
export interface HtmlOptions {
  /** When the report was made. */
  readonly date?: Date;
  /** The commit of the code that was judged. */
  readonly commit?: string;
  /** Markup of figures, from {@linkcode reportFigures}. */
  readonly figures?: string;
  /** The code of a test that runs this audit again, to copy. */
  readonly regressionTest?: string;
}

/**
 * Returns the report as one self-contained HTML page: nothing fetched, light and dark, from the width of a phone on. Its only script copies
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
  const parts = partsOf(report, figures);
  return reportPage({
    ...parts,
    title: `dpcheck: ${report.subject} ${parts.verdict.toLowerCase()}`,
    folds: [
      ...parts.folds,
      folded("Evidence", evidence(report, options)),
      folded("Replay", copyable({ id: "replay", name: "the command", text: report.replay })),
      regressionTest === undefined ? "" : folded(
        "Regression test",
        copyable({ id: "test", name: "the test", text: regressionTest }),
      ),
    ],
    ...(report.recording === undefined ? {} : { style: READS_STYLE }),
    script: COPY_SCRIPT,
  });
}

/** Returns the report as markup, for a page that has the styles and an editor of its own: without evidence and replay. */
export function reportBody(
  report: AuditReport,
  { figures = "" }: { readonly figures?: string } = {},
): string {
  return reportMarkup(partsOf(report, figures));
}

function partsOf(report: AuditReport, figures: string): ReportParts {
  const { verdict, headline, findings, advice, limits } = wordingOf(report);
  const watched = recordedNoiseLines(report);
  return {
    colour: report.verdict,
    verdict,
    headline,
    plain: plainSentence(report),
    cards: cardsOf(report, advice),
    folds: [
      report.verdict === "failed"
        ? paragraphs(findings)
        : folded("What the run showed", paragraphs(findings) + counterexample(report)),
      watched === undefined ? "" : folded(
        watched.heading,
        [...(report.recording?.findings ?? []).map(readsDrawing), paragraphs(watched.costs)]
          .join("\n"),
      ),
      figures === "" ? "" : folded("In pictures", `<div class="figures">\n${figures}\n</div>`),
      folded(NOT_SEEN, paragraphs(limits)),
    ],
  };
}

/** After a run that saw nothing with draws enough. */
const NOTHING_TO_DO = ["Nothing for datasets like these. Read below what this run did not see."];

/** Writes what a reader who has one minute needs: how much, on which pair, from which line, and what to do. */
function cardsOf(report: AuditReport, advice: readonly string[]): string[] {
  const { pair, event, verdict, recording } = report;
  const [finding] = recording?.findings ?? [];
  return [
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
      lineMarkup(finding),
      { wide: true },
    ),
    card("What to do", paragraphs(advice.length === 0 ? NOTHING_TO_DO : advice), { wide: true }),
  ];
}

/** The bound as a multiple of the claim, and as a picture. */
function howMuch(report: AuditReport): string {
  const { symbol, value } = claimedParameter(report), bound = report.epsilonLowerBound;
  const { verdict } = report;
  const words = verdict === "refuted"
    ? timesAtLeast(bound, value)
    : verdict === "inconclusive"
    ? { large: "not known", says: "This run could not have seen a violation worth the name." }
    : {
      large: "none seen",
      says: `${seenAbove(report)} How much the program really leaks is not known.`,
    };
  return amountMarkup({
    colour: verdict,
    ...words,
    drawn: { claimed: value, shown: bound },
    fine: `Shown: ${boundOf(report)}, with ${
      inPercent(report.confidence)
    } confidence. Claimed: ${symbol} = ${value}.`,
  });
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

/** The rows of the pair as a list, and where the event was counted. */
function counterexample({ pair, event }: AuditReport): string {
  if (pair === null) return "";
  const origin = event === null ? "" : originOf(event);
  return `\n${pairDiff(pair)}${origin === "" ? "" : paragraphs([origin])}`;
}

function evidence(report: AuditReport, made: Made): string {
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
  ];
  return factTable(rows, made);
}
