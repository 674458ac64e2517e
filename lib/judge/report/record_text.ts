import { painter } from "./painter.ts";
import { describeClaim } from "../../core/claims/claim.ts";
import type { RecordedFinding } from "../audit/report.ts";
import type { RecordReport } from "../recording/record.ts";
import { caveats, costLines, cutLines, pairCount } from "./recorded_noise.ts";
import { notSeenByRecord, notSeenSection } from "./not_seen.ts";
import { quoteFor } from "./quote_for.ts";
import { shortData } from "./short_data.ts";
import { longCount, shortNumber } from "./short_number.ts";

const COLORS = { broken: 31, suspected: 33, "not followed": 33, "nothing found": 32 } as const;

/** Writes what recordings show, for a reader at a terminal. */
export function recordText(
  report: RecordReport,
  { subject, seconds, color = false }: {
    readonly subject: string;
    readonly seconds: number;
    readonly color?: boolean;
  },
): string {
  const { verdict, findings, claim, runs, pairs, furthest: [first] = [] } = report;
  const paint = painter(color);
  const quoted = (text: string): string => quoteFor("terminal", text);
  return [
    `${paint(verdict.toUpperCase(), COLORS[verdict])}  ${
      paint(quoted(`${subject}, claimed: ${describeClaim(claim)}`), 1)
    }`,
    ...findings.flatMap((finding) => findingLines(finding).map(quoted)),
    "",
    ...[...costLines(report, claim), ...cutLines(report)].map((line) => `  ${quoted(line)}`),
    ...(first === undefined ? [] : [
      "  outputs at the same seed are furthest apart on a pair that an audit looks at first:",
      ...pairLines(first).map(quoted),
    ]),
    ...caveats(findings).map((line) => `  ${line}`),
    ...notSeenSection(notSeenByRecord(report)).map(quoted),
    "",
    `${longCount(runs)} runs on ${pairCount(pairs)} in ${shortNumber(seconds, 3)} s`,
  ].join("\n") + "\n";
}

function findingLines({ sentence, pair }: RecordedFinding): string[] {
  return ["", `  ${sentence}`, ...pairLines(pair)];
}

function pairLines({ left, right }: RecordedFinding["pair"]): string[] {
  return [`    left   ${shortData(left)}`, `    right  ${shortData(right)}`];
}
