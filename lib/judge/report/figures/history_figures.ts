import * as Plot from "@observablehq/plot";
import type { AuditReport, HistoryPoint } from "../../audit/report.ts";
import { claimedParameter, shownBelow } from "../bound.ts";
import { longCount, shortNumber } from "../short_number.ts";
import { drawPlot } from "./draw_plot.ts";
import type { Figure } from "./figure_markup.ts";

/** Returns the bound and the evidence of the bets over draws: two figures. */
export function historyFigures(report: AuditReport, history: readonly HistoryPoint[]): Figure[] {
  const { symbol, value } = claimedParameter(report);
  const last = history.at(-1)!;
  const drawn = `After ${longCount(last.draws)} draws`;
  const boundSays =
    `${drawn} the bets showed ${symbol} ≥ ${
      shownBelow(last.epsilonLowerBound)
    }; dashed: the claim, ${value}.` +
    " The bound of the report may rest on more: a test at the end, or draws after the verdict.";
  const refuted = Math.log10(1 / report.alpha);
  const evidenceOf = ({ logEValue }: HistoryPoint): number => logEValue / Math.LN10;
  const evidenceSays = `${drawn} the e-value of the bets was ${
    powerOfTen(evidenceOf(last))
  }; dashed: ${
    shortNumber(1 / report.alpha)
  }, at which a claim is refuted. Below 1 the draws speak for the claim.`;
  const x = { type: "log" as const, label: "draws", ticks: 4, tickFormat: "~s" };
  const rows = history.map((point) => [
    longCount(point.draws),
    shownBelow(point.epsilonLowerBound),
    powerOfTen(evidenceOf(point)),
  ]);
  const heads = ["draws", `${symbol} at least`, "e-value"];
  return [
    {
      title: `Lower bound on ${symbol} over draws`,
      says: boundSays,
      heads,
      rows,
      image: drawPlot({
        says: boundSays,
        x,
        y: { label: `${symbol} at least`, grid: true, ticks: 5, zero: true },
        marks: [
          Plot.ruleY([value], { stroke: "currentColor", strokeDasharray: "4 3" }),
          Plot.lineY(history, {
            x: "draws",
            y: "epsilonLowerBound",
            stroke: "var(--shown)",
            strokeWidth: 2.5,
            curve: "step-after",
          }),
          Plot.dot([last], { x: "draws", y: "epsilonLowerBound", fill: "var(--shown)", r: 4 }),
        ],
      }),
    },
    {
      title: "Evidence over draws",
      says: evidenceSays,
      heads,
      rows,
      image: drawPlot({
        says: evidenceSays,
        x,
        y: { label: "e-value, power of 10", grid: true, ticks: 5 },
        marks: [
          Plot.ruleY([refuted], { stroke: "currentColor", strokeDasharray: "4 3" }),
          Plot.lineY(history, {
            x: "draws",
            y: evidenceOf,
            stroke: "var(--shown)",
            strokeWidth: 2.5,
          }),
          Plot.dot([last], { x: "draws", y: evidenceOf, fill: "var(--shown)", r: 4 }),
        ],
      }),
    },
  ];
}

/** The digits of a power, as they stand above the line. */
const ABOVE = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function powerOfTen(exponent: number): string {
  if (exponent < 6 && exponent > -4) return shortNumber(10 ** exponent, 3);
  const whole = Math.floor(exponent), digits = String(Math.abs(whole));
  const power = digits.replaceAll(/\d/g, (digit) => ABOVE[Number(digit)]!);
  return `${shortNumber(10 ** (exponent - whole), 3)} · 10${whole < 0 ? "⁻" : ""}${power}`;
}
