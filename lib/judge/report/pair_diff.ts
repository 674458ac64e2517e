import { quoteFor } from "./quote_for.ts";
import { shortData } from "./short_data.ts";

/** Equal rows shown beside those that differ, at each end; more are counted. */
const CONTEXT = 3;
/** The most rows shown of each side where datasets differ, and the characters of a row. */
const MOST_ROWS = 40, ROW_LENGTH = 400;

/** Returns the rows of two datasets as one list: those on the left alone, on the right alone, and equal ones at the same end. */
export function pairDiff(
  { left, right }: { readonly left: unknown; readonly right: unknown },
): string {
  if (!Array.isArray(left) || !Array.isArray(right)) {
    return list([line("left", left), line("right", right)]);
  }
  const key = (row: unknown): string => shortData(row, Infinity);
  const shorter = Math.min(left.length, right.length);
  let before = 0;
  while (before < shorter && key(left[before]) === key(right[before])) before++;
  let after = 0;
  while (after < shorter - before && key(left.at(-1 - after)) === key(right.at(-1 - after))) {
    after++;
  }
  return list([
    counted(Math.max(0, before - CONTEXT)),
    ...left.slice(Math.max(0, before - CONTEXT), before).map((row) => line("both", row)),
    ...side("left", left.slice(before, left.length - after)),
    ...side("right", right.slice(before, right.length - after)),
    ...left.slice(left.length - after, left.length - after + CONTEXT).map((row) =>
      line("both", row)
    ),
    counted(Math.max(0, after - CONTEXT)),
  ]);
}

function side(name: "left" | "right", rows: readonly unknown[]): string[] {
  return [
    ...rows.slice(0, MOST_ROWS).map((row) => line(name, row)),
    rows.length > MOST_ROWS
      ? `<li>${rows.length - MOST_ROWS} more rows on the ${name} only</li>`
      : "",
  ];
}

const NAMES = { left: "left only", right: "right only", both: "both" } as const;

function line(where: "left" | "right" | "both", row: unknown): string {
  return `<li class="${where}"><span class="where">${NAMES[where]}</span> <code>${
    quoteFor("markup", shortData(row, ROW_LENGTH))
  }</code></li>`;
}

function counted(rows: number): string {
  return rows === 0 ? "" : `<li>${rows} more ${rows === 1 ? "row" : "rows"} in both</li>`;
}

function list(lines: readonly string[]): string {
  return `<ul class="diff">\n${lines.filter((item) => item !== "").join("\n")}\n</ul>`;
}
