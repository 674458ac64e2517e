import type { Dataset, Domain, RowSpec } from "../../core/dataset.ts";
import type { Relation } from "../../core/relation.ts";

/** Datasets up to which a domain is enumerated. */
const MOST_DATASETS = 2000;

/**
 * All datasets of a finite domain, the short ones first.
 *
 * @throws {RangeError} when rows are real numbers, of which there is no end, or there are more than 2,000 datasets.
 *
 * @example
 * ```ts
 * import { datasetsOfDomain } from "./finite_domain.ts";
 * datasetsOfDomain({ rows: { type: "boolean" }, size: { min: 0, max: 1 } }); // [[], [false], [true]]
 * ```
 */
export function datasetsOfDomain({ rows, size }: Domain): Dataset[] {
  const values = rowsOf(rows);
  const datasets: Dataset[] = [];
  let layer: Dataset[] = [[]];
  for (let length = 0; length <= size.max; length++) {
    if (length > 0) {
      requireFew(layer.length * values.length + datasets.length);
      layer = layer.flatMap((rest) => values.map((row) => [...rest, row]));
    }
    if (length >= size.min) datasets.push(...layer);
  }
  return datasets;
}

/** All pairs of different neighbours among some datasets, each once, by their places. */
export function neighboursAmong(
  datasets: readonly Dataset[],
  relation: Relation,
): (readonly [left: number, right: number])[] {
  const pairs: (readonly [number, number])[] = [];
  datasets.forEach((left, i) => {
    for (let j = i + 1; j < datasets.length; j++) {
      if (relation.violation(left, datasets[j]!) === undefined) pairs.push([i, j]);
    }
  });
  return pairs;
}

function rowsOf(spec: RowSpec): unknown[] {
  switch (spec.type) {
    case "boolean":
      return [false, true];
    case "category":
      return [...spec.values];
    case "integer":
      requireFew(spec.max - spec.min + 1);
      return Array.from({ length: spec.max - spec.min + 1 }, (_, i) => spec.min + i);
    case "number":
      if (spec.min === spec.max) return [spec.min];
      throw new RangeError(
        'Cannot enumerate datasets: rows must be of a type with finitely many values: current type is number; {"type":"category","values":[0,0.5,1]} names some',
      );
    case "vector": {
      const items = rowsOf(spec.of);
      let lists: unknown[][] = [[]];
      for (let i = 0; i < spec.length; i++) {
        requireFew(lists.length * items.length);
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
        const values = rowsOf(field);
        requireFew(records.length * values.length);
        records = records.flatMap((record) =>
          values.map((value) => ({ ...record, [name]: value }))
        );
      }
      return records;
    }
  }
}

function requireFew(count: number): void {
  if (count > MOST_DATASETS) {
    throw new RangeError(
      `Cannot enumerate datasets: there must be at most ${MOST_DATASETS}: current number is ${count} or more; take fewer rows or give one pair`,
    );
  }
}
