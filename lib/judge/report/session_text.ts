import { requireClaim } from "../../core/claims/claim_brand.ts";
import { requireKind } from "../../core/numeric/require.ts";
import { claimToJSON, describeClaim } from "../../core/claims/claim.ts";
import type { SessionReport } from "../dialogue/session_report.ts";
import { jsonText } from "./json_text.ts";
import { notSeenBySessions, notSeenSection } from "./not_seen.ts";
import { painter } from "./painter.ts";
import { quoteFor } from "./quote_for.ts";
import { shortData } from "./short_data.ts";
import { longCount, shortNumber } from "./short_number.ts";

const COLORS = { refuted: 31, "not-refuted": 32, inconclusive: 33, failed: 33 } as const;

/** Unit that a claim covers, in words. */
export const COVERED = {
  session: "one session",
  user: "all sessions of one user",
  service: "all sessions of all users",
} as const;

/** Returns the report of an audit of sessions for a reader at a terminal: the verdict, the questions, and which adversary was tried. */
export function sessionText(
  report: SessionReport,
  options: { readonly color?: boolean } = {},
): string {
  requireKind("sessionText", "report", report, "record");
  requireClaim("show a report", report.claim);
  const { verdict, claim, adversary, event, pair, script, draws } = report;
  const paint = painter(options.color ?? false);
  const quoted = (text: string): string => quoteFor("terminal", text);
  const lines = [
    `${paint(verdict.toUpperCase(), COLORS[verdict])}  ${
      paint(quoted(sessionHeadline(report)), 1)
    }`,
  ];
  if (verdict === "refuted") {
    lines.push(
      `  ${parameterName(claim.kind)} ≥ ${shortNumber(report.epsilonLowerBound)} with ${
        shortNumber(100 * report.confidence)
      }% confidence`,
    );
  }
  if (pair !== null) {
    lines.push(
      "",
      verdict === "refuted" ? "Counterexample" : "The strategy that came closest",
      `  left   ${quoted(shortData(pair.left))}`,
      `  right  ${quoted(shortData(pair.right))}`,
      ...script.map((line) => `  ${quoted(line)}`),
    );
    if (event !== null) {
      lines.push(
        `  event  ${quoted(event.text)}`,
        `    left  ${longCount(event.left)} of ${longCount(event.of)} transcripts`,
        `    right ${longCount(event.right)} of ${longCount(event.of)} transcripts`,
      );
    }
  }
  if (report.advice !== null) lines.push("", "What to do", `  ${quoted(report.advice)}`);
  lines.push(
    ...notSeenSection(notSeenBySessions(report).map(quoted)),
    "",
    `${longCount(draws)} transcripts were bet on, ${
      longCount(adversary.transcripts)
    } drawn to choose among strategies; seed ${report.seed}`,
    `Replay: ${quoted(report.replay)}`,
  );
  return lines.join("\n") + "\n";
}

/** Returns the verdict in a line. */
export function sessionHeadline(
  { verdict, subject, claim, lifetime, failure, reason }: SessionReport,
): string {
  const claimed = `its claim of ${describeClaim(claim)} (${claim.relation.name}) for ${
    COVERED[lifetime]
  }`;
  switch (verdict) {
    case "refuted":
      return `${subject} does not keep ${claimed}`;
    case "not-refuted":
      return `${subject}: ${claimed} was not refuted by the adversary below`;
    case "failed":
      return `No sessions were held: ${failure}`;
    case "inconclusive":
      return `${subject}: nothing can be concluded, for ${reason}`;
  }
}

function parameterName(kind: SessionReport["claim"]["kind"]): string {
  return kind === "zcdp" ? "ρ" : kind === "gaussian" ? "μ" : "ε";
}

/** Returns the report of an audit of sessions as JSON. */
export function sessionJson(report: SessionReport): string {
  requireKind("sessionJson", "report", report, "record");
  requireClaim("write a report", report.claim);
  return jsonText({
    ...report,
    claim: claimToJSON(report.claim),
    notSeen: notSeenBySessions(report),
  });
}
