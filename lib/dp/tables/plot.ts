import { type Claim, describeClaim } from "../../core/claims/claim.ts";

/** All in pixels. */
const WIDTH = 640, LINE = 24, MARGIN = 16, CHARACTER = 7.5;

/** Longer labels are cut. */
const MOST_CHARACTERS = 40;

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
  }[];
  readonly claim: Claim;
}

/** A dot for each answer and a line for its interval, as SVG that needs nothing else. It is dark where its reader's system is. */
export function plotOf(
  { name, columns, rows, claim }: PlottedAnswers,
): string {
  const labels = rows.map(({ key }) => {
    const text = key.length === 0 ? name : key.join(", ");
    return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;
  });
  const left = MARGIN * 2 +
    CHARACTER * labels.reduce((most, { length }) => Math.max(most, length), 0);
  const ends = rows.flatMap(({ value, lower = value, upper = value }) => [lower, value, upper]);
  const { from, to, step } = axisOf(ends);
  const x = (value: number): string =>
    (left + (value - from) / (to - from) * (WIDTH - left - 2 * MARGIN)).toFixed(1);
  const y = (line: number): number => 2 * LINE + line * LINE;
  const bottom = y(rows.length), ticks: string[] = [];
  for (let k = 0; from + k * step <= to * (1 + 1e-12) + step * 1e-9; k++) {
    const at = x(from + k * step);
    ticks.push(
      `<path class="grid" d="M${at} ${1.3 * LINE}V${bottom - LINE / 2}"/>` +
        `<text x="${at}" y="${bottom + LINE / 4}" text-anchor="middle">${
          Number((from + k * step).toPrecision(6))
        }</text>`,
    );
  }
  const dots = rows.map(({ value, lower = value, upper = value }, i) =>
    `<text x="${left - MARGIN}" y="${y(i) + 4}" text-anchor="end">${escaped(labels[i]!)}</text>` +
    `<path d="M${x(lower)} ${y(i)}H${x(upper)}"/><circle cx="${x(value)}" cy="${y(i)}" r="4"/>`
  );
  const by = columns.length === 0 ? "" : ` by ${columns.join(", ")}`;
  const title = escaped(`${name}${by}`),
    says = escaped(`${describeClaim(claim)} (${claim.relation.name})`);
  const height = bottom + 1.5 * LINE;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="answers" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${title}">
<style>.answers{color:#222;background:#fff;font:13px system-ui,sans-serif}.answers text{fill:currentColor}.answers circle{fill:#1762b8}.answers path{stroke:#1762b8;stroke-width:2}.answers .grid{stroke:currentColor;stroke-width:1;opacity:.15}
@media(prefers-color-scheme:dark){.answers{color:#ddd;background:#16181c}.answers circle{fill:#7db8ff}.answers path:not(.grid){stroke:#7db8ff}}</style>
<text x="${MARGIN}" y="${LINE}" font-weight="600">${title}</text>
${[...ticks, ...dots].join("\n")}
<text x="${MARGIN}" y="${bottom + LINE}" opacity=".7">${says}</text>
</svg>
`;
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
