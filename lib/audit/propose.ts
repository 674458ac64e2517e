import type { Dataset, Domain, RowSpec } from "../core/dataset.ts";
import { type Pair, pairOf, type Relation } from "../core/relation.ts";
import type { Source } from "../core/source.ts";
import { cornerRows, isRow, pick, pickIndex, randomRow } from "./row_values.ts";

/** Where pairs may come from. */
export interface SearchSpace {
  readonly domain: Domain;
  readonly relation: Relation;
}

/** A pair if the two are neighbours inside the domain and differ at all. */
export function tryPair(
  { domain, relation }: SearchSpace,
  left: Dataset,
  right: Dataset,
): Pair | undefined {
  const fits = (data: Dataset): boolean =>
    data.length >= domain.size.min && data.length <= domain.size.max &&
    data.every((row) => isRow(domain.rows, row));
  if (!fits(left) || !fits(right)) return undefined;
  if (JSON.stringify(left) === JSON.stringify(right)) return undefined;
  return relation.violation(left, right) === undefined
    ? pairOf(relation, { left, right })
    : undefined;
}

/**
 * The pairs to begin with, those that have broken most mechanisms first: for vectors of query
 * answers the patterns of StatDP and DP-Sniper (one or all answers move, half go up and half down,
 * the first or the last goes against the rest) and big gaps at the domain's corners; for rows, corner values replaced,
 * added and removed among equal and unequal rows, for several sizes.
 */
export function firstPairs(space: SearchSpace): Pair[] {
  const candidates = [...answerPatterns(space), ...rowPatterns(space)];
  const pairs = new Map<string, Pair>();
  for (const [left, right] of candidates) {
    const pair = tryPair(space, left, right);
    if (pair !== undefined) pairs.set(keyOf(pair), pair);
  }
  return [...pairs.values()];
}

/** Two pairs with the same key are the same pair, sides exchanged or not. */
export function keyOf(pair: Pair): string {
  return [JSON.stringify(pair.left), JSON.stringify(pair.right)].sort().join("|");
}

function isNumeric(rows: RowSpec): rows is Extract<RowSpec, { min: number }> {
  return rows.type === "number" || rows.type === "integer";
}

/** Answers of which each is moved on its own. */
const MOST_PLACES = 16;

