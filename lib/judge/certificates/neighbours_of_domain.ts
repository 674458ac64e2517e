/**
 * All datasets of a domain, and which of them are neighbours, for the checkers of certificates: with no code of the library.
 *
 * @module
 */
import {
  anything,
  demand,
  entries,
  integer as wholeNumber,
  list,
  number,
  place,
  type Reader,
  record,
  string,
} from "./strict_json.ts";

/** Which rows a dataset may have, and how many. */
export interface CheckedDomain {
  readonly rows: { readonly type: string } & Readonly<Record<string, unknown>>;
  readonly size: { readonly min: number; readonly max: number };
}

const typeOf = record<{ type: string }>({ type: string });
const range = { type: string, min: number, max: number };

/** Reads a specification of rows. */
const rows: Reader<CheckedDomain["rows"]> = (value, where) => {
  switch ((value as { type?: unknown } | null)?.type) {
    case "boolean":
      return typeOf(value, where);
    case "number":
    case "integer":
      return record<{ type: string; min: number; max: number }>(range)(value, where);
    case "category":
      return record<{ type: string; values: unknown[] }>({ type: string, values: list(anything) })(
        value,
        where,
      );
    case "vector":
      return record<{ type: string; length: number; of: unknown }>({
        type: string,
        length: place,
        of: rows,
      })(value, where);
    case "record":
      return record<{ type: string; fields: Map<string, unknown> }>({
        type: string,
        fields: entries(rows),
      })(value, where);
    default:
      throw new Error(`rejected: ${where}: rows of this type are not checked`);
  }
};

/** Reads a domain. */
export const domain: Reader<CheckedDomain> = record<CheckedDomain>({
  rows,
  size: record<{ min: number; max: number }>({ min: place, max: place }),
});

/** Any two texts of a dataset are equal only for equal datasets. */
const textOf = (value: unknown): string => JSON.stringify(value);

function valuesOf(spec: CheckedDomain["rows"]): unknown[] {
  switch (spec.type) {
    case "boolean":
      return [false, true];
    case "category":
      return spec.values as unknown[];
    case "vector": {
      const of = valuesOf(spec.of as CheckedDomain["rows"]);
      return listsOf(of, spec.length as number);
    }
    case "record":
      return [...spec.fields as Map<string, CheckedDomain["rows"]>].reduce<object[]>(
        (records, [name, field]) =>
          records.flatMap((each) => valuesOf(field).map((value) => ({ ...each, [name]: value }))),
        [{}],
      );
    default: {
      const { min, max } = spec as unknown as { min: number; max: number };
      demand(
        spec.type === "integer" && Number.isInteger(min) && max - min < 1e6,
        "rows without end",
      );
      return Array.from({ length: max - min + 1 }, (_, i) => min + i);
    }
  }
}

function listsOf(values: readonly unknown[], length: number): unknown[][] {
  let lists: unknown[][] = [[]];
  for (let i = 0; i < length; i++) {
    demand(lists.length * values.length <= 1e6, "too many datasets to check");
    lists = lists.flatMap((rest) => values.map((value) => [...rest, value]));
  }
  return lists;
}

/** Returns all datasets of a finite domain, the short ones first. */
export function datasetsOf({ rows, size }: CheckedDomain): unknown[] {
  const values = valuesOf(rows), all: unknown[][] = [];
  for (let length = size.min; length <= size.max; length++) all.push(...listsOf(values, length));
  return all;
}

