import type { Dataset, RowSpec } from "../../core/dataset.ts";
import type { Pair } from "../../core/relation.ts";
import { keyOf, type SearchSpace, tryPair } from "./mutate_pairs.ts";
import { byTurns } from "../../numeric/ranking.ts";
import { cornerRows } from "./row_values.ts";

/** The most answers that the patterns for vectors of answers have where there may be more or fewer. */
const MOST_ANSWERS = 10;

/**
 * The pairs to begin with, those that have broken most mechanisms first: for vectors of query
 * answers the patterns of StatDP and DP-Sniper (one or all answers move, half go up and half down,
 * the first or the last goes against the rest) and big gaps at the domain's corners; for rows, corner values replaced,
 * added and removed among equal and unequal rows, for several sizes.
 */
export function seedPairs(space: SearchSpace): Pair[] {
  const { min, max } = space.domain.size;
  const rows = [...rowPatterns(space)];
  const candidates = min === max
    ? [...answerPatterns(space, min), ...rows]
    // Whether numbers are rows or answers is not known: both by turns.
    : byTurns(
      [...answerPatterns(space, min)],
      [...answerPatterns(space, Math.max(min, Math.min(max, MOST_ANSWERS)))],
      rows,
    );
  const pairs = new Map<string, Pair>();
  for (const [left, right] of candidates) {
    const pair = tryPair(space, left, right);
    if (pair !== undefined) pairs.set(keyOf(pair), pair);
  }
  return [...pairs.values()];
}

function isNumeric(rows: RowSpec): rows is Extract<RowSpec, { min: number }> {
  return rows.type === "number" || rows.type === "integer";
}

/** Answers of which each is moved on its own. */
const MOST_PLACES = 16;

/** Vectors of `d` answers. */
function* answerPatterns(
  { domain: { rows }, relation }: SearchSpace,
  d: number,
): Generator<[Dataset, Dataset]> {
  if (!isNumeric(rows)) return;
  const half = Math.floor(d / 2);
  const fill = (f: (i: number) => number): number[] => Array.from({ length: d }, (_, i) => f(i));
  // The unit by which one answer may move: 1 unless the relation says less.
  const [probe, moved] = [fill(() => rows.min), fill((i) => (i === 0 ? rows.min + 1 : rows.min))];
  const unit = relation.violation(probe, moved) === undefined ? 1 : rows.max - rows.min;
  const middle = Math.min(rows.max - unit, Math.max(rows.min + unit, 1));
  const base = fill(() => middle);
  const { min, max } = rows;
  const allUp = fill(() => middle + unit);
  // What goes down begins above the middle where there is no room below.
  const top = middle - unit < min ? middle + unit : middle;
  const moving = (isUp: (i: number) => boolean): [number[], number[]] => [
    fill((i) => (isUp(i) ? middle : top)),
    fill((i) => (isUp(i) ? middle + unit : top - unit)),
  ];
  yield moving((i) => i < half);
  yield [base, allUp];
  yield moving((i) => i > 0);
  yield [
    fill((i) => (i === 0 ? max : min)),
    fill((i) => (i === 0 ? max - unit : min)),
  ];
  if (relation.violation(base, allUp) !== undefined) {
    // One answer moves at a time, and the noise of any may be missing: most often that of the last.
    for (const at of [d - 1, ...fill((i) => i).slice(1, Math.min(d, MOST_PLACES) - 1)]) {
      yield [base, fill((i) => middle + (i === at ? unit : 0))];
    }
  }
  yield moving((i) => i < d - 1);
  yield [fill((i) => (i === 0 ? middle - unit : middle)), base];
  yield [
    fill((i) => (i < half ? middle : middle - unit)),
    fill((i) => (i < half ? middle - unit : middle)),
  ];
  yield [fill((i) => (i === 0 ? min : max)), fill((i) => (i === 0 ? min + unit : max - unit))];
  yield [fill(() => min), fill((i) => min + (i === d - 1 ? 0 : unit))];
  yield [fill(() => min), fill((i) => min + (i < half ? unit : 0))];
  yield [fill(() => max), fill(() => max - unit)];
  yield [
    fill((i) => (i === d - 1 ? max : min)),
    fill((i) => (i === d - 1 ? max - unit : min + unit)),
  ];
  yield [fill(() => max), fill((i) => (i === 0 ? max - unit : max))];
}

/** Datasets of rows: one is replaced, added or removed. */
function* rowPatterns({ domain }: SearchSpace): Generator<[Dataset, Dataset]> {
  const { rows, size } = domain;
  const corners = cornerRows(rows).slice(0, 6);
  const allowed = (n: number): boolean => n >= size.min && n <= size.max;
  const longest = Math.min(size.max, size.min + 20);
  const sizes = [...new Set([1, 2, 5, size.min, longest])].filter(allowed);
  // A vector of answers, for which there are patterns of its own.
  const areAnswers = isNumeric(rows) && size.min === size.max;
  // All sizes by turns: some mechanisms tell more of many rows, or of the last one only.
  for (const common of corners.slice(0, 3)) {
    const others = (n: number): unknown[] => repeated(common, Math.max(0, n - 1));
    for (let a = 0; a < corners.length; a++) {
      for (let b = a + 1; b < corners.length; b++) {
        for (const n of sizes) {
          const rest = others(n);
          yield [[corners[a], ...rest], [corners[b], ...rest]];
          if (!areAnswers) yield [[...rest, corners[a]], [...rest, corners[b]]];
        }
        if (areAnswers || common !== corners[0] || b > 1) continue;
        for (const n of [3, ...sizes].filter((n) => n > 2 && allowed(n))) {
          yield* inTheMiddle(corners[0], corners[1], n);
        }
      }
      for (const n of sizes) yield [[corners[a], ...others(n)], others(n)];
    }
  }
  // What happens at one size only.
  for (let n = size.min; n <= longest; n++) {
    const rest = repeated(corners[0], n - 1);
    yield [[corners[0], ...rest], [corners[1], ...rest]];
    yield [[corners[1], ...rest], rest];
  }
}

/** One of `n` rows replaced in the middle: of rows half low, half high, where a median jumps, and of equal ones. */
function* inTheMiddle(low: unknown, high: unknown, n: number): Generator<[Dataset, Dataset]> {
  const before = repeated(low, n >> 1);
  for (const after of [high, low].map((row) => repeated(row, n - 1 - (n >> 1)))) {
    yield [[...before, low, ...after], [...before, high, ...after]];
  }
}

function repeated(row: unknown, n: number): unknown[] {
  return Array.from({ length: n }, () => row);
}
