import { requireFields, requireKind } from "../numeric/require.ts";
import type { Dataset, Domain } from "./dataset.ts";

/** @internal */
declare const branded: unique symbol;

/**
 * Two neighbouring datasets. Only {@linkcode pairOf} makes one, and it asks the relation first: a
 * pair is a pair by construction.
 */
export interface Pair<Row = unknown> {
  /** One of the two. */
  readonly left: Dataset<Row>;
  /** The other. */
  readonly right: Dataset<Row>;
  /** Under which they are neighbours. */
  readonly relation: Relation;
  /** @internal */
  readonly [branded]: true;
}

/** Means by which a relation makes neighbours: the datasets of a search, and its randomness. */
export interface NeighbourMaker {
  /** The datasets that the search may try. */
  readonly domain: Domain;
  /** A row of the domain; those at its corners often. */
  row(): unknown;
  /** A number of the open interval (0, 1). */
  uniform(): number;
}

/**
 * When two datasets are neighbours. Every relation here is symmetric. A relation of your own is known by its
 * identity, not by its name: make it once. `neighbours`, `moves` and `distance` are what a search asks; a relation without them
 * is searched by replacing, adding and moving single rows.
 */
export interface Relation {
  /** The name used on the command line, in reports and in JSON: of this library's relations it says all. */
  readonly name: string;
  /** One sentence for a reader. */
  readonly description: string;
  /** `undefined` if the two are neighbours, otherwise the rule that they break. Never prints rows. */
  violation(left: Dataset, right: Dataset): string | undefined;
  /** Two neighbours that are made of a dataset, as far apart as they may be or nearer; `undefined` where none come to mind. */
  neighbours?(data: Dataset, maker: NeighbourMaker): readonly [Dataset, Dataset] | undefined;
  /** Changes of a dataset that let its neighbours differ in more rows: several rows are given one key, or several edges one node. */
  readonly moves?: readonly ((data: Dataset, maker: NeighbourMaker) => Dataset)[];
  /** How far two neighbours are apart, in the relation's own unit. A search tries the farthest first. */
  distance?(left: Dataset, right: Dataset): number;
  /** The farthest that neighbours are apart, where options and assertions state amounts for a unit of distance (metric privacy). A claim is about neighbours. */
  readonly reach?: number;
}

/** Relations of this library: one of them is known by its name. */
const canonical = new WeakSet<Relation>();

/**
 * Freezes a relation of this library and marks it as one whose name says all of it: two that are called alike, say
 * of `changeEach({ by: 1 })` called twice, are the same.
 */
export function canonicalRelation(relation: Relation): Relation {
  const frozen = Object.freeze({ ...relation });
  canonical.add(frozen);
  return frozen;
}

/**
 * Returns true if two relations are known to relate the same datasets: they are one object, or both are this
 * library's and are called alike. Two of your own with one name are different.
 */
export function sameRelation(left: Relation, right: Relation): boolean {
  return left === right ||
    (canonical.has(left) && canonical.has(right) && left.name === right.name);
}

/** Rows are compared by value: as JSON, but telling NaN, the infinities and -0 apart. */
export function sameRow(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) {
    return false;
  }
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  const a = left as Record<string, unknown>, b = right as Record<string, unknown>;
  return keys.every((key) => Object.hasOwn(b, key) && sameRow(a[key], b[key]));
}

/** Bounded differential privacy: same size, at most one row replaced by another. */
export const replaceOne: Relation = canonicalRelation({
  name: "replace-one",
  description: "one row is replaced by another",
  violation(left, right): string | undefined {
    if (left.length !== right.length) {
      return `both sides must have the same number of rows: ${left.length} and ${right.length}`;
    }
    let changed = 0;
    for (const [i, row] of left.entries()) if (!sameRow(row, right[i])) changed++;
    return changed <= 1 ? undefined : `at most one row may differ: ${changed} do`;
  },
});

