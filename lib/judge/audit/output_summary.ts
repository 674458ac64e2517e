import { encoderOf } from "./model/encoding/encoder.ts";
import type { Encoder } from "./model/encoding/encoder_data.ts";
import { UNKNOWN } from "./model/encoding/walk_output.ts";
import { type Feature, fillFeature, isCategorical } from "./model/encoding/features.ts";
import { type Outputs, outputValues } from "./kernel/outputs.ts";
import { Thrown } from "./kernel/subject.ts";

/** One thing for each dataset of a pair. */
interface Sides<Each> {
  readonly left: Each;
  readonly right: Each;
}

/** Outputs in a cell, on each dataset. */
type CellCounts = Sides<number>;

/** How often outputs fell into one cell: an interval of numbers, a value, or a text. */
export interface OutputCell {
  /** The value or text, or the interval in words. */
  readonly label: string;
  /** The interval, where the cell is one that has two ends. */
  readonly from?: number;
  /** The upper end of the interval. */
  readonly to?: number;
  /** Outputs on the left dataset in this cell. */
  readonly left: number;
  /** Outputs on the right dataset in this cell. */
  readonly right: number;
}

/** Fresh outputs on the two datasets of a pair, counted. Messages of errors are left out. */
export interface OutputSummary {
  /** The thing that is counted: the output, or a number computed from it, as an event names it. */
  readonly feature: string;
  /** Whether the cells are intervals of numbers, a few values, or texts of which there are many. */
  readonly kind: "numbers" | "values" | "texts";
  /** The cells; together they hold all outputs. */
  readonly cells: readonly OutputCell[];
  /** Outputs on each dataset. */
  readonly draws: { readonly left: number; readonly right: number };
  /**
   * Shares of the outputs on the left and the right dataset in a growing set of cells: ordered by one half of the outputs,
   * from those likelier on the left to those likelier on the right, and counted on the other half. Estimates, no bounds.
   */
  readonly tradeOff: readonly { readonly left: number; readonly right: number }[];
}

/** The most values that are shown one by one, the texts of a table, the intervals of a histogram. */
const MOST_VALUES = 24, MOST_TEXTS = 12, INTERVALS = 40;
/** The share of numbers beyond the intervals, at each end. */
const TAIL = 0.005;
/** The characters of a text that is shown. */
const TEXT_LENGTH = 80;
/** In place of a message, which may hold rows. */
const AN_ERROR = "(an error)";
/** The label of cells of what is left. */
const OTHERS = "(others)", NO_NUMBER = "(no number)";

/** Counts outputs for a reader: by the first feature of an event, or by the output where there is none. */
export function summariseOutputs(
  sides: Sides<Outputs>,
  event?: { readonly encoder: Encoder; readonly terms: readonly { readonly feature: Feature }[] },
): OutputSummary {
  const texts = scalarTexts(sides);
  if (texts !== undefined) return summaryOfTexts(texts, "output");
  const encoder = event?.encoder ?? encoderOf([sides.left, sides.right]);
  const first = encoder.columns[0]!;
  const feature = event?.terms[0]?.feature ?? {
    kind: first.categorical ? "category" as const : "column" as const,
    index: 0,
    name: first.name,
  };
  const numbers = { left: valuesOf(sides.left), right: valuesOf(sides.right) };
  if (!isCategorical(feature)) return summaryOfNumbers(numbers, feature.name);
  const errors = errorsIn(sides);
  const label = feature.kind === "category" ? encoder.columns[feature.index]!.label : undefined;
  const labelOf = (code: number): string => {
    if (code === UNKNOWN || Number.isNaN(code)) return OTHERS;
    const text = label?.(code) ?? String(code);
    return errors.has(text) ? AN_ERROR : text;
  };
  return summaryOfTexts(
    { left: Array.from(numbers.left, labelOf), right: Array.from(numbers.right, labelOf) },
    feature.name,
  );

  function valuesOf(outputs: Outputs): Float64Array {
    const rows = encoder.encode(outputs), width = encoder.columns.length;
    const out = new Float64Array(rows.length / width);
    fillFeature(feature, { rows, width, from: 0, to: out.length, out });
    return out;
  }
}

