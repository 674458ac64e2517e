import type { EventReport } from "../audit/counterexample/event_report.ts";
import { ratesOf } from "./event_rates.ts";
import { quoteFor } from "./quote_for.ts";
import { shortData } from "./short_data.ts";
import { longCount, shortNumber } from "./short_number.ts";

/** The most rows of a dataset that are drawn, and characters of one. */
const MOST_ROWS = 12, ROW_LENGTH = 60;
/** Units of a bar, at its widest. */
const BAR_WIDTH = 320;

const SIDES = ["left", "right"] as const;
type Side = typeof SIDES[number];

/** Returns two datasets as rows of boxes, in which those that only one of them has stand out. */
export function pairPicture(pair: Readonly<Record<Side, unknown>>): string {
  const lines = SIDES.map((side) => {
    const data = pair[side], other = pair[side === "left" ? "right" : "left"];
    return `<span class="side-${side}">${side}</span><span class="rows">${
      Array.isArray(data)
        ? rowsOf(data, Array.isArray(other) ? other : [], side)
        : boxOf(data, side)
    }</span>`;
  });
  return `<div class="sets">${lines.join("\n")}</div>`;
}

function rowsOf(rows: readonly unknown[], others: readonly unknown[], side: Side): string {
  if (rows.length === 0) return '<span class="none">no rows</span>';
  // Rows of the other dataset, each of which stands for one equal row.
  const left = new Map<string, number>();
  for (const row of others) {
    const text = shortData(row, Infinity);
    left.set(text, (left.get(text) ?? 0) + 1);
  }
  const boxes = rows.map((row) => {
    const text = shortData(row, Infinity), equal = left.get(text) ?? 0;
    left.set(text, equal - 1);
    return { box: boxOf(row, equal > 0 ? "both" : side), isOwn: equal <= 0 };
  });
  // Rows that differ are shown wherever they are.
  const own = boxes.filter(({ isOwn }) => isOwn).slice(0, MOST_ROWS);
  const shown = boxes.length <= MOST_ROWS ? boxes : own;
  const more = boxes.length - shown.length;
  return shown.map(({ box }) => box).join("") +
    (more === 0 ? "" : `<span class="none">${longCount(more)} more</span>`);
}

function boxOf(value: unknown, side: Side | "both"): string {
  return `<span${side === "both" ? "" : ` class="${side}"`}><code>${
    quoteFor("markup", shortData(value, ROW_LENGTH))
  }</code></span>`;
}

/** Draws how often each side satisfied the event: bars to scale, and the figures. */
export function ratesPicture(event: EventReport): string {
  const rates = ratesOf(event);
  return barsPicture(rates, (side) => {
    const { hits, draws } = event[side];
    return `${shortNumber(100 * rates[side], 4)}% (${longCount(hits)} of ${longCount(draws)})`;
  });
}

/** Returns a bar to scale for each side, with its figures below. */
export function barsPicture(
  amounts: Readonly<Record<Side, number>>,
  figuresOf: (side: Side) => string,
): string {
  const widest = Math.max(amounts.left, amounts.right) || 1;
  const lines = SIDES.map((side) => {
    const width = (BAR_WIDTH * amounts[side] / widest).toFixed(1), figures = figuresOf(side);
    // On a narrow screen both bars shrink in proportion.
    const box = `viewBox="0 0 ${BAR_WIDTH} 14" preserveAspectRatio="none"`;
    return `<span class="side-${side}">${side}</span><span><svg width="${BAR_WIDTH}" height="14" ${box} role="img" aria-label="${figures}">` +
      `<rect width="${width}" height="14" fill="var(--${side})"/></svg><br>${figures}</span>`;
  });
  return `<div class="sets">${lines.join("\n")}</div>`;
}

/** Returns the claim and the bound on one line, from 0 on. */
export function boundPicture(claimed: number, bound: number): string {
  const widest = Math.max(claimed, bound) * 1.05 || 1;
  const at = (value: number): string => (BAR_WIDTH * value / widest).toFixed(1);
  const says = `claimed ${shortNumber(claimed, 4)}, shown at least ${shortNumber(bound, 4)}`;
  return `<svg class="measure" viewBox="0 0 ${BAR_WIDTH} 20" role="img" aria-label="${says}">` +
    `<rect y="4" height="12" width="${BAR_WIDTH}" rx="3" fill="var(--line)"/>` +
    `<rect y="4" height="12" width="${at(bound)}" rx="3" fill="var(--shown)"/>` +
    `<rect x="${at(claimed)}" width="2" height="20" fill="currentColor"/></svg>`;
}
