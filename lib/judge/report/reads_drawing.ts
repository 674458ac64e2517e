import type { ReadBeside, RecordedFinding } from "../audit/report.ts";
import { quoteFor } from "./quote_for.ts";
import { pairDiff } from "./pair_diff.ts";

/** Size of the drawing of a noisy number, in pixels, and how many scales of noise it shows beside each value. */
const WIDTH = 180, HEIGHT = 36, SCALES = 4;
/** Points of a curve. */
const POINTS = 61;
const OUTPUT_LENGTH = 200;

/** Rules of CSS for {@linkcode readsDrawing}. */
export const READS_STYLE = `
.reads { overflow-x: auto; } .reads table { min-width: 44rem; }
.reads td { vertical-align: middle; } .reads td:nth-child(-n+3) { overflow-wrap: normal; }
.reads polyline { fill: none; stroke-width: 2; } .reads polyline + polyline { stroke-dasharray: 5 3; }
.reads tr.differs td, .reads tr.differs th { background: var(--event); }
.reads svg { display: block; min-width: ${WIDTH}px; }
`;

/** Returns a finding as markup: the sentence, the pair, and the reads of both runs beside each other, those that differ marked. */
export function readsDrawing({ sentence, pair, reads }: RecordedFinding): string {
  return [
    `<p>${quoteFor("markup", sentence)}</p>`,
    pairDiff(pair),
    `<div class="reads" role="region" aria-label="Reads of noise" tabindex="0"><table>
<thead><tr><th scope="col"></th><th scope="col">where</th><th scope="col">what</th><th scope="col">left</th>` +
    `<th scope="col">right</th><th scope="col">noise</th></tr></thead>
<tbody>
${reads.map(row).join("\n")}
</tbody></table></div>`,
  ].join("\n");
}

/** Returns the line of a finding and what was found there, as the content of a card. */
export function lineMarkup({ place, sentence }: RecordedFinding): string {
  return `${place === "" ? "" : `<p><code>${quoteFor("markup", place)}</code></p>`}<p>${
    quoteFor("markup", sentence)
  }.</p>`;
}

function row(read: ReadBeside, i: number): string {
  const { place, what, noise, left, right, differs } = read;
  const cells = [
    place === "" ? "" : `<code>${quoteFor("markup", place)}</code>`,
    quoteFor("markup", what),
    value(left),
    value(right),
    `${drawing(read)}${quoteFor("markup", noise)}`,
  ];
  return `<tr${differs ? ' class="differs"' : ""}><th scope="row">${
    differs ? `<span aria-label="differs">≠</span>` : i + 1
  }</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

function value(text: string | null): string {
  if (text === null) return "—";
  const shown = text.length > OUTPUT_LENGTH ? `${text.slice(0, OUTPUT_LENGTH)}…` : text;
  return `<code>${quoteFor("markup", shown)}</code>`;
}

/** The density of a noisy number on the left dataset and on the right one, on one axis. */
function drawing({ curves }: ReadBeside): string {
  if (curves === undefined) return "";
  const densities = curves.map(({ law, scale }) => scale > 0 ? DENSITIES[law] : undefined);
  const [left, right] = curves as [typeof curves[number], typeof curves[number]];
  const isDrawn = curves.every(({ at }) => Number.isFinite(at)) &&
    densities.every((density) => density !== undefined);
  if (!isDrawn) return "";
  const low = Math.min(left.at - SCALES * left.scale, right.at - SCALES * right.scale);
  const high = Math.max(left.at + SCALES * left.scale, right.at + SCALES * right.scale);
  const narrow = Math.min(left.scale, right.scale);
  const paths = curves.map(({ at, scale }, side) => {
    const points = Array.from({ length: POINTS }, (_, k) => {
      const x = low + (high - low) * k / (POINTS - 1);
      const density = densities[side]!((x - at) / scale) * narrow / scale;
      return [WIDTH * k / (POINTS - 1), HEIGHT - 1 - (HEIGHT - 2) * density];
    });
    const path = points.map(([x, y]) => `${x!.toFixed(1)},${y!.toFixed(1)}`).join(" ");
    return `<polyline points="${path}" stroke="var(--${side === 0 ? "left" : "right"})"/>`;
  });
  return `<svg width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${
    left.at === right.at && left.scale === right.scale
      ? "equal noise around equal values"
      : "noise around the value on the left and on the right"
  }">${paths.join("")}</svg>`;
}

/** Densities of noise of scale 1, as shares of their highest value. */
const DENSITIES: Readonly<Record<string, (x: number) => number>> = {
  laplace: (x) => Math.exp(-Math.abs(x)),
  normal: (x) => Math.exp(-x * x / 2),
  logistic: (x) => 1 / Math.cosh(x / 2) ** 2,
  gumbel: (x) => Math.exp(1 - x - Math.exp(-x)),
  exponential: (x) => x < 0 ? 0 : Math.exp(-x),
  uniform: (x) => x < 0 || x > 1 ? 0 : 1,
};