/** Returns the outputs as texts, if they are texts, booleans, nulls and errors alone; `undefined` for numbers and what has parts. */
function scalarTexts({ left, right }: Sides<Outputs>): Sides<string[]> | undefined {
  if (left.kind === "block" || right.kind === "block") return undefined;
  const textsOf = (outputs: Outputs): string[] | undefined => {
    const texts: string[] = [];
    for (const value of outputValues(outputs)) {
      if (value instanceof Thrown) texts.push(AN_ERROR);
      else if (
        typeof value === "string" || typeof value === "boolean" || value === null ||
        value === undefined
      ) {
        texts.push(String(value));
      } else return undefined;
    }
    return texts;
  };
  const both = { left: textsOf(left), right: textsOf(right) };
  return both.left === undefined || both.right === undefined
    ? undefined
    : { left: both.left, right: both.right };
}

function errorsIn(sides: Sides<Outputs>): Set<string> {
  const messages = new Set<string>();
  for (const outputs of [sides.left, sides.right]) {
    if (outputs.kind === "block") continue;
    for (const value of outputs.values) {
      if (value instanceof Thrown) messages.add(value.message.slice(0, 200));
    }
  }
  return messages;
}

function summaryOfTexts(texts: Sides<readonly string[]>, feature: string): OutputSummary {
  const counts = new Map<string, number>();
  for (const side of [texts.left, texts.right]) {
    for (const text of side) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const isFew = counts.size <= MOST_VALUES;
  const shown = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, isFew ? MOST_VALUES : MOST_TEXTS).map(([text]) => text);
  const cellOf = new Map(shown.map((text, cell) => [text, cell]));
  const placesOf = (side: readonly string[]): Uint16Array =>
    Uint16Array.from(side, (text) => cellOf.get(text) ?? shown.length);
  const counted = countCells(
    { left: placesOf(texts.left), right: placesOf(texts.right) },
    shown.length + 1,
  );
  return {
    feature,
    kind: isFew ? "values" : "texts",
    ...counted,
    cells: cellsOf(counted.cells, [...shown.map(shortened), OTHERS].map((label) => ({ label }))),
  };
}

/** Counts numbers in intervals between two quantiles, or one by one where they are few. */
function summaryOfNumbers(numbers: Sides<Float64Array>, feature: string): OutputSummary {
  const all = new Float64Array(numbers.left.length + numbers.right.length);
  all.set(numbers.left);
  all.set(numbers.right, numbers.left.length);
  const sorted = all.filter((x) => !Number.isNaN(x)).sort();
  const distinct = distinctOf(sorted);
  if (distinct !== undefined) {
    const cellOf = new Map([...distinct].map((x, cell) => [x, cell]));
    const placesOf = (side: Float64Array): Uint16Array =>
      Uint16Array.from(side, (x) => cellOf.get(x) ?? distinct.length);
    const counted = countCells(
      { left: placesOf(numbers.left), right: placesOf(numbers.right) },
      distinct.length + 1,
    );
    const labels = [...distinct.map(String), NO_NUMBER].map((label) => ({ label }));
    return { feature, kind: "values", ...counted, cells: cellsOf(counted.cells, labels) };
  }
  const finite = sorted.filter(Number.isFinite);
  const at = (share: number): number => finite[Math.floor(share * (finite.length - 1))]!;
  const isWide = at(TAIL) < at(1 - TAIL);
  const low = isWide ? at(TAIL) : at(0), high = isWide ? at(1 - TAIL) : at(1);
  const step = (high - low) / INTERVALS;
  const edges = Array.from(
    { length: INTERVALS + 1 },
    (_, k) => k === INTERVALS ? high : low + k * step,
  );
  const placesOf = (side: Float64Array): Uint16Array =>
    Uint16Array.from(side, (x) => {
      if (Number.isNaN(x)) return INTERVALS + 2;
      if (x < low) return INTERVALS;
      if (x > high) return INTERVALS + 1;
      return Math.max(0, Math.min(INTERVALS - 1, Math.floor((x - low) / step)));
    });
  const counted = countCells(
    { left: placesOf(numbers.left), right: placesOf(numbers.right) },
    INTERVALS + 3,
  );
  const labels = edges.slice(0, -1).map((from, k) => {
    const to = edges[k + 1]!;
    return { label: `${short(from)} to ${short(to)}`, from, to };
  });
  return {
    feature,
    kind: "numbers",
    ...counted,
    cells: cellsOf(counted.cells, [
      ...labels,
      { label: `below ${short(low)}` },
      { label: `above ${short(high)}` },
      { label: NO_NUMBER },
    ]),
  };
}

