import { bareJson } from "../../../core/text/bare_json.ts";
import type { Dataset, Domain, RowSpec } from "../../../core/relations/dataset.ts";
import {
  type NeighbourMaker,
  type Pair,
  pairOf,
  type Relation,
} from "../../../core/relations/relation.ts";
import { changeNamed } from "../../../core/relations/relation_named.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import type { RequiredRules } from "./dataset_rules.ts";
import { cornerRows, isRow, pick, pickIndex, randomRow } from "./row_values.ts";

/** Attempts to make a pair, after which there is none. */
const ATTEMPTS = 40;
/** Rows of the longest random datasets, beyond the smallest size. */
const MOST_MORE_ROWS = 20;
/** The share of datasets that are changed by a move of the relation before neighbours are made of them. */
const MOVED_SHARE = 0.6;

/** The datasets and the relation that pairs are searched in. */
export interface SearchSpace {
  readonly domain: Domain;
  readonly relation: Relation;
  /** Rules that every dataset keeps. */
  readonly required?: RequiredRules;
  /** Numbers that the subject may treat apart. */
  readonly numbers?: readonly number[];
  /** Pairs to look at before all others. */
  readonly suspected?: readonly Pair[];
}

/**
 * Returns the pair of two datasets, with the same rows added to both where a required rule asks for them; `undefined` unless they
 * differ, lie in the domain, keep what is required and are neighbours.
 */
export function tryPair(space: SearchSpace, left: Dataset, right: Dataset): Pair | undefined {
  const pair = exactPair(space, left, right);
  const { required, domain: { size } } = space;
  if (pair !== undefined || required === undefined) return pair;
  let sides = [left, right] as const;
  for (const data of [0, 1] as const) {
    const more = required.missing(sides[data]);
    sides = [[...sides[0], ...more], [...sides[1], ...more]];
  }
  const excess = Math.max(sides[0].length, sides[1].length) - size.max;
  const added = sides[0].length - left.length;
  const [l, r] = excess > 0 ? sides.map((data) => withoutBefore(data, { added, excess })) : sides;
  return exactPair(space, l, r);
}

/** Returns a dataset without `excess` rows before the `added` ones at its end. */
function withoutBefore(
  data: Dataset,
  { added, excess }: { readonly added: number; readonly excess: number },
): Dataset {
  return data.toSpliced(Math.max(0, data.length - added - excess), excess);
}

/** Returns the pair of these two datasets as they are; `undefined` as for {@linkcode tryPair}. */
export function exactPair(
  { domain, relation, required }: SearchSpace,
  left: Dataset,
  right: Dataset,
): Pair | undefined {
  const fits = (data: Dataset): boolean =>
    data.length >= domain.size.min && data.length <= domain.size.max &&
    data.every((row) => isRow(domain.rows, row)) && (required?.keeps(data) ?? true);
  if (!fits(left) || !fits(right)) return undefined;
  if (bareJson(left) === bareJson(right)) return undefined;
  return relation.violation(left, right) === undefined
    ? pairOf(relation, { left, right })
    : undefined;
}

/** Returns a text that two pairs share only if they are the same pair, sides exchanged or not. */
export function keyOf(pair: Pair): string {
  return [bareJson(pair.left), bareJson(pair.right)].sort().join("|");
}

/**
 * Returns a pair that is near another one: some rows changed on both sides, or the difference moved, reversed, enlarged or reduced,
 * or rows added and dropped. `undefined` when {@linkcode ATTEMPTS} attempts make no such pair.
 */
export function mutatePair(space: SearchSpace, pair: Pair, source: Source): Pair | undefined {
  const { relation, domain } = space;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [left, right] = pick(source, MUTATIONS)(space, pair, source);
    const mutated = relation.neighbours === undefined || attempt % 2 === 0
      ? tryPair(space, left, right)
      : pairOfRelation(
        space,
        left.length === 0
          ? left
          : left.with(pickIndex(source, left.length), randomRow(domain.rows, source)),
        source,
      );
    if (mutated !== undefined && keyOf(mutated) !== keyOf(pair)) return mutated;
  }
  return undefined;
}