function* answerPatterns({ domain, relation }: SearchSpace): Generator<[Dataset, Dataset]> {
  const { rows, size } = domain;
  if (!isNumeric(rows)) return;
  const d = size.min;
  const half = Math.floor(d / 2);
  const fill = (f: (i: number) => number): number[] => Array.from({ length: d }, (_, i) => f(i));
  // The unit by which one answer may move: 1 unless the relation says less.
  const [probe, moved] = [fill(() => rows.min), fill((i) => (i === 0 ? rows.min + 1 : rows.min))];
  const unit = relation.violation(probe, moved) === undefined ? 1 : rows.max - rows.min;
  const middle = Math.min(rows.max - unit, Math.max(rows.min + unit, 1));
  const base = fill(() => middle);
  const { min, max } = rows;
  const allUp = fill(() => middle + unit);
  yield [base, fill((i) => middle + (i < half ? unit : -unit))];
  yield [base, allUp];
  yield [base, fill((i) => middle + (i === 0 ? -unit : unit))];
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
  yield [base, fill((i) => middle + (i === d - 1 ? -unit : unit))];
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

function* rowPatterns({ domain }: SearchSpace): Generator<[Dataset, Dataset]> {
  const { rows, size } = domain;
  const corners = cornerRows(rows).slice(0, 6);
  const sizes = [...new Set([1, 2, 5, size.min, Math.min(size.max, size.min + 20)])]
    .filter((n) => n >= size.min && n <= size.max);
  // A vector of answers, for which there are patterns of its own.
  const areAnswers = isNumeric(rows) && size.min === size.max;
  // All sizes by turns: some mechanisms tell more of many rows, or of the last one only.
  for (const common of corners.slice(0, 3)) {
    const others = (n: number): unknown[] =>
      Array.from({ length: Math.max(0, n - 1) }, () => common);
    for (let a = 0; a < corners.length; a++) {
      for (let b = a + 1; b < corners.length; b++) {
        for (const n of sizes) {
          const rest = others(n);
          yield [[corners[a], ...rest], [corners[b], ...rest]];
          if (!areAnswers) yield [[...rest, corners[a]], [...rest, corners[b]]];
        }
      }
      for (const n of sizes) yield [[corners[a], ...others(n)], others(n)];
    }
  }
}

/**
 * A neighbour of a pair in the space of pairs: some rows changed on both sides, or the difference
 * moved, turned round, enlarged or reduced, or rows added and dropped. `undefined` when a few tries
 * found nothing that is a pair.
 */
export function mutatePair(space: SearchSpace, pair: Pair, source: Source): Pair | undefined {
  for (let attempt = 0; attempt < 40; attempt++) {
    const [left, right] = pick(source, MUTATIONS)(space, pair, source);
    const mutated = tryPair(space, left, right);
    if (mutated !== undefined && keyOf(mutated) !== keyOf(pair)) return mutated;
  }
  return undefined;
}

/** A pair unlike any other: random rows, then a random neighbour. */
export function randomPair(space: SearchSpace, source: Source): Pair | undefined {
  const { domain } = space;
  for (let attempt = 0; attempt < 40; attempt++) {
    const n = domain.size.min +
      pickIndex(source, Math.min(domain.size.max, domain.size.min + 20) - domain.size.min + 1);
    const left = Array.from({ length: n }, () => randomRow(domain.rows, source));
    const [, right] = pick(source, [moveOne, moveMany, resize])(
      space,
      { left, right: left },
      source,
    );
    const pair = tryPair(space, left, right);
    if (pair !== undefined) return pair;
  }
  return undefined;
}

type Sides = Pick<Pair, "left" | "right">;
type Mutation = (space: SearchSpace, sides: Sides, source: Source) => [Dataset, Dataset];

/** Rows of both sides move together, their difference kept (numbers) or erased (others). */
const moveBoth: Mutation = ({ domain }, { left, right }, source) => {
  const n = Math.min(left.length, right.length);
  const l = [...left], r = [...right];
  if (n === 0) return [l, r];
  const first = pickIndex(source, n), count = source.uniform() < 0.5 ? 1 : 1 + pickIndex(source, n);
  const target = randomRow(domain.rows, source);
  for (let k = 0; k < count; k++) {
    const i = (first + k) % n;
    const a = l[i], b = r[i];
    l[i] = target;
    r[i] = target;
    if (typeof a === "number" && typeof b === "number" && typeof target === "number") {
      // Keep the difference inside the bounds by moving whichever side has room.
      const { min, max } = domain.rows as { min: number; max: number };
      const gap = b - a;
      if (target + gap > max || target + gap < min) l[i] = target - gap;
      else r[i] = target + gap;
    }
  }
  return [l, r];
};

/** One row of the right side changes on its own: by one unit, to a corner, or back to the left's. */
const moveOne: Mutation = ({ domain, relation }, { left, right }, source) => {
  const r = [...right];
  if (r.length === 0) return [left, r];
  const i = pickIndex(source, r.length);
  const x = left[i];
  const choice = source.uniform();
  if (typeof x === "number" && choice < 0.5 && domain.rows.type !== "category") {
    r[i] = x + (source.uniform() < 0.5 ? -1 : 1);
  } else if (choice < 0.6) r[i] = x;
  else r[i] = randomRow(domain.rows, source);
  // Relations that allow a single change take the former one back.
  if (relation.violation(left, r) !== undefined) {
    for (let k = 0; k < r.length; k++) if (k !== i) r[k] = left[k];
  }
  return [left, r];
};

/** Several answers move at once, each by one unit up or down or not at all. */
const moveMany: Mutation = (_, { left, right }, source) => {
  const share = source.uniform();
  const agree = source.uniform() < 0.5;
  return [
    left,
    right.map((y, i) => {
      const x = left[i];
      if (typeof x !== "number" || source.uniform() > share) return y;
      return x + (agree || source.uniform() < 0.5 ? 1 : -1);
    }),
  ];
};

/** Rows are added to, or dropped from, both sides or one. */
const resize: Mutation = ({ domain }, { left, right }, source) => {
  const choice = source.uniform();
  const row = randomRow(domain.rows, source);
  if (choice < 0.25) return [[...left, row], [...right, row]];
  if (choice < 0.5) return [left.slice(0, -1), right.slice(0, -1)];
  return choice < 0.75 ? [left, [...left, row]] : [left, left.slice(0, -1)];
};

/** The two sides are placed elsewhere in order: which coordinate differs can matter. */
const permute: Mutation = (_, { left, right }, source) => {
  const n = Math.min(left.length, right.length);
  if (n < 2) return [left, right];
  const i = pickIndex(source, n), j = pickIndex(source, n);
  const exchange = (data: Dataset): Dataset => {
    const copy = [...data];
    [copy[i], copy[j]] = [copy[j], copy[i]];
    return copy;
  };
  return [exchange(left), exchange(right)];
};

const MUTATIONS: readonly Mutation[] = [moveBoth, moveBoth, moveOne, moveMany, resize, permute];
