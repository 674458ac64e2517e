import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import type { Point } from "./tables.ts";

/** Error against ε, one curve a method, one panel a loss, as a standalone SVG. */
export function figureSvg(points: readonly Point[], { title }: { title: string }): string {
  // linkedom has a document of its own, whose type is not the browser's.
  const { document } = parseHTML("<html><body></body></html>") as unknown as { document: never };
  const curves = points.filter(({ method }) => method !== "non-private");
  const floors = points.filter(({ method }) => method === "non-private");
  const svg = Plot.plot({
    document,
    width: 720,
    height: 340,
    marginLeft: 50,
    grid: true,
    x: { label: "ε", type: "log", ticks: [0.02, 0.05, 0.1, 0.2, 0.5], tickFormat: String },
    y: { label: `${title}: test error`, zero: true },
    fx: { label: null },
    symbol: { legend: false },
    color: {
      domain: ["output", "objective", "non-private"],
      range: ["#d1495b", "#00798c", "#555555"],
    },
    marks: [
      Plot.ruleY(floors, { y: "error", fx: "loss", stroke: "method", strokeDasharray: "4 3" }),
      Plot.ruleX(curves, {
        x: "epsilon",
        y1: (point: Point) => Math.max(0, point.error - 2 * point.standardError),
        y2: (point: Point) => point.error + 2 * point.standardError,
        fx: "loss",
        stroke: "method",
      }),
      Plot.line(curves, { x: "epsilon", y: "error", fx: "loss", stroke: "method" }),
      Plot.dot(curves, { x: "epsilon", y: "error", fx: "loss", fill: "method" }),
      Plot.text(curves.filter(({ epsilon }) => epsilon === 0.02), {
        x: "epsilon",
        y: "error",
        fx: "loss",
        text: "method",
        fill: "method",
        dx: 4,
        dy: -8,
        textAnchor: "start",
      }),
    ],
  });
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return svg.outerHTML + "\n";
}
