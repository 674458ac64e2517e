// deno-lint-ignore no-control-regex
const COLOURS = /\x1b\[[0-9;]*m/g;

/** Lines that stay whole: a command that is to be copied. */
const COMMAND = /^Replay: /;

/**
 * Breaks lines between words where they are wider than a terminal of so many columns. A line goes on beneath its own text: after a
 * label that two spaces follow, else so many columns further in. Text for a file or a pipe, of no columns, stays as it is.
 */
export function wrapLines(
  text: string,
  columns: number | undefined,
  { hanging = 2 }: { readonly hanging?: number } = {},
): string {
  if (columns === undefined || columns < NARROWEST) return text;
  return text.split("\n").map((line) =>
    widthOf(line) <= columns || COMMAND.test(line) ? line : wrapLine(line, { columns, hanging })
  ).join("\n");
}

/** Columns of the longest bar of a report. */
const LONGEST_BAR = 30;

/** Terminals of fewer columns break lines by themselves. */
const NARROWEST = 40;

function wrapLine(
  line: string,
  { columns, hanging: further }: { readonly columns: number; readonly hanging: number },
): string {
  const visible = line.replaceAll(COLOURS, "");
  const label = /^ *\S+ {2,}(?=\S)/.exec(visible)?.[0].length ?? Infinity;
  const indent = visible.length - visible.trimStart().length;
  const hanging = " ".repeat(label <= columns / 3 ? label : indent + further);
  const lines: string[] = [];
  let current = "";
  // Spaces in front of a word belong to it, so that labels keep their column.
  const fitted = line.replaceAll(/█+/g, (bar) => shorterBar(bar, columns - hanging.length));
  for (const word of fitted.match(/ *[^ ]+/g) ?? []) {
    if (current.trim() !== "" && widthOf(current) + widthOf(word) > columns) {
      lines.push(current);
      current = hanging + word.trimStart();
    } else current += word;
  }
  return [...lines, current].join("\n");
}

/** A bar with its share of the room there is for the longest one. */
function shorterBar(bar: string, room: number): string {
  return bar.slice(0, Math.max(1, Math.round(bar.length * Math.min(1, room / LONGEST_BAR))));
}

function widthOf(line: string): number {
  return [...line.replaceAll(COLOURS, "")].length;
}
