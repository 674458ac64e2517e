import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";

/** A plot as a standalone SVG. */
export function standaloneSvg(options: Plot.PlotOptions): string {
  // linkedom has a document of its own, whose type is not the browser's.
  const { document } = parseHTML("<html><body></body></html>") as unknown as { document: never };
  const svg = Plot.plot({ document, grid: true, ...options });
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return svg.outerHTML + "\n";
}
