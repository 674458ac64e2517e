import { type Claim, describeClaim } from "../../core/claims/claim.ts";

/** All in pixels. */
const WIDTH = 640, LINE = 26, MARGIN = 16, CHARACTER = 7.5;

/** Longer labels are cut. */
const MOST_CHARACTERS = 40, MOST_OF_TITLE = 80;

/** The answers that a plot shows, a line for each. */
interface PlottedAnswers {
  /** The question. */
  readonly name: string;
  /** The columns that groups are by. */
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly key: readonly string[];
    readonly value: number;
    readonly lower?: number;
    readonly upper?: number;
    readonly tooFew?: boolean;
  }[];
  readonly claim: Claim;
  /** Writes a value. */
  readonly write: (value: number) => string;
  /** The question in words. Default: its name, and the columns. */
  readonly question: string | undefined;
  /** A sentence about all intervals of a plot. */
  readonly statement: string | undefined;
}

/** Questions whose answers are amounts: their bars begin at 0. */
const AMOUNTS: readonly string[] = ["count", "distinct", "sum"];

/**
 * Answers as SVG that needs nothing else: the interval of each as a bar behind its dot, and its number beside it. Of counts and sums there is a bar from 0, and the axis begins there.
 * It is dark where its reader's system is.
 */
export function plotOf(
  { name, columns, rows, claim, write, question, statement }: PlottedAnswers,
): string {
  const labels = rows.map(({ key }) => cut(key.length === 0 ? name : key.join(", ")));
  const numbers = rows.map(({ value, tooFew }) => tooFew ? "too few rows to tell" : write(value));
  const longest = (texts: readonly string[]): number =>
    texts.reduce((most, { length }) => Math.max(most, length), 0);
  const left = MARGIN * 2 + CHARACTER * longest(labels);
  const right = WIDTH - MARGIN * 1.5 - CHARACTER * Math.max(3, longest(numbers));
  const isAmount = AMOUNTS.includes(name);
  const shown = rows.map(({ value, lower = value, upper = value, tooFew }) => {
    const ends = tooFew ? [value, value] as const : [lower, upper] as const;
    return { value, lower: finite(ends[0], value), upper: finite(ends[1], value) };
  });
  const ends = shown.flatMap(({ value, lower, upper }) => [lower, value, upper]);
  const { from, to, step } = axisOf(isAmount ? [0, ...ends] : ends);
  const x = (value: number): string =>
    (left + (value - from) / (to - from) * (right - left)).toFixed(1);
  const y = (line: number): number => 2 * LINE + line * LINE;
  const bottom = y(rows.length), ticks: string[] = [];
  for (let k = 0; from + k * step <= to * (1 + 1e-12) + step * 1e-9; k++) {
    const at = x(from + k * step);
    ticks.push(
      `<path class="grid" d="M${at} ${1.3 * LINE}V${bottom - LINE / 2}"/>` +
        `<text x="${at}" y="${bottom + LINE / 4}" text-anchor="middle">${
          escaped(write(Number((from + k * step).toPrecision(6))))
        }</text>`,
    );
  }
  const lines = shown.map(({ value, lower, upper }, i) => {
    const zero = x(Math.min(0, value)), end = x(Math.max(0, value));
    return [
      `<text x="${left - MARGIN}" y="${y(i) + 4}" text-anchor="end">${escaped(labels[i]!)}</text>`,
      isAmount
        ? `<rect class="bar" x="${zero}" y="${y(i) - 7}" width="${
          (Number(end) - Number(zero)).toFixed(1)
        }" height="14"/>`
        : "",
      `<path class="interval" d="M${x(lower)} ${y(i)}H${x(upper)}"/>`,
      `<circle cx="${x(value)}" cy="${y(i)}" r="3.5"/>`,
      `<text x="${(Math.max(Number(x(upper)), Number(x(value))) + MARGIN / 2).toFixed(1)}" y="${
        y(i) + 4
      }">${escaped(numbers[i]!)}</text>`,
    ].join("");
  });
  const by = columns.length === 0 ? "" : ` by ${columns.join(", ")}`;
  const title = escaped(cutTo(question ?? `${name}${by}`, MOST_OF_TITLE)),
    says = escaped(
      `${isAmount ? "dark bars" : "bars"}: 95% intervals${
        statement === undefined ? "" : ", all at once"
      }. ${describeClaim(claim)} (${claim.relation.name})`,
    );
  const height = bottom + 1.5 * LINE;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="answers" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${title}">
<style>.answers{color:#222;background:#fff;font:13px system-ui,sans-serif}.answers text{fill:currentColor}.answers circle{fill:#0d4a8f}.answers .bar{fill:#1762b8;opacity:.25}.answers .interval{stroke:#1762b8;stroke-width:6;opacity:.55}.answers .grid{stroke:currentColor;stroke-width:1;opacity:.15}
@media(prefers-color-scheme:dark){.answers{color:#ddd;background:#16181c}.answers circle{fill:#cfe3ff}.answers .bar{fill:#7db8ff}.answers .interval{stroke:#7db8ff}}</style>
<text x="${MARGIN}" y="${LINE}" font-weight="600">${title}</text>
${[...ticks, ...lines].join("\n")}
<text x="${MARGIN}" y="${bottom + LINE}" opacity=".7">${says}</text>
</svg>
`;
}

function cut(text: string): string {
  return cutTo(text, MOST_CHARACTERS);
}

function cutTo(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

function finite(end: number, value: number): number {
  return Number.isFinite(end) ? end : value;
}

/** Ends and steps of an axis, at round numbers around some values. */
function axisOf(values: readonly number[]): { from: number; to: number; step: number } {
  const [least, most] = values.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  ) as [number, number];
  if (values.length === 0) return { from: 0, to: 1, step: 1 };
  const range = most > least ? most - least : Math.max(1, Math.abs(most));
  const power = 10 ** Math.floor(Math.log10(range / 4));
  const step = [10, 5, 2, 1].map((times) => times * power).find((each) => range / each >= 4) ??
    power;
  const from = Math.floor(least / step) * step;
  return { from, to: Math.max(Math.ceil(most / step) * step, from + step), step };
}

function escaped(text: string): string {
  // XML has no control characters.
  // deno-lint-ignore no-control-regex
  return text.replaceAll(/[\x00-\x1f]/g, " ").replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;");
}
