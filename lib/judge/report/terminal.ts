import { painter } from "./painter.ts";
import type { EventReport } from "../audit/counterexample/event_report.ts";
import type { AuditReport } from "../audit/report.ts";
import { requireFields } from "../../core/numeric/require.ts";
import { NOT_SEEN } from "./not_seen.ts";
import { longCount, shortNumber } from "./short_number.ts";
import { drawsSentence, originOf, pairHeading, wordingOf } from "./wording.ts";
import { ratesOf } from "./event_rates.ts";
import { recordedNoiseLines } from "./recorded_noise.ts";
import { quoteFor } from "./quote_for.ts";
import { shortData } from "./short_data.ts";
import { requireReport } from "./require_report.ts";

const COLORS = { refuted: 31, "not-refuted": 32, inconclusive: 33, failed: 33 } as const;
const BAR = 30;

/**
 * Returns the report for a reader at a terminal: the verdict first, then the counterexample, what to do, what
 * the run could not see, and the command that replays it.
 */
export function terminalReport(
  report: AuditReport,
  options: { readonly color?: boolean } = {},
): string {
  requireReport("terminalReport", report);
  const { color = false } = requireFields("terminalReport", options, {});
  const { verdict, headline, findings, advice, limits } = wordingOf(report);
  const paint = painter(color);
  const indented = (text: string): string => `  ${quoteFor("terminal", text)}`;
  const lines = [
    `${paint(verdict, COLORS[report.verdict])}  ${paint(quoteFor("terminal", headline), 1)}`,
    ...findings.map(indented),
  ];
  if (report.pair !== null && report.verdict !== "failed") {
    lines.push(
      "",
      pairHeading(report),
      indented(`left   ${shortData(report.pair.left)}`),
      indented(`right  ${shortData(report.pair.right)}`),
    );
    if (report.event !== null) lines.push(...eventLines(report.event));
  }
  const watched = recordedNoiseLines(report);
  const section = (heading: string, sentences: readonly string[]): string[] =>
    sentences.length === 0 ? [] : ["", heading, ...sentences.map(indented)];
  const noise = watched === undefined ? [] : section(watched.heading, watched.lines);
  const toDo = section("What to do", advice);
  lines.push(...(watched?.isCause ? [...noise, ...toDo] : [...toDo, ...noise]));
  lines.push(...section(NOT_SEEN, limits));
  lines.push(
    "",
    drawsSentence(report),
    `Replay: ${quoteFor("terminal", report.replay)}`,
  );
  return lines.join("\n") + "\n";
}

function eventLines(event: EventReport): string[] {
  const rates = ratesOf(event);
  const widest = Math.max(rates.left, rates.right) || 1;
  const line = (name: "left" | "right"): string => {
    const { hits, draws } = event[name];
    const percent = `${shortNumber(100 * rates[name], 3)}%`.padStart(8);
    const bar = "█".repeat(Math.round(BAR * rates[name] / widest));
    return `    ${name.padEnd(5)} ${percent}  ${bar.padEnd(BAR)}  ` +
      `${longCount(hits)} of ${longCount(draws)}`;
  };
  const origin = originOf(event);
  return [
    `  event  ${quoteFor("terminal", event.description)}`,
    line("left"),
    line("right"),
    ...(origin === "" ? [] : [`    ${origin}`]),
  ];
}
