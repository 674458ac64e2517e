import { requireClaim } from "../../core/claims/claim_brand.ts";
import { requireKind } from "../../core/numeric/require.ts";
import type { SessionReport } from "../dialogue/session_report.ts";
import { claimedParameter, inPercent, roundedDown } from "./bound.ts";
import { COPY_SCRIPT, copyable } from "./copy_button.ts";
import { NOT_SEEN, notSeenBySessions } from "./not_seen.ts";
import { barsPicture, pairPicture } from "./pair_picture.ts";
import { neighbourWords } from "./plain_sentence.ts";
import { quoteFor } from "./quote_for.ts";
import {
  type Amount,
  amountMarkup,
  card,
  factTable,
  folded,
  type Made,
  paragraphs,
  reportPage,
  timesAtLeast,
} from "./report_page.ts";
import { COVERED, sessionHeadline } from "./session_text.ts";
import { groupedNumber, longCount, shortNumber } from "./short_number.ts";

/**
 * Returns the report of an audit of sessions as one self-contained HTML page: the verdict, times the claim, the pair, the questions to ask
 * and what to do on the first screen; the rest folds.
 */
export function sessionHtml(report: SessionReport, made: Made = {}): string {
  requireKind("sessionHtml", "report", report, "record");
  requireClaim("write a report", report.claim);
  const { verdict, subject, pair, event, script, advice } = report;
  const isBetOn = verdict !== "failed" && pair !== null;
  return reportPage({
    title: `dpcheck: ${subject} ${verdict}`,
    colour: verdict,
    verdict: verdict.replace("-", " ").toUpperCase(),
    headline: sessionHeadline(report),
    plain: plainSentence(report),
    cards: [
      verdict === "failed" ? "" : card("How much", amountMarkup(amountOf(report))),
      !isBetOn ? "" : card(
        verdict === "refuted" ? "The pair" : "The pair that came closest",
        pairPicture(pair) + (event === null ? "" : eventMarkup(event)),
      ),
      !isBetOn || script.length === 0 ? "" : card(
        verdict === "refuted" ? "What to ask" : "What was asked",
        `<ol>${
          script.map((line) => `<li>${quoteFor("markup", stepOf(line))}</li>`).join("\n")
        }</ol>`,
        { wide: true },
      ),
      card("What to do", paragraphs(adviceOf(verdict, advice)), { wide: true }),
    ],
    folds: [
      folded(NOT_SEEN, paragraphs(notSeenBySessions(report))),
      folded("Evidence", evidence(report, made)),
      folded("Replay", copyable({ id: "replay", name: "the command", text: report.replay })),
    ],
    script: COPY_SCRIPT,
  });
}

/** A line of a script without its own number: the list has one. */
function stepOf(line: string): string {
  return line.trimStart().replace(/^\d+\. /, "");
}

function plainSentence({ verdict, subject, claim, lifetime }: SessionReport): string {
  const { told } = neighbourWords(claim.relation);
  const asker = `Whoever asks ${subject} the questions below, in ${COVERED[lifetime]},`;
  switch (verdict) {
    case "refuted":
      return `${asker} learns more ${told}.`;
    case "not-refuted":
      return `${asker} was not seen to learn more ${told}; that is no proof.`;
    case "inconclusive":
      return `This run cannot say whether ${subject} keeps its promise.`;
    case "failed":
      return `${subject} could not be tested.`;
  }
}

function amountOf(report: SessionReport): Amount {
  const { verdict, epsilonLowerBound: bound, confidence } = report;
  const { symbol, value } = claimedParameter(report);
  const words = verdict === "refuted"
    ? timesAtLeast(bound, value)
    : verdict === "inconclusive"
    ? { large: "not known", says: "This run tried too little." }
    : { large: "none seen", says: "How much the service really leaks is not known." };
  return {
    colour: verdict,
    ...words,
    drawn: { claimed: value, shown: bound },
    fine: `Shown: ${symbol} ≥ ${shortNumber(roundedDown(bound, 4))}, with ${
      inPercent(confidence)
    } confidence. Claimed: ${symbol} = ${value}.`,
  };
}

function eventMarkup(event: NonNullable<SessionReport["event"]>): string {
  const { text, of } = event, rates = { left: event.left / of, right: event.right / of };
  return `<p>How often <code>${quoteFor("markup", text)}</code>:</p>${
    barsPicture(
      rates,
      (side) =>
        `${shortNumber(100 * rates[side], 4)}% (${longCount(event[side])} of ${longCount(of)})`,
    )
  }`;
}

function adviceOf(verdict: SessionReport["verdict"], advice: string | null): string[] {
  if (advice !== null) return [advice];
  switch (verdict) {
    case "refuted":
      return [
        "Follow the questions by hand, and let the answers that tell the datasets apart share one budget, or have more noise.",
      ];
    case "not-refuted":
      return ["Give more draws (--max-draws), or other kinds of questions, to see more."];
    default:
      return [];
  }
}

function evidence(report: SessionReport, made: Made): string {
  const { claim, lifetime, confidence, alpha, eValue, draws, adversary, seed, seconds, versions } =
    report;
  return factTable([
    ["claim is for", COVERED[lifetime]],
    ["relation", claim.relation.description],
    ["confidence", inPercent(confidence)],
    ["chance that a true claim is refuted", `${alpha} at most`],
    ["e-value of this bet, one of up to three", groupedNumber(eValue)],
    ["transcripts bet on", longCount(draws)],
    ["transcripts to choose strategies", longCount(adversary.transcripts)],
    ["seconds", shortNumber(seconds, 3)],
    ["seed", String(seed)],
    ["versions", Object.entries(versions).map(([name, of]) => `${name} ${of}`).join(", ")],
  ], made);
}
