import type { CategoryColumn, NumberColumn } from "../erm/files/column_description.ts";
import type { Shape } from "./boost.ts";

/** A shape with the names of its bins. */
type NamedShape = ColumnShape & { readonly names: readonly string[] };

const WIDTH = 360, HEIGHT = 150, MARGIN = 40, COLUMNS = 2;

/** One small drawing a column, two beside each other, all with the same scale of scores. */
export function drawShapes(shapes: readonly NamedShape[]): string {
  // Bins that hold next to nothing have wide bands, which may leave the drawing.
  const reach = shapes.reduce(
    (most, { scores }) => scores.reduce((max, score) => Math.max(max, Math.abs(score)), most),
    0.1,
  );
  const panels = shapes.map((shape, k) => {
    const left = (k % COLUMNS) * (WIDTH + MARGIN) + MARGIN;
    const top = Math.floor(k / COLUMNS) * (HEIGHT + 2 * MARGIN) + MARGIN;
    return `<svg x="${left}" y="${top - 16}" width="${WIDTH}" height="${HEIGHT + 44}">${
      panel(shape, reach)
    }</svg>`;
  });
  const width = COLUMNS * (WIDTH + MARGIN) + MARGIN;
  const height = Math.ceil(shapes.length / COLUMNS) * (HEIGHT + 2 * MARGIN) + MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ` +
    `font-family="sans-serif" font-size="11">${panels.join("")}</svg>\n`;
}

function panel(
  { column, names, edges = [], scores, halfWidths }: NamedShape,
  reach: number,
): string {
  const y = (score: number): string =>
    (16 + HEIGHT / 2 * (1 - Math.max(-1, Math.min(1, score / reach)))).toFixed(1);
  const ends = column.type === "number"
    ? [column.min, ...edges, column.max].map((end) =>
      (end - column.min) / (column.max - column.min) * WIDTH
    )
    : Array.from({ length: scores.length + 1 }, (_, b) => b / scores.length * WIDTH);
  const bars = scores.map((score, b) => {
    const from = ends[b]!.toFixed(1), to = ends[b + 1]!.toFixed(1);
    const high = y(score + halfWidths[b]!), low = y(score - halfWidths[b]!);
    return `<g><title>${escaped(names[b]!)}: ${score.toFixed(3)} ± ${
      halfWidths[b]!.toFixed(3)
    }</title>` +
      `<path d="M${from} ${high}H${to}V${low}H${from}Z" fill="#9bbde0"/>` +
      `<path d="M${from} ${y(score)}H${to}" stroke="#12406e" stroke-width="2"/></g>`;
  });
  const [first, last] = column.type === "number"
    ? [String(column.min), String(column.max)]
    : [names[0]!, names.at(-1)!];
  const axis = HEIGHT + 30;
  return `<text x="0" y="11" font-weight="bold">${escaped(column.name)}</text>` +
    `<text x="${WIDTH}" y="11" text-anchor="end">scores within ±${reach.toPrecision(2)}</text>` +
    bars.join("") + `<path d="M0 ${y(0)}H${WIDTH}" stroke="#888" stroke-dasharray="3"/>` +
    `<text x="0" y="${axis}">${escaped(first)}</text>` +
    `<text x="${WIDTH}" y="${axis}" text-anchor="end">${escaped(last)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** One column of an additive model. */
export interface ColumnShape extends Shape {
  /** The column, as it was declared. */
  readonly column: NumberColumn | CategoryColumn;
}
