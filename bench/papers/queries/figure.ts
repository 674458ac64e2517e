import * as Plot from "@observablehq/plot";
import { standaloneSvg } from "../standalone_svg.ts";

/** A plot as a standalone SVG, with room for a title. */
export function figure(options: Plot.PlotOptions): string {
  return standaloneSvg({ marginTop: 40, ...options });
}

/** Names of curves, one below another, in the colours of their curves, in the first panel alone. */
export function names(
  list: readonly { readonly name: string; readonly at: readonly [x: number, y: number] }[],
  panel: Readonly<Record<string, string>> = {},
): Plot.Markish {
  return Plot.text(
    list.map(({ name, at: [x, y] }) => ({ name, x, y, ...panel })),
    {
      x: "x",
      y: "y",
      text: "name",
      fill: "name",
      textAnchor: "start",
      ...Object.fromEntries(Object.keys(panel).map((key) => [key, key])),
    },
  );
}

/** Writes the points of a plot as CSV, and the plot. */
export async function writeResults(
  directory: string,
  { name, points, svg }: {
    readonly name: string;
    readonly points: readonly object[];
    readonly svg: string;
  },
): Promise<void> {
  await Deno.mkdir(directory, { recursive: true });
  const head = Object.keys(points[0]!).join(",");
  const lines = points.map((point) => Object.values(point).join(","));
  await Deno.writeTextFile(`${directory}/${name}.csv`, [head, ...lines, ""].join("\n"));
  await Deno.writeTextFile(`${directory}/${name}.svg`, svg);
  console.log(`drawn: ${directory}/${name}.svg\n`);
}
