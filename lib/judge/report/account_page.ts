import * as Plot from "@observablehq/plot";
import { roundedDown, shownBelow } from "./bound.ts";
import { drawPlot } from "./figures/draw_plot.ts";
import { type Figure, figureMarkup } from "./figures/figure_markup.ts";
import { htmlPage } from "./html_page.ts";
import { quoteFor } from "./quote_for.ts";
import { roundedUp, shortNumber } from "./short_number.ts";

/** Composed δ of releases at one ε. */
export interface DeltaAt {
  readonly epsilon: number;
  /** Bounds on δ. */
  readonly lower: number;
  readonly upper: number;
}

/** Contents of a page about some releases. */
export interface AccountReport {
  /** The releases, in sentences. */
  readonly releases: readonly string[];
  /** Their composed claim, in sentences. */
  readonly totals: readonly string[];
  /** Their curve. */
  readonly curve: readonly DeltaAt[];
}

/** Points of the plot. */
const POINTS = 100;

/** Returns a page with the totals of some releases, and the errors that a reader of their outputs cannot go below. */
export function accountPage({ releases, totals, curve }: AccountReport): string {
  const lines = (texts: readonly string[]): string =>
    texts.map((text) => `<p>${quoteFor("markup", text)}</p>`).join("\n");
  return htmlPage({
    title: "dpcheck account",
    style: "figure { max-width: 30rem; }",
    body: `<h1>What these releases give away together</h1>\n${lines(releases)}\n<h2>Totals</h2>\n${
      lines(totals)
    }\n<h2>Trade-off</h2>\n${figureMarkup(curveFigure(curve))}`,
  });
}

/**
 * The least share of missed outputs at a share of false alarms: at every ε of the curve 1 − δ − e^ε·alarms and e^−ε·(1 − δ − alarms) are below it
 * (Wasserman, Zhou 2010; Dong, Roth, Su 2022), so that points of the curve alone give less than all of it.
 */
function leastMissed(curve: readonly DeltaAt[], alarms: number): number {
  return curve.reduce((least, { epsilon, upper }) =>
    Math.max(
      least,
      1 - upper - Math.exp(epsilon) * alarms,
      Math.exp(-epsilon) * (1 - upper - alarms),
    ), 0);
}

function curveFigure(curve: readonly DeltaAt[]): Figure {
  const points = Array.from({ length: POINTS + 1 }, (_, k) => {
    const alarms = (k / POINTS) ** 2;
    return { alarms, missed: leastMissed(curve, alarms) };
  });
  const at = leastMissed(curve, 0.05);
  const says =
    `Whoever guesses from all outputs whether a person is in the data, and is wrong about 5% of those who are not, misses at least ${
      shownBelow(100 * at)
    }% of those who are. Without any release that would be 95%, the dashed line.`;
  return {
    title: "The least errors of a reader",
    says,
    image: drawPlot({
      says,
      height: 300,
      x: { domain: [0, 1], label: "taken for present and is not", ticks: 5 },
      y: { domain: [0, 1], label: "missed", grid: true, ticks: 5 },
      marks: [
        Plot.line([[0, 1], [1, 0]], { stroke: "currentColor", strokeDasharray: "4 3" }),
        Plot.line(points, {
          x: "alarms",
          y: "missed",
          stroke: "var(--shown)",
          strokeWidth: 2.5,
        }),
      ],
    }),
    heads: ["ε", "δ from", "δ to"],
    rows: curve.map(({ epsilon, lower, upper }) => [
      shortNumber(epsilon),
      shortNumber(roundedDown(lower, 4)),
      roundedUp(upper, 4),
    ]),
  };
}
