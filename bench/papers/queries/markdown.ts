/** A table in Markdown; numbers with four digits after the point at most. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const text = (cell: string | number): string =>
    typeof cell === "number" ? String(Number(cell.toFixed(4))) : cell;
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map(text).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n") + "\n";
}

/** The mean over runs. */
export function meanOver(runs: number, run: (index: number) => number): number {
  let sum = 0;
  for (let index = 0; index < runs; index++) sum += run(index);
  return sum / runs;
}
