import type { AuditReport } from "../../audit/report.ts";
import { epsilonFigure } from "./epsilon_figure.ts";
import { type Figure, figureMarkup } from "./figure_markup.ts";
import { historyFigures } from "./history_figures.ts";
import { outputFigure } from "./output_figure.ts";
import { pairFigure } from "./pair_figure.ts";
import { powerFigure } from "./power_figure.ts";
import { tradeOffFigure } from "./trade_off_figure.ts";

/** Returns the figures of a report as markup: those for which it has the numbers. */
export function allFigures(report: AuditReport): string {
  const { details, verdict } = report;
  if (details === undefined || verdict === "failed") return "";
  const { outputs, history, power, pairs } = details;
  const figures: (Figure | undefined)[] = [];
  if (outputs !== null && outputs.cells.length > 0) figures.push(outputFigure(report, outputs));
  figures.push(epsilonFigure(report));
  if (history.length > 1) figures.push(...historyFigures(report, history));
  if (outputs !== null && outputs.cells.length > 0) figures.push(tradeOffFigure(report, outputs));
  figures.push(powerFigure(report, power));
  if (pairs.length > 0) figures.push(pairFigure(pairs, report.pairsTried));
  return figures.filter((figure) => figure !== undefined).map(figureMarkup).join("\n");
}
