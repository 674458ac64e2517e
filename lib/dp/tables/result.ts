import { type Claim, claimToJSON, describeClaim } from "../../core/claims/claim.ts";
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
}

/**
 * A small table of answers. Each interval holds the answer without noise with a probability of at least 95%: what the noise did, and neither what
 * bounds cut off nor how rows were sampled.
 */
export interface Answers {
  /** What was asked. */
  readonly name: string;
  /** The names of the columns of keys. */
  readonly columns: readonly string[];
  /** The answers. */
  readonly rows: readonly Answer[];
  /** What all of them together keep. */
  readonly claim: Claim;
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
  { name, columns, rows, claim }: Pick<Answers, "name" | "columns" | "rows" | "claim">,
): Answers {
  const inRows = rows[0]?.within !== undefined;
  return Object.freeze({
    name,
    columns,
    rows,
    claim,
    toString(): string {
      const cells = rows.map(({ key, value, lower, upper, within }) => [
        ...key,
        shown(value),
        inRows ? `${within} rows` : `${shown(lower!)} to ${shown(upper!)}`,
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
      return [...text, `${describeClaim(claim)} (${claim.relation.name})`].join("\n");
    },
    toJSON: () => ({ name, columns, rows, claim: claimToJSON(claim) }),
    toSVG: () => plotOf({ name, columns, rows, claim }),
    toCSV: () =>
      [
        [...columns, name, ...(inRows ? ["within"] : ["lower", "upper"])],
        ...rows.map(({ key, value, lower, upper, within }) => [
          ...key,
          value,
          ...(inRows ? [within] : [lower, upper]),
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