/** Unbounded differential privacy: one side has one row more, at any place; else they agree in order. */
export const addRemoveOne: Relation = canonicalRelation({
  name: "add-remove-one",
  description: "one row is added or removed",
  violation(left, right): string | undefined {
    const [short, long] = [left, right].toSorted((a, b) => a.length - b.length) as [
      Dataset,
      Dataset,
    ];
    if (long.length - short.length !== 1) {
      return `the sizes must differ by exactly one: ${left.length} and ${right.length}`;
    }
    // 1 from the first row on that the shorter side lacks.
    let skipped = 0;
    for (const [i, row] of short.entries()) {
      if (sameRow(long[i + skipped], row)) continue;
      skipped = 1;
      if (!sameRow(long[i + 1], row)) return "the other rows must agree, in order";
    }
    return undefined;
  },
});

/** Relative rounding error allowed where a distance stated in decimals is compared in doubles: too small to show in an audit. */
export const ROUNDING: number = 2 ** -40;

/**
 * Returns the relation of vectors of answers to queries of sensitivity `by`: the dataset is the list of true answers, and
 * between neighbours each may move by at most `by`, and for rounding by a trillionth of it more. This is the input that
 * noisy max, sparse vector and their kin are stated for (Dwork, Roth 2014, section 3.3 and 3.6).
 */
export function changeEach(options: { by: number }): Relation {
  const { by } = requireFields("changeEach", options, {});
  if (!(by > 0 && Number.isFinite(by))) {
    throw new RangeError(
      `Cannot make a relation: by must be positive and finite: current value is ${by}`,
    );
  }
  return canonicalRelation({
    name: `change-each-by-${by}`,
    description: `each answer changes by at most ${by}`,
    violation(left, right): string | undefined {
      if (left.length !== right.length) {
        return `both sides must have the same number of answers: ${left.length} and ${right.length}`;
      }
      for (let i = 0; i < left.length; i++) {
        const [a, b] = [left[i], right[i]];
        if (typeof a !== "number" || typeof b !== "number") {
          return `answer ${i + 1} must be a number`;
        }
        if (!(Math.abs(a - b) <= by * (1 + ROUNDING))) {
          return `answer ${i + 1} may change by at most ${by}`;
        }
      }
      return undefined;
    },
  });
}

/**
 * Like {@linkcode changeEach}, but only one answer moves: the cells of a histogram when one person,
 * who counts in one cell, is added or removed.
 */
export function changeOne(options: { by: number }): Relation {
  const { by } = requireFields("changeOne", options, {});
  const each = changeEach({ by });
  return canonicalRelation({
    name: `change-one-by-${by}`,
    description: `one answer changes by at most ${by}`,
    violation: (left, right) => each.violation(left, right) ?? replaceOne.violation(left, right),
  });
}

/**
 * Like {@linkcode changeEach}, but all answers rise or all fall: monotone queries, such as counts, when one person is added or removed
 * (Dwork, Roth 2014, section 3.3). Some may stay as they are.
 */
export function changeTogether(options: { by: number }): Relation {
  const { by } = requireFields("changeTogether", options, {});
  const each = changeEach({ by });
  return canonicalRelation({
    name: `change-together-by-${by}`,
    description: `all answers rise, or all fall, each by at most ${by}`,
    violation(left, right): string | undefined {
      const broken = each.violation(left, right);
      if (broken !== undefined) return broken;
      const changes = left.map((answer, i) => (right[i] as number) - (answer as number));
      return changes.some((change) => change > 0) && changes.some((change) => change < 0)
        ? "answers must all rise or all fall: some do either"
        : undefined;
    },
  });
}

/** Neighbours because the user says so: any two datasets handed over as they are. */
export const asserted: Relation = canonicalRelation({
  name: "asserted",
  description: "the two datasets are neighbours by the user's word",
  violation: () => undefined,
});

/**
 * Makes a pair after asking the relation.
 *
 * @throws {RangeError} when the two are not neighbours under it.
 */
export function pairOf<Row>(
  relation: Relation,
  options: { left: Dataset<Row>; right: Dataset<Row> },
): Pair<Row> {
  requireKind("pairOf", "relation", relation, "relation");
  // Datasets that are passed on unchanged may be of any kind.
  const { left, right } = relation.name === asserted.name
    ? requireFields("pairOf", options, {})
    : requireFields("pairOf", options, { left: "list", right: "list" });
  const violation = relation.violation(left, right);
  if (violation !== undefined) {
    throw new RangeError(`Cannot make a pair under ${relation.name}: ${violation}`);
  }
  return { left, right, relation } as Pair<Row>;
}
