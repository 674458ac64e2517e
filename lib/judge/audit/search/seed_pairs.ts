import type { Dataset, RowSpec } from "../../../core/relations/dataset.ts";
import type { Pair } from "../../../core/relations/relation.ts";
import { byTurns } from "../../../core/numeric/ranking.ts";
import { atQuantiles, inTheMiddle, repeated } from "./among_others.ts";
import { keyOf, type SearchSpace, tryPair, unitOf } from "./mutate_pairs.ts";
import { firstPairsOfRelation } from "./pairs_of_relation.ts";
import { cornerRows } from "./row_values.ts";
import { structuredPatterns } from "./structured_rows.ts";
import { numberPatterns, valuePatterns } from "./value_patterns.ts";

/** Answers in the longer of two vectors of answers that are tried where the domain leaves their number open. */
const MOST_ANSWERS = 10;
/** Answers, from the first on, of which each is moved on its own where only one may move. */
const MOST_MOVED = 16;
/** Corner values of a row that patterns are made of, and those that the other rows have. */
const CORNERS = 6, COMMON_CORNERS = 3;
/** Sizes of datasets tried, besides the smallest and the longest. */
const SIZES = [1, 2, 5];
/** Patterns that come before all other pairs. */
const PATTERNS_FIRST = 5;
/** Rows of the longest datasets, beyond the smallest size. */
const MOST_MORE_ROWS = 20;

/**
 * Returns the pairs to begin with. For vectors of query answers these are the patterns of StatDP (Ding, Wang, Wang, Zhang, Kifer 2018)
 * and DP-Sniper (Bichsel, Steffen, Bogunovic, Vechev 2021): one or all answers move, half go up and half down, the first or the
 * last goes against the rest; and there are large gaps at the corners of the domain. For rows, corner values are replaced,
 * added and removed among equal and unequal rows, for several sizes. Patterns that break most mechanisms come first. Then every
 * other pair has a row with a number that the program names, as long as there are such; the rest are by turns other patterns
 * and pairs in which a row has a value of its own ({@linkcode valuePatterns}). Pairs that a relation makes itself come by turns
 * with all of these. Where an output `isFraction`, a number that is not whole, as the largest of some noisy answers is, all answers that move together, one far above the others and one
 * that goes against the rest come first: no two of them are seen to cross.
 */
export function seedPairs(
  space: SearchSpace,
  { isFraction = false }: { readonly isFraction?: boolean } = {},
): Pair[] {
  const { min, max } = space.domain.size;
  const rows = [...rowPatterns(space)];
  const hasAnswers = areAnswers(space);
  const answersOf = (count: number): [Dataset, Dataset][] => [
    ...answerPatterns(space, count, isFraction),
  ];
  const candidates = hasAnswers
    ? [...answersOf(min), ...rows]
    // Numbers may be rows or answers: the patterns for both by turns.
    : byTurns(answersOf(min), answersOf(Math.max(min, Math.min(max, MOST_ANSWERS))), rows);
  const first = distinctPairs(space, candidates);
  const named = distinctPairs(space, numberPatterns(space.domain, space.numbers ?? []));
  // Vectors of answers have no other rows with a value of their own.
  const others = hasAnswers ? [] : distinctPairs(space, valuePatterns(space.domain));
  const pairs = byTurns(firstPairsOfRelation(space), [
    ...first.slice(0, PATTERNS_FIRST),
    ...byTurns(named, byTurns(first.slice(PATTERNS_FIRST), others)),
  ]);
  const keys = new Set<string>();
  return pairs.filter((pair) => keys.size < keys.add(keyOf(pair)).size);
}

/** Returns true if the data of a space are a fixed number of answers to queries, and no rows. */
export function areAnswers(space: SearchSpace): boolean {
  const { rows, size } = space.domain;
  return isNumeric(rows) && size.min === size.max && !mayCross(space, size.min);
}

/** Returns true if one of `n` numbers may move across the domain: they are rows then, and not the answers to queries. */
function mayCross({ domain: { rows }, relation }: SearchSpace, n: number): boolean {
  if (!isNumeric(rows) || n === 0) return false;
  const low = repeated(rows.min, n);
  return relation.violation(low, low.with(0, rows.max)) === undefined;
}

