import { type Claim, claimToJSON, describeClaim } from "../../core/claims/claim.ts";
import { dateOf } from "../schema/cells.ts";
import { plotOf } from "./plot.ts";

/** One answer. */
export interface Answer {
  /** The key of its group, as texts in the order of the columns. */
  readonly key: readonly string[];
  /** The answer with its noise. */
  readonly value: number;
  /** The lower end of its 95% interval; a quantile alone has none. */
  readonly lower?: number;
  /** The upper end of its 95% interval; a quantile alone has none. */
  readonly upper?: number;
  /** Of a quantile alone: with a probability of 95% it is so many rows from what it is said to be, at most. */
  readonly within?: number;
  /** Whether noise leaves all that could be: there are too few rows to tell, and the ends say no more than the public bounds. */
  readonly tooFew?: boolean;
}

/**
 * A small table of answers. Each interval holds the answer without noise with a probability of at least 95%: what the noise did, and neither what
 * bounds cut off nor how rows were sampled.
 */
export interface Answers {
  /** The question. */
  readonly name: string;
  /** The names of the columns of keys. */
  readonly columns: readonly string[];
  /** The answers. */
  readonly rows: readonly Answer[];
  /** Claim of all of them together. */
  readonly claim: Claim;
  /** Whether answers are days, counted from 1 January 1970: texts, tables and plots show dates. */
  readonly days?: boolean;
  /** Statement about all intervals together. Default: each holds by itself in 95% of all runs. */
  readonly statement?: string;
  /** The question in the words of `dpcheck ask`: the title of plots. */
  readonly question?: string;
  /** As text in columns. */
  toString(): string;
  /** As `JSON.stringify` writes it. */
  toJSON(): Record<string, unknown>;
  /** As comma-separated values with a line of names. */
  toCSV(): string;
  /** As a plot, in SVG: a dot for each answer, and a line for its interval. */
  toSVG(): string;
}

/** Puts a table of answers together. */
export function answersOf(
  { name, columns, rows, claim, days = false, statement, question }: Pick<
    Answers,
    "name" | "columns" | "rows" | "claim" | "days" | "statement" | "question"
  >,
): Answers {
  const inRows = rows[0]?.within !== undefined;
  const write = (value: number): string => days ? dateOf(value) : shown(value);
  const exact = (value: number | undefined): string | number =>
    days && value !== undefined ? dateOf(value) : value!;
  return Object.freeze({
    name,
    columns,
    rows,
    claim,
    ...(days && { days }),
    ...(question !== undefined && { question }),
    ...(statement !== undefined && { statement }),
    toString(): string {
      const cells = rows.map(({ key, value, lower, upper, within, tooFew }) => [
        ...key,
        write(value),
        inRows
          ? `${within} rows`
          : tooFew
          ? "too few rows to tell"
          : `${write(lower!)} to ${write(upper!)}`,
      ]);
      const lines = [[...columns, name, inRows ? "within" : "95% interval"], ...cells];
      const widths = lines[0]!.map((_, i) =>
        lines.reduce((most, line) => Math.max(most, line[i]!.length), 0)
      );
      const text = lines.map((line) =>
        line.map((cell, i) =>
          i === columns.length ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)
        ).join("  ").trimEnd()
      );
      return [
        ...text,
        ...(statement === undefined ? [] : [statement]),
        `${describeClaim(claim)} (${claim.relation.name})`,
      ].join("\n");
    },
    toJSON: () => ({
      name,
      columns,
      rows,
      claim: claimToJSON(claim),
      ...(days && { days }),
      ...(question !== undefined && { question }),
      ...(statement !== undefined && { statement }),
    }),
    toSVG: () => plotOf({ name, columns, rows, claim, write, question, statement }),
    toCSV: () =>
      [
        [...columns, name, ...(inRows ? ["within"] : ["lower", "upper"])],
        ...rows.map(({ key, value, lower, upper, within }) => [
          ...key,
          exact(value),
          ...(inRows ? [within] : [exact(lower), exact(upper)]),
        ]),
      ].map((line) => line.map((cell) => quoted(String(cell))).join(",")).join("\n") + "\n",
  });
}

/** Six digits, which is more than noise leaves. */
function shown(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
}

function quoted(cell: string): string {
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