/** Returns true if a relation of this name joins two different datasets; two that are given are neighbours by assertion. */
export function areNeighbours(relation: string, left: unknown, right: unknown): boolean {
  if (textOf(left) === textOf(right)) return false;
  if (relation === "asserted") return true;
  if (!Array.isArray(left) || !Array.isArray(right)) return false;
  if (relation === "add-remove-one") {
    const [short, long] = left.length < right.length ? [left, right] : [right, left];
    return long.length === short.length + 1 &&
      long.some((_, i) => textOf(long.toSpliced(i, 1)) === textOf(short));
  }
  if (left.length !== right.length) return false;
  const changed = left.filter((row, i) => textOf(row) !== textOf(right[i])).length;
  if (relation === "replace-one") return changed === 1;
  const { which, by } = changeOf(relation);
  const changes = left.map((row, i) => right[i] - row);
  // Numbers may move by a trillionth of that more.
  return changes.every((change) => Math.abs(change) <= by * (1 + 2 ** -40)) &&
    (which !== "one" || changed === 1) &&
    (which !== "together" || changes.every((c) => c >= 0) || changes.every((c) => c <= 0));
}

/** Returns how far a relation between lists of answers lets them move. */
export function changeOf(relation: string): { which: string; by: number } {
  const [, which, by] = /^change-(each|one|together)-by-(.+)$/.exec(relation) ?? [];
  demand(which !== undefined && Number(by) > 0, "the relation is not known");
  return { which, by: Number(by) };
}

/**
 * Returns all places of two neighbours among all datasets of a domain, the lower first: for each dataset those that could be its neighbours are
 * made and looked up, for most are not.
 */
export function neighboursIn(domain: CheckedDomain, relation: string): [number, number][] {
  const datasets = datasetsOf(domain) as unknown[][], values = valuesOf(domain.rows);
  if (relation === "asserted") return neighboursAmong(datasets, relation);
  const places = new Map(datasets.map((data, place) => [textOf(data), place]));
  return datasets.flatMap((left, i) => {
    const found = new Set<number>();
    for (const right of changesOf(left, { relation, values })) {
      const j = places.get(textOf(right));
      if (j !== undefined && j > i && areNeighbours(relation, left, right)) found.add(j);
    }
    return [...found].sort((a, b) => a - b).map((j): [number, number] => [i, j]);
  });
}

/** All neighbours of a list that are not shorter, and some lists that are not neighbours. */
function changesOf(
  left: readonly unknown[],
  { relation, values }: { readonly relation: string; readonly values: readonly unknown[] },
): unknown[][] {
  const each = (change: (place: number, value: unknown) => unknown[], places: number) =>
    Array.from({ length: places }, (_, place) => values.map((value) => change(place, value)))
      .flat();
  if (relation === "add-remove-one") {
    return each((place, value) => left.toSpliced(place, 0, value), left.length + 1);
  }
  if (relation === "replace-one") {
    return each((place, value) => left.with(place, value), left.length);
  }
  // All rows may move, each as it could by itself.
  return left.reduce<unknown[][]>((lists, row) => {
    const near = values.filter((value) =>
      textOf(value) === textOf(row) || areNeighbours(relation, [row], [value])
    );
    return lists.flatMap((rest) => near.map((value) => [...rest, value]));
  }, [[]]);
}

/** Returns all places of two neighbours among some datasets, the lower first. */
export function neighboursAmong(
  datasets: readonly unknown[],
  relation: string,
): [number, number][] {
  return datasets.flatMap((left, i) =>
    datasets.flatMap((right, j): [number, number][] =>
      i < j && areNeighbours(relation, left, right) ? [[i, j]] : []
    )
  );
}

/** Reads the SHA-256 of a program's text. */
export const hash: Reader<string> = (value: unknown, where: string): string => {
  demand(typeof value === "string" && /^[0-9a-f]{64}$/.test(value), where);
  return value;
};

/** A fraction of whole numbers, with a denominator above 0. */
export const fraction: Reader<readonly [bigint, bigint]> = (
  value: unknown,
  where: string,
): readonly [bigint, bigint] => {
  const [numerator, denominator, ...more] = string(value, where).split("/");
  demand(more.length === 0, where);
  const parts = [
    wholeNumber(numerator, where),
    denominator === undefined ? 1n : wholeNumber(denominator, where),
  ] as const;
  demand(parts[1] > 0n, where);
  return parts;
};
