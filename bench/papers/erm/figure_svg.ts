import * as Plot from "@observablehq/plot";
import { standaloneSvg } from "../standalone_svg.ts";
import type { CurvePoint } from "./learning_curve.ts";
import type { FigureMethod, Point } from "./tables.ts";

/** One point of a panel. */
interface Mark {
  readonly panel: string;
  readonly method: FigureMethod;
  readonly x: number;
  readonly error: number;
  readonly standardError: number;
}

const LOSS_NAMES = { logistic: "logistic regression", huber: "Huber support vector machine" };

const LEAST_EPSILON = 0.02, MOST_EPSILON = 0.5;

/** Error against ε, one curve a method, one panel a loss, as a standalone SVG. */
export function errorByEpsilon(points: readonly Point[], { title }: { title: string }): string {
  return panels(
    // Without privacy there is one error for every ε.
    points.flatMap(({ loss, method, epsilon, error, standardError }) => {
      const mark = { panel: LOSS_NAMES[loss], method, error, standardError };
      return method === "non-private"
        ? [{ ...mark, x: LEAST_EPSILON }, { ...mark, x: MOST_EPSILON }]
        : [{ ...mark, x: epsilon }];
    }),
    {
      title,
      x: { label: "ε", type: "log", ticks: [0.02, 0.05, 0.1, 0.2, 0.5], tickFormat: String },
    },
  );
}

/** Error of one loss against the number of training rows, one curve a method, one panel an ε. */
export function errorByRowCount(
  points: readonly CurvePoint[],
  { title }: { title: string },
): string {
  return panels(
    points.map(({ epsilon, rowCount, ...rest }) => ({
      ...rest,
      panel: `ε = ${epsilon}`,
      x: rowCount / 1000,
    })),
    {
      title: `${title}, ${LOSS_NAMES[points[0]!.loss]}`,
      x: { label: "thousands of training rows", ticks: [10, 20, 30, 40, 50] },
    },
  );
}

interface Style {
  readonly colour: string;
  readonly words: string;
  /** Absent: a dashed line without points. */
  readonly symbol?: "circle" | "square" | "triangle";
}

const STYLES: Readonly<Record<FigureMethod, Style>> = {
  "output": { colour: "#c0392b", symbol: "circle", words: "● output perturbation" },
  "objective": { colour: "#00697a", symbol: "square", words: "■ objective perturbation" },
  "tight objective": { colour: "#8a6d00", symbol: "triangle", words: "▲ the same, tight slack" },
  "non-private": { colour: "#555555", words: "╌ without privacy" },
};

/** Panels side by side with one vertical scale: curves, bars of two standard errors, one legend. */
function panels(
  marks: readonly Mark[],
  { title, x }: { title: string; x: Plot.ScaleOptions },
): string {
  const names = [...new Set(marks.map(({ panel }) => panel))];
  const methods = (Object.keys(STYLES) as FigureMethod[])
    .filter((name) => marks.some(({ method }) => method === name));
  const top = Math.max(...marks.map((mark) => mark.error + 2 * mark.standardError));
  return standaloneSvg({
    width: 720,
    height: 340,
    marginLeft: 50,
    marginTop: 50,
    marginBottom: 40,
    style: { background: "white", color: "black", fontSize: "12px" },
    x: { ...x, labelAnchor: "center" },
    y: { label: `↑ ${title}: test error`, domain: [0, top], nice: true },
    fx: { label: null, domain: names },
    marks: [
      ...methods.flatMap((name) => {
        const { colour, symbol } = STYLES[name];
        const own = marks.filter(({ method }) => method === name);
        const at = { fx: "panel", x: "x", y: "error" };
        if (symbol === undefined) {
          return [Plot.line(own, { ...at, stroke: colour, strokeDasharray: "5 4" })];
        }
        return [
          Plot.ruleX(own, {
            fx: "panel",
            x: "x",
            y1: (mark: Mark) => Math.max(0, mark.error - 2 * mark.standardError),
            y2: (mark: Mark) => mark.error + 2 * mark.standardError,
            stroke: colour,
          }),
          Plot.line(own, { ...at, stroke: colour }),
          Plot.dot(own, { ...at, fill: colour, symbol, r: 3.5 }),
        ];
      }),
      // Curves fall: the corner above their ends is free.
      ...methods.map((name, k) =>
        Plot.text([names.at(-1)], {
          fx: (panel: string) => panel,
          text: () => STYLES[name].words,
          fill: STYLES[name].colour,
          frameAnchor: "top-right",
          dx: -6,
          dy: 6 + 17 * k,
        })
      ),
    ],
  });
}
