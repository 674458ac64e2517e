import * as Plot from "@observablehq/plot";
import type { OutputSummary } from "../../audit/output_summary.ts";
import type { AuditReport } from "../../audit/report.ts";
import { tradeOff } from "../../../core/claims/trade_off/trade_off.ts";
import { shortNumber } from "../short_number.ts";
import { drawPlot } from "./draw_plot.ts";
import type { Figure } from "./figure_markup.ts";

/** Points of the claimed curve. */
const POINTS = 100;

/** Returns the errors of a reader who guesses the dataset from one output, beside the least errors that the claim allows. */
export function tradeOffFigure(
  report: AuditReport,
  { tradeOff: found, feature }: OutputSummary,
): Figure {
  const allowed = tradeOff(report.claim);
  const claimed = Array.from({ length: POINTS + 1 }, (_, k) => {
    const alarms = k / POINTS;
    return { alarms, missed: allowed(1 - alarms) };
  });
  const measured = found.map(({ left, right }) => ({ alarms: right, missed: 1 - left }));
  const least = measured.reduce((a, b) => b.alarms + b.missed < a.alarms + a.missed ? b : a);
  const percent = (share: number): string => `${shortNumber(100 * share, 3)}%`;
  const says =
    `A reader who guesses the dataset by ${feature} errs in two ways. At the best point found, ${
      percent(least.alarms)
    } of right outputs are taken for left ones, and ${
      percent(least.missed)
    } of left ones for right ones; ` +
    `the claim allows no less than ${percent(allowed(1 - least.alarms))} of these. ` +
    "A curve below the dashed one is less than the claim allows. The curve is an estimate, by outputs on which it was not chosen.";
  return {
    title: "Trade-off found and claimed",
    key: '<p class="key"><span class="swatch shown"></span> found, dashed: claimed</p>',
    says,
    image: drawPlot({
      says,
      height: 300,
      x: { domain: [0, 1], label: "right taken for left", ticks: 5 },
      y: { domain: [0, 1], label: "left taken for right", grid: true, ticks: 5 },
      marks: [
        Plot.line(claimed, {
          x: "alarms",
          y: "missed",
          stroke: "currentColor",
          strokeDasharray: "4 3",
        }),
        Plot.line(measured, { x: "alarms", y: "missed", stroke: "var(--shown)", strokeWidth: 2.5 }),
      ],
    }),
    heads: ["right taken for left", "left taken for right", "claim allows at least"],
    rows: measured.map(({ alarms, missed }) => [
      percent(alarms),
      percent(missed),
      percent(allowed(1 - alarms)),
    ]),
  };
}
