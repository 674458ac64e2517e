import type { Dataset } from "../core/dataset.ts";
import type { Pair } from "../core/relation.ts";
import { type SearchSpace, tryPair } from "./propose.ts";

/** How hard a value is to take in: 0 is nothing, ±1 little, then by the digits it takes to write. */
function effort(value: unknown): number {
  if (value === 0 || value === null || value === false || value === "") return 0;
  if (typeof value === "number") {
    return Math.abs(value) === 1 ? 0.5 : 1 + 0.2 * String(value).length;
  }
  if (Array.isArray(value)) return value.reduce((sum: number, x) => sum + effort(x), 0.5);
  if (typeof value === "object") {
    return Object.values(value as object).reduce((sum: number, x) => sum + effort(x), 0.5);
  }
  return 0.6;
}

/** How hard a pair is to take in: rows count most, then rows that differ, then their values. */
export function complexity({ left, right }: Pick<Pair, "left" | "right">): number {
  let sum = 3 * (left.length + right.length);
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    sum += effort(left[i]) + effort(right[i]);
    if (JSON.stringify(left[i]) !== JSON.stringify(right[i])) sum += 1;
  }
  return sum;
}

/** Values simpler than a value, simplest first. */
function simplerValues(value: unknown): unknown[] {
  if (typeof value === "number") {
    const rounded = Math.round(value);
    return [0, 1, -1, Math.trunc(value / 2), rounded].filter((x) => effort(x) < effort(value));
  }
  if (Array.isArray(value)) {
    return value.flatMap((x, i) => simplerValues(x).slice(0, 2).map((y) => value.with(i, y)));
  }
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, x]) =>
      simplerValues(x).slice(0, 2).map((y) => ({ ...value, [key]: y }))
    );
  }
  return [];
}

/**
 * Pairs that are simpler than a pair and still neighbours in the space, boldest first: half of the
 * rows, single rows, all rows moved towards 0, differences taken back, single values.
 */
export function* simplerPairs(space: SearchSpace, pair: Pair): Generator<Pair> {
  const limit = complexity(pair);
  for (const [left, right] of variants(pair)) {
    const simpler = tryPair(space, left, right);
    if (simpler !== undefined && complexity(simpler) < limit - 1e-9) yield simpler;
  }
}

function* variants({ left, right }: Pair): Generator<[Dataset, Dataset]> {
  const n = Math.max(left.length, right.length);
  const without = (data: Dataset, from: number, to: number): Dataset =>
    data.filter((_, i) => i < from || i >= to);
  for (let size = Math.ceil(n / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < n; from += size) {
      yield [without(left, from, from + size), without(right, from, from + size)];
    }
  }
  // Numbers all moved by the same amount, their differences kept.
  const numbers = left.filter((x) => typeof x === "number");
  for (const shift of new Set(numbers)) {
    const moved = (data: Dataset): Dataset =>
      data.map((x) => typeof x === "number" ? x - shift : x);
    yield [moved(left), moved(right)];
  }
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    yield [left, right.with(i, left[i])];
    yield [left.with(i, right[i]), right];
    const a = left[i], b = right[i];
    if (typeof a === "number" && typeof b === "number") {
      for (const to of [0, 1, -1, ...simplerValues(a) as number[]]) {
        yield [left.with(i, to), right.with(i, to + b - a)];
      }
    }
    for (const to of simplerValues(a)) yield [left.with(i, to), right.with(i, to)];
    for (const to of simplerValues(a)) yield [left.with(i, to), right];
    for (const to of simplerValues(b)) yield [left, right.with(i, to)];
  }
  for (let i = Math.min(left.length, right.length); i < n; i++) {
    for (const to of simplerValues(left[i])) yield [left.with(i, to), right];
    for (const to of simplerValues(right[i])) yield [left, right.with(i, to)];
  }
}