/** Returns the different numbers in a sorted list if there are few, or if no interval can be made of them. */
function distinctOf(sorted: Float64Array): number[] | undefined {
  const found: number[] = [];
  for (const x of sorted) {
    if (found.at(-1) === x) continue;
    found.push(x);
    if (found.length > MOST_VALUES) return undefined;
  }
  return found;
}

/** Cells with their labels; those without outputs are left out, unless they are intervals. */
function cellsOf(
  counts: readonly CellCounts[],
  labels: readonly { readonly label: string; readonly from?: number; readonly to?: number }[],
): OutputCell[] {
  return labels.map((label, cell) => ({ ...label, ...counts[cell]! }))
    .filter(({ from, left, right }) => from !== undefined || left + right > 0);
}

function shortened(text: string): string {
  return text.length <= TEXT_LENGTH ? text : `${text.slice(0, TEXT_LENGTH)}…`;
}

function short(x: number): string {
  return String(Number(x.toPrecision(3)));
}

/** Counts of {@linkcode countCells}. */
interface CountedOutputs {
  readonly cells: readonly CellCounts[];
  readonly draws: CellCounts;
  readonly tradeOff: readonly CellCounts[];
}

/**
 * Counts the outputs in each cell. For the trade-off cells are ordered by the first half of each side's outputs, those first
 * that are likelier on the left, and counted on the second half: an order chosen on what is counted would show too much.
 */
function countCells(places: Sides<Uint16Array>, cells: number): CountedOutputs {
  const halves = (side: Uint16Array): [Float64Array, Float64Array] => {
    const middle = Math.floor(side.length / 2);
    const first = new Float64Array(cells), second = new Float64Array(cells);
    side.forEach((cell, i) => {
      const half = i < middle ? first : second;
      half[cell] = half[cell]! + 1;
    });
    return [first, second];
  };
  const [left, leftCounted] = halves(places.left), [right, rightCounted] = halves(places.right);
  const sum = (counts: Float64Array): number => counts.reduce((a, b) => a + b, 0);
  const total = { left: sum(left), right: sum(right) };
  const logRatio = (cell: number): number =>
    Math.log((left[cell]! + 0.5) / (total.left + 0.5)) -
    Math.log((right[cell]! + 0.5) / (total.right + 0.5));
  const order = Array.from({ length: cells }, (_, cell) => cell)
    .sort((a, b) => logRatio(b) - logRatio(a));
  const draws = { left: Math.max(1, sum(leftCounted)), right: Math.max(1, sum(rightCounted)) };
  let hits = { left: 0, right: 0 };
  const tradeOff = order.map((cell) => {
    hits = { left: hits.left + leftCounted[cell]!, right: hits.right + rightCounted[cell]! };
    return { left: hits.left / draws.left, right: hits.right / draws.right };
  });
  return {
    cells: Array.from({ length: cells }, (_, cell) => ({
      left: left[cell]! + leftCounted[cell]!,
      right: right[cell]! + rightCounted[cell]!,
    })),
    draws: { left: places.left.length, right: places.right.length },
    tradeOff: [{ left: 0, right: 0 }, ...tradeOff],
  };
}