/** Returns the pairs that some datasets make, each once. */
function distinctPairs(space: SearchSpace, candidates: readonly [Dataset, Dataset][]): Pair[] {
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

/** Yields pairs of vectors of `d` answers. */
function* answerPatterns(
  { domain: { rows }, relation }: SearchSpace,
  d: number,
  isFraction: boolean,
): Generator<[Dataset, Dataset]> {
  if (!isNumeric(rows)) return;
  const half = Math.floor(d / 2);
  const fill = (f: (i: number) => number): number[] => Array.from({ length: d }, (_, i) => f(i));
  const unit = unitOf(relation);
  const middle = Math.min(rows.max - unit, Math.max(rows.min + unit, 1));
  const base = fill(() => middle);
  const { min, max } = rows;
  const allUp = fill(() => middle + unit);
  // Answers that go down begin above the middle where they would leave the domain.
  const top = middle - unit < min ? middle + unit : middle;
  const moving = (isUp: (i: number) => boolean): [number[], number[]] => [
    fill((i) => (isUp(i) ? middle : top)),
    fill((i) => (isUp(i) ? middle + unit : top - unit)),
  ];
  const farAbove: [number[], number[]] = [
    fill((i) => (i === 0 ? max : min)),
    fill((i) => (i === 0 ? max - unit : min)),
  ];
  if (isFraction) {
    yield [base, allUp];
    yield farAbove;
    yield moving((i) => i > 0);
  }
  yield crossing(d, { middle, unit });
  yield [base, allUp];
  yield moving((i) => i < half);
  yield moving((i) => i > 0);
  yield farAbove;
  if (relation.violation(base, allUp) !== undefined) {
    // Only one answer may move. The noise of any may be missing, most often that of the last.
    for (const at of [d - 1, ...fill((i) => i).slice(1, Math.min(d, MOST_MOVED) - 1)]) {
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

/**
 * Returns answers of which at each of several levels one crosses it upwards and the other one downwards, wherever a program's threshold is. The
 * middle level is `middle`.
 */
function crossing(
  d: number,
  { middle, unit }: { readonly middle: number; readonly unit: number },
): [number[], number[]] {
  const levels = Array.from(
    { length: d },
    (_, i) => middle + 2 * unit * ((i >> 1) - ((d - 1) >> 2)) - unit,
  );
  return [
    levels.map((level, i) => level + (i % 2 === 0 ? 0 : 2 * unit)),
    levels.map((level) => level + unit),
  ];
}

/** Yields pairs of datasets of rows: one row is replaced, added or removed. */
function* rowPatterns(space: SearchSpace): Generator<[Dataset, Dataset]> {
  const { domain } = space, { rows, size } = domain;
  const corners = cornerRows(rows).slice(0, CORNERS);
  const allowed = (n: number): boolean => n >= size.min && n <= size.max;
  const longest = Math.min(size.max, size.min + MOST_MORE_ROWS);
  const sizes = [...new Set([...SIZES, size.min, longest])].filter(allowed);
  // Vectors of answers have their own patterns.
  const hasAnswers = areAnswers(space);
  if (rows.type === "vector" || rows.type === "record") {
    yield* structuredPatterns(domain, sizes);
  }
  const levels = { low: corners[0], high: corners[1], centre: corners.at(-1) };
  const across = { from: levels.low, to: levels.high };
  // A row unlike the other one is added first: it changes sums, means, extremes and sizes at once.
  if (allowed(1) && allowed(2)) yield [[levels.high, levels.low], [levels.low]];
  // All sizes by turns: some mechanisms reveal a row only among many, or only the last one.
  for (const common of corners.slice(0, COMMON_CORNERS)) {
    const others = (n: number): unknown[] => repeated(common, Math.max(0, n - 1));
    for (let a = 0; a < corners.length; a++) {
      for (let b = a + 1; b < corners.length; b++) {
        for (const n of sizes) {
          const rest = others(n);
          yield [[corners[a], ...rest], [corners[b], ...rest]];
          if (!hasAnswers) yield [[...rest, corners[a]], [...rest, corners[b]]];
        }
        if (hasAnswers || common !== corners[0] || b > 1) continue;
        for (const n of [3, ...sizes].filter((n) => n > 2 && allowed(n))) {
          yield* inTheMiddle(across, levels, n);
        }
        for (const n of sizes.filter((n) => n > 2)) {
          yield* atQuantiles(across, levels, n);
        }
      }
      for (const n of sizes) yield [[corners[a], ...others(n)], others(n)];
    }
  }
  // Some leaks happen at one size only.
  for (let n = size.min; n <= longest; n++) {
    const rest = repeated(corners[0], n - 1);
    yield [[corners[0], ...rest], [corners[1], ...rest]];
    yield [[corners[1], ...rest], rest];
  }
}
