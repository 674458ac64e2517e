import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { quoteFor } from "../quote_for.ts";

/** The width of a plot, in pixels: two stand side by side on a desktop, and one fills a phone. */
const WIDTH = 380;

/** Returns a plot as the markup of an image, with its text alternative. */
export function drawPlot(
  { says, height = 230, ...options }: Plot.PlotOptions & { readonly says: string },
): string {
  // linkedom has a document of its own, whose type is not the browser's.
  const { document } = parseHTML("<html><body></body></html>") as unknown as { document: never };
  const svg = Plot.plot({ document, width: WIDTH, height, marginBottom: 40, ...options });
  // The parts of an image have no names of their own, and the page has the styles.
  const inside = String(svg.innerHTML).replaceAll(/<style>[^<]*<\/style>/g, "")
    .replaceAll(/ aria-(?:label|description|hidden)="[^"]*"/g, "");
  return `<svg class="plot" role="img" aria-label="${quoteFor("markup", says)}" ` +
    `viewBox="0 0 ${WIDTH} ${height}" fill="currentColor" font-size="12" text-anchor="middle">${inside}</svg>`;
}
