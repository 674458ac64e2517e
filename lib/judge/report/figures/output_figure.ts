import * as Plot from "@observablehq/plot";
import type { OutputCell, OutputSummary } from "../../audit/output_summary.ts";
import type { AuditReport } from "../../audit/report.ts";
import { longCount, shortNumber } from "../short_number.ts";
import { drawPlot } from "./draw_plot.ts";
import { eventRegion, satisfies } from "./event_region.ts";
import { type Figure, SIDES_KEY } from "./figure_markup.ts";

/** The characters of a label beside a bar. */
const LABEL = 14;
/** The height of a bar pair, in pixels. */
const BAR = 26;

/** Draws the answers of the program on the two datasets: a histogram, bars of values, or a table of texts. */
export function outputFigure(report: AuditReport, outputs: OutputSummary): Figure {
  const { left, right } = outputs.draws;
  const counted = `${longCount(left)} outputs on the left dataset and ${
    longCount(right)
  } on the right one, drawn after the verdict`;
  const what = outputs.feature === "output" ? "Outputs" : `Outputs, by ${outputs.feature}`;
  const figure = {
    title: what,
    heads: [outputs.feature, "left", "right"],
    rows: outputs.cells.map((cell) => [
      cell.label,
      `${percent(cell.left, left)} (${longCount(cell.left)})`,
      `${percent(cell.right, right)} (${longCount(cell.right)})`,
    ]),
  };
  if (outputs.kind === "texts") {
    return { ...figure, says: `The most frequent texts among ${counted}.` };
  }
  const shaded = isShaded(report, outputs)
    ? ` Shaded: the event, ${report.event!.description}.`
    : report.event === null
    ? ""
    : ` The event, ${report.event.description}, is no part of this axis.`;
  const says = `${what} on the two datasets: ${counted}. ${furthestCell(outputs)}${shaded}`;
  const image = outputs.kind === "numbers"
    ? histogram(report, outputs, says)
    : bars(report, outputs, says);
  return { ...figure, says, image, key: SIDES_KEY };
}

function isShaded({ event }: AuditReport, { feature, kind }: OutputSummary): boolean {
  if (event === null) return false;
  return kind === "numbers"
    ? eventRegion(event.conditions, feature) !== undefined
    : satisfies(event.conditions, { feature, label: "" }) !== undefined;
}

/** The cell on which the two datasets differ most, in words. */
function furthestCell({ cells, draws }: OutputSummary): string {
  const shares = ({ left, right }: OutputCell): [number, number] => [
    left / Math.max(1, draws.left),
    right / Math.max(1, draws.right),
  ];
  const gap = (cell: OutputCell): number => Math.abs(shares(cell)[0] - shares(cell)[1]);
  const furthest = cells.reduce((a, b) => gap(b) > gap(a) ? b : a);
  return `They differ most at ${furthest.label}: ${percent(furthest.left, draws.left)} and ${
    percent(furthest.right, draws.right)
  }.`;
}

function histogram(
  { event }: AuditReport,
  { feature, cells, draws }: OutputSummary,
  says: string,
): string {
  const bins = cells.filter((cell) => cell.from !== undefined);
  const low = bins[0]!.from!, high = bins.at(-1)!.to!;
  const region = event === null ? undefined : eventRegion(event.conditions, feature);
  const within = (x: number): number => Math.max(low, Math.min(high, x));
  const marks: Plot.Markish[] = [];
  if (region !== undefined && region.from === region.to) {
    marks.push(Plot.ruleX([within(region.from)], { stroke: "var(--event)", strokeWidth: 6 }));
  } else if (region !== undefined) {
    const shade = [{ from: within(region.from), to: within(region.to) }];
    marks.push(Plot.rectY(shade, {
      x1: "from",
      x2: "to",
      y1: 0,
      y2: Math.max(
        ...bins.map((bin) => 100 * Math.max(bin.left / draws.left, bin.right / draws.right)),
      ),
      fill: "var(--event)",
    }));
  }
  for (const side of ["left", "right"] as const) {
    marks.push(Plot.rectY(bins, {
      x1: "from",
      x2: "to",
      y: (bin: OutputCell) => 100 * bin[side] / Math.max(1, draws[side]),
      fill: `var(--${side})`,
      fillOpacity: 0.5,
      insetLeft: 0,
      insetRight: 0,
    }));
  }
  return drawPlot({
    says,
    x: { domain: [low, high], label: labelOf(feature), ticks: 5 },
    y: { label: "% of outputs", grid: true, ticks: 5 },
    marks,
  });
}

function bars(
  { event }: AuditReport,
  { feature, cells, draws }: OutputSummary,
  says: string,
): string {
  const most = Math.max(
    ...cells.map(({ left, right }) => 100 * Math.max(left / draws.left, right / draws.right)),
  );
  const placed = cells.map((cell, place) => ({ ...cell, place }));
  const isHit = (cell: OutputCell): boolean =>
    event !== null && satisfies(event.conditions, { feature, label: cell.label }) === true;
  const marks: Plot.Markish[] = [Plot.rectX(placed.filter(isHit), {
    y1: (cell) => cell.place - 0.5,
    y2: (cell) => cell.place + 0.5,
    x1: 0,
    x2: most,
    fill: "var(--event)",
  })];
  for (const [side, from, to] of [["left", -0.4, 0], ["right", 0, 0.4]] as const) {
    marks.push(Plot.rectX(placed, {
      y1: (cell) => cell.place + from,
      y2: (cell) => cell.place + to,
      x1: 0,
      x2: (cell) => 100 * cell[side] / Math.max(1, draws[side]),
      fill: `var(--${side})`,
    }));
  }
  return drawPlot({
    says,
    height: 64 + BAR * cells.length,
    marginLeft: 100,
    x: { label: "% of outputs", grid: true, ticks: 5, domain: [0, most] },
    y: {
      label: labelOf(feature),
      domain: [cells.length - 0.5, -0.5],
      ticks: placed.map(({ place }) => place),
      tickFormat: (place: number) => labelOf(placed[place]?.label ?? ""),
    },
    marks,
  });
}

/** A label without what markup forbids, short enough to stand beside a bar. */
function labelOf(text: string): string {
  // deno-lint-ignore no-control-regex
  const shown = text.toWellFormed().replaceAll(/[\0-\x1f\x7f\ufffe\uffff]/g, "\ufffd");
  return shown.length <= LABEL ? shown : `${shown.slice(0, LABEL - 1)}…`;
}

function percent(count: number, of: number): string {
  return `${shortNumber(100 * count / Math.max(1, of), 3)}%`;
}
