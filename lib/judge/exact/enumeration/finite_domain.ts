import type { Dataset, Domain, RowSpec } from "../../../core/relations/dataset.ts";
import {
  addRemoveOne,
  asserted,
  type Relation,
  replaceOne,
  sameRelation,
} from "../../../core/relations/relation.ts";
import { relationNamed } from "../../../core/relations/relation_named.ts";
import { textLengths } from "../../../core/relations/text_rows.ts";

/** Datasets, or values of a row, up to which memory holds a domain. */
const MOST_DATASETS = 1_000_000;

/** How many datasets there may be. */
interface DatasetLimit {
  /** At most so many, of rows too. Default: a million. */
  readonly most?: number;
}

/**
 * Returns all datasets of a finite domain, the short ones first.
 *
 * @throws {RangeError} when rows are real numbers or texts, of which there is no end, or there are more datasets than `most`.
 *
 * @example
 * ```ts
 * import { datasetsOfDomain } from "./finite_domain.ts";
 * datasetsOfDomain({ rows: { type: "boolean" }, size: { min: 0, max: 1 } }); // [[], [false], [true]]
 * ```
 */
export function datasetsOfDomain(
  { rows, size }: Domain,
  { most = MOST_DATASETS }: DatasetLimit = {},
): Dataset[] {
  const values = rowsOf(rows, most);
  const datasets: Dataset[] = [];
  let layer: Dataset[] = [[]];
  for (let length = 0; length <= size.max; length++) {
    if (length > 0) {
      requireFew(layer.length * values.length + datasets.length, most);
      layer = layer.flatMap((rest) => values.map((row) => [...rest, row]));
    }
    if (length >= size.min) datasets.push(...layer);
  }
  return datasets;
}

/** Two places of neighbours in the list of all datasets, the lower first. */
type Places = readonly [left: number, right: number];

/**
 * Returns all pairs of neighbours in a finite domain, each once and in order, by their places in {@linkcode datasetsOfDomain}. They are made from
 * the relation as they are asked for; all datasets are compared under relations
 * that are not of single rows or answers.
 */
export function neighboursOfDomain(domain: Domain, relation: Relation): Iterable<Places> {
  const places = placesBy(relation);
  return { [Symbol.iterator]: () => places(domain, relation) };
}

function placesBy(relation: Relation): (domain: Domain, relation: Relation) => Iterator<Places> {
  const named = relationNamed(relation.name);
  if (named === undefined || !sameRelation(named, relation)) return byAllPairs;
  if (named === asserted || named.neighbours !== undefined) return byAllPairs;
  return named === addRemoveOne ? byInsertion : bySteps;
}

function* byAllPairs(domain: Domain, relation: Relation): Generator<Places> {
  const datasets = datasetsOfDomain(domain);
  for (const [i, left] of datasets.entries()) {
    for (let j = i + 1; j < datasets.length; j++) {
      if (relation.violation(left, datasets[j]!) === undefined) yield [i, j];
    }
  }
}

/** Yields the places of datasets of which one has one row more. Places in order are numbers with the places of rows as digits, the last row last; `offset` is that of the first of a length. */
function* byInsertion({ rows, size }: Domain): Generator<Places> {
  const base = rowsOf(rows).length;
  let offset = 0;
  for (let length = size.min; length < size.max; length++) {
    const count = base ** length, next = offset + count;
    for (let number = 0; number < count; number++) {
      const longer = new Set<number>();
      for (let unit = 1; unit <= count; unit *= base) {
        const low = number % unit, high = (number - low) * base;
        for (let row = 0; row < base; row++) longer.add(high + row * unit + low);
        if (base === 1) break;
      }
      const found = [...longer].sort((a, b) => a - b);
      for (const each of found) yield [offset + number, next + each];
    }
    offset = next;
  }
}

/** Neighbours of one length, row by row: beginnings that break the relation are not gone on from. */
function* bySteps({ rows, size }: Domain, relation: Relation): Generator<Places> {
  const values = rowsOf(rows), base = values.length;
  const replaces = relation.name === replaceOne.name;
  const one = replaces || relation.name.startsWith("change-one-by-");
  const left: number[] = [], right: number[] = [];
  const rowsAt = (places: readonly number[], end: number): unknown[] =>
    places.slice(0, end).map((place) => values[place]);
  function* from(at: number, number: number, changed: boolean): Generator<number> {
    if (at === left.length) {
      if (changed) yield number;
      return;
    }
    const own = left[at]!, fixed = changed && one;
    // The first row that differs is a later one: each pair comes once.
    for (let row = changed && !fixed ? 0 : own; row < (fixed ? own + 1 : base); row++) {
      right[at] = row;
      const allowed = replaces || row === own && Number.isFinite(values[own]) ||
        relation.violation(rowsAt(left, at + 1), rowsAt(right, at + 1)) === undefined;
      if (allowed) yield* from(at + 1, number * base + row, changed || row !== own);
    }
  }
  let offset = 0;
  for (let length = size.min; length <= size.max; length++) {
    const count = base ** length;
    left.length = length;
    for (let number = 0; number < count; number++) {
      for (let at = length - 1, rest = number; at >= 0; at--) {
        left[at] = rest % base;
        rest = Math.floor(rest / base);
      }
      for (const other of from(0, 0, false)) yield [offset + number, offset + other];
    }
    offset += count;
  }
}

function rowsOf(spec: RowSpec, most = MOST_DATASETS): unknown[] {
  const rows = presentRows(spec, most);
  return spec.missing === true ? [...new Set([...rows, null])] : rows;
}

function presentRows(spec: RowSpec, most: number): unknown[] {
  switch (spec.type) {
    case "boolean":
      return [false, true];
    case "category":
      return [...spec.values];
    case "integer":
      requireFew(spec.max - spec.min + 1, most);
      return Array.from({ length: spec.max - spec.min + 1 }, (_, i) => spec.min + i);
    case "number":
      if (spec.min !== spec.max) throw endless("number", "[0,0.5,1]");
      return [
        spec.min,
        ...spec.nan === true ? [NaN] : [],
        ...spec.infinite === true ? [Infinity, -Infinity] : [],
      ];
    case "text":
      if (textLengths(spec.length)!.max > 0) throw endless("text", '["","a","b"]');
      return [""];
    case "vector": {
      const items = rowsOf(spec.of, most);
      let lists: unknown[][] = [[]];
      for (let i = 0; i < spec.length; i++) {
        requireFew(lists.length * items.length, most);
        lists = lists.flatMap((list) => items.map((item) => [...list, item]));
      }
      const { norm } = spec;
      return norm === undefined
        ? lists
        : lists.filter((list) => Math.hypot(...list as number[]) <= norm);
    }
    case "record": {
      let records: Record<string, unknown>[] = [{}];
      for (const [name, field] of Object.entries(spec.fields)) {
        const values = rowsOf(field, most);
        requireFew(records.length * values.length, most);
        records = records.flatMap((record) =>
          values.map((value) => ({ ...record, [name]: value }))
        );
      }
      return records;
    }
  }
}

function endless(type: string, values: string): RangeError {
  return new RangeError(
    `Cannot enumerate datasets: rows must be of a type with finitely many values: current type is ${type}; {"type":"category","values":${values}} names some`,
  );
}

function requireFew(count: number, most: number): void {
  if (count > most) {
    throw new RangeError(
      `Cannot enumerate datasets: there must be at most ${most}: current number is ${count} or more; take fewer rows or give one pair`,
    );
  }
}
