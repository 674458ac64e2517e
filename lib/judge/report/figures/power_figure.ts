import * as Plot from "@observablehq/plot";
import { shareText } from "../../../core/numeric/share_text.ts";
import type { AuditReport, PowerPoint } from "../../audit/report.ts";
import { claimedParameter } from "../bound.ts";
import { longCount, roundedUp } from "../short_number.ts";
import { drawPlot } from "./draw_plot.ts";
import type { Figure } from "./figure_markup.ts";

/** Draws what fewer and more draws on this pair would have seen, in events as common as the report says; `undefined` where no number would have seen anything. */
export function powerFigure(report: AuditReport, power: readonly PowerPoint[]): Figure | undefined {
  const { symbol, value } = claimedParameter(report);
  const seen = power.filter(({ detectable }) => Number.isFinite(detectable));
  if (seen.length < 2) return undefined;
  const [first, last] = [seen[0]!, seen.at(-1)!];
  const says = `Violations above the line, in an event that ${
    shareText(report.detectableShare)
  } of the outputs have, would be refuted with 90% power: above ${symbol} = ${
    roundedUp(first.detectable, 3)
  } by ${longCount(first.draws)} draws on this pair, above ${roundedUp(last.detectable, 3)} by ${
    longCount(last.draws)
  }. Dashed: the claim, ${value}. An estimate.`;
  return {
    title: "What so many draws would have seen",
    says,
    image: drawPlot({
      says,
      x: { type: "log", label: "draws", ticks: 4, tickFormat: "~s" },
      y: { label: `${symbol} seen`, grid: true, ticks: 5, zero: true },
      marks: [
        Plot.ruleY([value], { stroke: "currentColor", strokeDasharray: "4 3" }),
        Plot.line(seen, { x: "draws", y: "detectable", stroke: "var(--shown)", strokeWidth: 2.5 }),
        Plot.dot(seen, { x: "draws", y: "detectable", fill: "var(--shown)", r: 3 }),
      ],
    }),
    heads: ["draws", `${symbol} seen with 90% power`],
    rows: power.map(({ draws, detectable }) => [
      longCount(draws),
      Number.isFinite(detectable) ? roundedUp(detectable, 4) : "none",
    ]),
  };
}
