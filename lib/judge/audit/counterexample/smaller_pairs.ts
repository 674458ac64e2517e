import type { Dataset } from "../../../core/relations/dataset.ts";
import { type Pair, sameRow } from "../../../core/relations/relation.ts";
import { type SearchSpace, tryPair } from "../search/mutate_pairs.ts";

/** The amounts that a row and a differing row add to the complexity of a pair, beside that of their values. */
const ROW = 3, DIFFERENCE = 1;
/** Complexities that are less apart than this are equal. */
const ROUNDING = 1e-9;

/** Returns the complexity of a value: 0 for zero and empty values, little for ±1, otherwise by the number of digits. */
function valueComplexity(value: unknown): number {
  if (value === 0 || value === null || value === false || value === "") return 0;
  if (typeof value === "number") {
    return Math.abs(value) === 1 ? 0.5 : 1 + 0.2 * String(value).length;
  }
  if (Array.isArray(value)) return value.reduce((sum: number, x) => sum + valueComplexity(x), 0.5);
  if (typeof value === "object") {
    return Object.values(value as object).reduce((sum: number, x) => sum + valueComplexity(x), 0.5);
  }
  return typeof value === "string" ? 0.6 + 0.02 * (value.length - 1) : 0.6;
}

/** Corresponding rows of both sides: one of each side, or one of a side alone. */
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

/** Returns the two datasets with these rows. */
function dataOf(places: readonly Place[]): [Dataset, Dataset] {
  return [places.flatMap(([left]) => left), places.flatMap(([, right]) => right)];
}

function isCommon([left, right]: Place): boolean {
  return left.length === right.length && sameRow(left[0], right[0]);
}

/** Returns the complexity of a pair to a reader: its rows count most, then its differing rows, then their values. */
function complexity(pair: Pick<Pair, "left" | "right">): number {
  let sum = 0;
  for (const place of placesOf(pair)) {
    for (const row of place.flat()) sum += ROW + valueComplexity(row);
    if (!isCommon(place)) sum += DIFFERENCE;
  }
  return sum;
}

/** Returns values simpler than a value, simplest first. */
function simplerValues(value: unknown): unknown[] {
  if (typeof value === "number") {
    const rounded = Math.round(value);
    return [0, 1, -1, Math.trunc(value / 2), rounded].filter((x) =>
      valueComplexity(x) < valueComplexity(value)
    );
  }
  if (typeof value === "string") {
    return ["", "a", value.slice(0, value.length / 2)].filter((x) =>
      valueComplexity(x) < valueComplexity(value)
    );
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
 * Yields pairs that are simpler than a pair and still neighbours in the space, the largest reductions first: without the rows that
 * the sides have in common, without half of the rows, without single ones, all numbers moved towards 0, differences
 * removed, single values made simpler.
 */
export function* smallerPairs(space: SearchSpace, pair: Pair): Generator<Pair> {
  const limit = complexity(pair);
  for (const [left, right] of variants(placesOf(pair))) {
    const simpler = tryPair(space, left, right);
    if (simpler !== undefined && complexity(simpler) < limit - ROUNDING) yield simpler;
  }
}

function* variants(places: readonly Place[]): Generator<[Dataset, Dataset]> {
  const n = places.length;
  yield dataOf(places.filter((place) => !isCommon(place)));
  for (let size = Math.ceil(n / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < n; from += size) yield dataOf(places.toSpliced(from, size));
  }
  // All numbers move by the same amount and keep their differences.
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

/** Yields simpler rows in one place: with their difference removed or kept, then one row at a time. */
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
