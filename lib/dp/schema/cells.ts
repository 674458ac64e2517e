/** A row: cells by the names of their columns. What it lacks is missing. */
export type Row = Readonly<Record<string, unknown>>;

/** A cell as a key, or `undefined` where it is missing: text, or the text of a number or a truth value. */
export function keyOf(cell: unknown): string | undefined {
  switch (typeof cell) {
    case "string":
      return cell;
    case "number":
    case "boolean":
    case "bigint":
      return String(cell);
    default:
      return undefined;
  }
}

/** Texts that are numbers: digits with a point, a sign and a power of ten, or Infinity; blanks of ASCII around them. Every engine reads the same ones. */
const NUMBER =
  /^[ \t\n\v\f\r]*[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,9})?|Infinity)[ \t\n\v\f\r]*$/;

/** A cell as a number, NaN where it is missing or none: texts of files are read as numbers. */
export function numberOf(cell: unknown): number {
  switch (typeof cell) {
    case "number":
      return cell;
    case "bigint":
      return Number(cell);
    case "string":
      return NUMBER.test(cell) ? Number(cell) : NaN;
    default:
      return NaN;
  }
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ][^]*)?$/;

/** Milliseconds of a day. */
const DAY = 86_400_000;

/** A cell as a day: how many days it is after 1 January 1970, in UTC; NaN where it is missing or none. Texts begin with year, month and day, as in 2026-11-28. */
export function dayOf(cell: unknown): number {
  if (cell instanceof Date) return Math.floor(cell.getTime() / DAY);
  if (typeof cell !== "string") return NaN;
  const [, year, month, day] = DATE.exec(cell) ?? [];
  if (year === undefined) return NaN;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const isThere = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return isThere && Number(year) > 0 ? date.getTime() / DAY : NaN;
}

/** The text of a day, as {@linkcode dayOf} reads it. */
export function dateOf(day: number): string {
  const date = new Date(Math.round(day) * DAY);
  return Number.isNaN(date.getTime()) ? String(day) : date.toISOString().slice(0, 10);
}
