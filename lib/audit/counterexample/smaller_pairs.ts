import type { Dataset } from "../../core/dataset.ts";
import { type Pair, sameRow } from "../../core/relation.ts";
import { type SearchSpace, tryPair } from "../search/mutate_pairs.ts";

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

/** The rows of both sides that belong together: one of each side, or one where the other side has none. */
type Place = readonly [left: Dataset, right: Dataset];

/** Matches the rows of two neighbours: those at the end that agree, and the others in order. */
function placesOf({ left, right }: Pick<Pair, "left" | "right">): Place[] {
  const shorter = Math.min(left.length, right.length);
  let end = 0;
  while (end < shorter && sameRow(left.at(-1 - end), right.at(-1 - end))) end++;
  const own = (data: Dataset, i: number): Dataset =>
    data.slice(i, Math.min(i + 1, data.length - end));
  const others = Math.max(left.length, right.length) - end;
  return [
    ...Array.from({ length: others }, (_, i): Place => [own(left, i), own(right, i)]),
    ...left.slice(left.length - end).map((row): Place => [[row], [row]]),
  ];
}

/** The datasets of which these are the rows. */
function dataOf(places: readonly Place[]): [Dataset, Dataset] {
  return [places.flatMap(([left]) => left), places.flatMap(([, right]) => right)];
}

function isCommon([left, right]: Place): boolean {
  return left.length === right.length && sameRow(left[0], right[0]);
}

/** How hard a pair is to take in: rows count most, then rows that differ, then their values. */
export function complexity(pair: Pick<Pair, "left" | "right">): number {
  let sum = 0;
  for (const place of placesOf(pair)) {
    for (const row of place.flat()) sum += 3 + effort(row);
    if (!isCommon(place)) sum += 1;
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
 * Pairs that are simpler than a pair and still neighbours in the space, boldest first: without the rows that the
 * sides have in common, without half of the rows, without single ones, all numbers moved towards 0, differences
 * taken back, single values.
 */
export function* smallerPairs(space: SearchSpace, pair: Pair): Generator<Pair> {
  const limit = complexity(pair);
  for (const [left, right] of variants(placesOf(pair))) {
    const simpler = tryPair(space, left, right);
    if (simpler !== undefined && complexity(simpler) < limit - 1e-9) yield simpler;
  }
}

function* variants(places: readonly Place[]): Generator<[Dataset, Dataset]> {
  const n = places.length;
  yield dataOf(places.filter((place) => !isCommon(place)));
  for (let size = Math.ceil(n / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < n; from += size) yield dataOf(places.toSpliced(from, size));
  }
  // Numbers all moved by the same amount, their differences kept.
  const [left, right] = dataOf(places);
  for (const shift of new Set(left.filter((x) => typeof x === "number"))) {
    const moved = (data: Dataset): Dataset =>
      data.map((x) => typeof x === "number" ? x - shift : x);
    yield [moved(left), moved(right)];
  }
  for (const [i, place] of places.entries()) {
    for (const simpler of simplerPlaces(place)) yield dataOf(places.with(i, simpler));
  }
}

/** The rows of one place made simpler: their difference taken back or kept, then one by one. */
function* simplerPlaces([left, right]: Place): Generator<Place> {
  const a = left[0], b = right[0];
  const simplerLeft = left.flatMap(simplerValues), simplerRight = right.flatMap(simplerValues);
  if (left.length === right.length) {
    yield [left, left];
    yield [right, right];
    if (typeof a === "number" && typeof b === "number") {
      for (const to of [0, 1, -1, ...simplerLeft as number[]]) yield [[to], [to + b - a]];
    }
    for (const to of simplerLeft) yield [[to], [to]];
  }
  for (const to of simplerLeft) yield [[to], right];
  for (const to of simplerRight) yield [left, [to]];
}
