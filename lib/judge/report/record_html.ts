import { describeClaim } from "../../core/claims/claim.ts";
import type { RecordReport } from "../recording/record.ts";
import { claimedParameter } from "./bound.ts";
import { NOT_SEEN, notSeenByRecord } from "./not_seen.ts";
import { pairPicture } from "./pair_picture.ts";
import { lineMarkup, READS_STYLE, readsDrawing } from "./reads_drawing.ts";
import type { RecordRun } from "./record_formats.ts";
import { caveats, costLines, cutLines, pairCount, remedyFor } from "./recorded_noise.ts";
import {
  type Amount,
  amountMarkup,
  card,
  type Colour,
  factTable,
  folded,
  type Made,
  paragraphs,
  reportPage,
  timesAtLeast,
  timesAtMost,
} from "./report_page.ts";
import { longCount, shortNumber } from "./short_number.ts";

type Verdict = RecordReport["verdict"];

const COLOURS: Readonly<Record<Verdict, Colour>> = {
  broken: "refuted",
  suspected: "failed",
  "not followed": "inconclusive",
  "nothing found": "not-refuted",
};

const PLAIN: Readonly<Record<Verdict, (subject: string) => string>> = {
  broken: (subject) => `A declaration in ${subject} is false on the pair below, for certain.`,
  suspected: (subject) =>
    `The noise of ${subject} seems too little for what it claims: on the pair below it does not cover the change. That is a suspicion; an audit confirms it or not.`,
  "not followed": (subject) =>
    `What ${subject} does with its noise could not be followed, so nothing can be said about its claim.`,
  "nothing found": (subject) =>
    `The noise of ${subject} covered every change that was looked at. That is no proof.`,
};

/** Returns what recordings show as one self-contained HTML page, as those of audits. */
export function recordHtml(
  report: RecordReport,
  { subject, seconds, version }: RecordRun,
  made: Made = {},
): string {
  const { verdict, findings, claim } = report, [worst] = findings;
  const [furthest] = report.furthest ?? [];
  return reportPage({
    title: `dpcheck record: ${subject} ${verdict}`,
    style: READS_STYLE,
    colour: COLOURS[verdict],
    verdict: verdict.toUpperCase(),
    headline: `${subject}, claimed: ${describeClaim(claim)} (${claim.relation.name})`,
    plain: PLAIN[verdict](subject),
    cards: [
      card("How much", amountMarkup(amountOf(report))),
      worst !== undefined
        ? card("The pair", pairPicture(worst.pair))
        : furthest === undefined
        ? ""
        : card("Outputs at the same seed are furthest apart on", pairPicture(furthest)),
      worst === undefined ? "" : card("The line", lineMarkup(worst), { wide: true }),
      card("What to do", paragraphs(adviceOf(report)), { wide: true }),
    ],
    folds: [
      ...findings.map((finding, i) =>
        folded(
          `${findings.length === 1 ? "" : `${i + 1}. `}Both runs beside each other: ${
            finding.kind.replaceAll("-", " ")
          }${finding.place === "" ? "" : ` at ${finding.place}`}`,
          readsDrawing(finding),
        )
      ),
      folded(
        "What was looked at",
        paragraphs([...costLines(report, claim), ...cutLines(report), ...caveats(findings)]),
      ),
      folded(NOT_SEEN, paragraphs(notSeenByRecord(report))),
      folded(
        "Evidence",
        factTable([
          ["relation", claim.relation.description],
          ["runs", `${longCount(report.runs)} on ${pairCount(report.pairs)}`],
          ["seconds", shortNumber(seconds, 3)],
          ["seed", String(report.seed)],
          ["version", `dpcheck ${version}`],
        ], made),
      ),
    ],
  });
}

function amountOf({ verdict, findings, claim, cost }: RecordReport): Amount {
  const [worst] = findings, colour = COLOURS[verdict];
  const { symbol, value } = claimedParameter({ claim });
  const claimed = `Claimed: ${symbol} = ${value}.`;
  if (worst !== undefined) {
    const { change, pays, cost } = worst;
    const isMeasured = change !== null && pays !== null && pays > 0 && Number.isFinite(change);
    if (cost !== null && cost > value) {
      return {
        colour,
        ...timesAtLeast(cost, value, { how: "if the noise is compared as it was recorded" }),
        drawn: { claimed: value, shown: cost },
        fine: `${
          isMeasured
            ? `The value moves by ${shortNumber(Math.abs(change))}; its noise hides ${
              shortNumber(pays)
            }. `
            : ""
        }${claimed}`,
      };
    }
    return { colour, large: "uncovered", says: "No noise covers this change.", fine: claimed };
  }
  if (verdict === "not followed" || cost === null) {
    return { colour, large: "not known", says: "The noise was not followed.", fine: claimed };
  }
  return {
    colour,
    large: timesAtMost(cost, value),
    says: "the claim, estimated from the noise alone",
    drawn: { claimed: value, shown: cost },
    fine: claimed,
  };
}

function adviceOf({ verdict, findings: [worst] }: RecordReport): string[] {
  switch (verdict) {
    case "broken":
      return remedyFor(worst!);
    case "suspected":
      return [
        ...remedyFor(worst!),
        "dpcheck audit of this pair (--left, --right) confirms the finding or not.",
      ];
    case "not followed":
      return ["Audit it: dpcheck audit draws outputs, and needs no noise that can be followed."];
    case "nothing found":
      return [
        "Audit it, too: dpcheck audit sees what a comparison of noise does not, and dpcheck exact decides where it can.",
      ];
  }
}