/** Returns a pair of random rows and a random neighbour of them; `undefined` when {@linkcode ATTEMPTS} attempts make none. */
export function randomPair(space: SearchSpace, source: Source): Pair | undefined {
  const { domain, relation } = space;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (relation.neighbours !== undefined) {
      const made = pairOfRelation(space, anyDataset(space, source), source);
      if (made !== undefined) return made;
      continue;
    }
    const n = domain.size.min +
      pickIndex(
        source,
        Math.min(domain.size.max, domain.size.min + MOST_MORE_ROWS) - domain.size.min + 1,
      );
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

/** Returns a pair of two neighbours that the relation itself makes of a dataset, by way of its moves; `undefined` where it makes none. */
export function pairOfRelation(
  space: SearchSpace,
  data: Dataset,
  source: Source,
): Pair | undefined {
  const { relation, domain } = space;
  const maker: NeighbourMaker = {
    domain,
    row: () => randomRow(domain.rows, source),
    uniform: () => source.uniform(),
  };
  const moves = relation.moves ?? [];
  const moved = moves.length > 0 && source.uniform() < MOVED_SHARE
    ? pick(source, moves)(data, maker)
    : data;
  const sides = relation.neighbours?.(moved, maker);
  if (sides === undefined) return undefined;
  const [left, right] = source.uniform() < 0.5 ? sides : [sides[1], sides[0]];
  return tryPair(space, left, right);
}

/** Returns a dataset of equal rows at a corner of the domain, of different rows at corners, or of random rows; of any size, the longest often. */
export function anyDataset({ domain: { rows, size } }: SearchSpace, source: Source): Dataset {
  const longest = Math.min(size.max, size.min + MOST_MORE_ROWS);
  const length = source.uniform() < 0.4
    ? longest
    : size.min + pickIndex(source, longest - size.min + 1);
  const corners = cornerRows(rows), choice = source.uniform();
  if (choice < 0.4 && corners.length > 0) {
    const row = pick(source, corners.slice(0, 4));
    return Array.from({ length }, () => row);
  }
  return Array.from(
    { length },
    () => choice < 0.7 && corners.length > 0 ? pick(source, corners) : randomRow(rows, source),
  );
}

type Sides = Pick<Pair, "left" | "right">;
type Mutation = (space: SearchSpace, sides: Sides, source: Source) => [Dataset, Dataset];

/** Rows of both sides get the same new value; numbers keep their difference. */
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
      // The difference stays on a side where it does not leave the bounds.
      const { min, max } = domain.rows as { min: number; max: number };
      const gap = b - a;
      if (target + gap > max || target + gap < min) l[i] = target - gap;
      else r[i] = target + gap;
    }
  }
  return [l, r];
};

/** Returns by how much numbers move in one step: as far as a relation between answers allows, else by 1. */
export function unitOf({ name }: Relation): number {
  return changeNamed(name)?.by ?? 1;
}

/** One row of the right side changes: by one unit, to a random row, or back to the left side's. */
const moveOne: Mutation = ({ domain, relation }, { left, right }, source) => {
  const r = [...right];
  if (r.length === 0) return [left, r];
  const i = pickIndex(source, r.length);
  const x = left[i];
  const choice = source.uniform();
  if (typeof x === "number" && choice < 0.5 && domain.rows.type !== "category") {
    r[i] = x + (source.uniform() < 0.5 ? -1 : 1) * unitOf(relation);
  } else if (choice < 0.6) r[i] = x;
  else r[i] = randomRow(domain.rows, source);
  // Where the relation allows a single change, the earlier one is undone.
  if (relation.violation(left, r) !== undefined) {
    for (let k = 0; k < r.length; k++) if (k !== i) r[k] = left[k];
  }
  return [left, r];
};

/** Several answers move at once, each by one unit up or down or not at all. */
const moveMany: Mutation = ({ relation }, { left, right }, source) => {
  const share = source.uniform();
  const agree = source.uniform() < 0.5;
  return [
    left,
    right.map((y, i) => {
      const x = left[i];
      if (typeof x !== "number" || source.uniform() > share) return y;
      return x + (agree || source.uniform() < 0.5 ? 1 : -1) * unitOf(relation);
    }),
  ];
};

/** A row is added to both sides or one, or dropped. */
const resize: Mutation = ({ domain }, { left, right }, source) => {
  const choice = source.uniform();
  const row = randomRow(domain.rows, source);
  if (choice < 0.25) return [[...left, row], [...right, row]];
  if (choice < 0.5) return [left.slice(0, -1), right.slice(0, -1)];
  return choice < 0.75 ? [left, [...left, row]] : [left, left.slice(0, -1)];
};

/** Two places are exchanged on both sides, for it can matter which place differs. */
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

/** On both sides a row becomes another row, or takes one of its fields or places: some leaks need rows that have a value in common. */
const repeat: Mutation = ({ domain: { rows } }, { left, right }, source) => {
  const n = Math.max(left.length, right.length);
  if (n < 2) return [left, right];
  const from = pickIndex(source, n), to = pickIndex(source, n);
  const parts = partsOf(rows), key = parts.length === 0 ? undefined : pick(source, parts);
  // A place of a vector takes what is at any other one.
  const own = rows.type === "vector" ? pickIndex(source, rows.length) : key;
  const repeated = (data: Dataset): Dataset => {
    if (Math.max(from, to) >= data.length) return data;
    const row = data[from], old = data[to];
    if (key === undefined || row === null || old === null) return data.with(to, row);
    const value = (row as Record<string, unknown>)[own!];
    return data.with(
      to,
      Array.isArray(old) ? old.with(key as number, value) : { ...old as object, [key]: value },
    );
  };
  return [repeated(left), repeated(right)];
};

/** Returns the fields of records or the places of vectors, and `undefined` for all of a row; none where rows have no parts. */
function partsOf(rows: RowSpec): (string | number | undefined)[] {
  return rows.type === "record"
    ? [undefined, ...Object.keys(rows.fields)]
    : rows.type === "vector"
    ? [undefined, ...Array(rows.length).keys()]
    : [];
}

const MUTATIONS: readonly Mutation[] = [
  moveBoth,
  moveBoth,
  moveOne,
  moveMany,
  resize,
  permute,
  repeat,
];
