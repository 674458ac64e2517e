import type { Dataset, Domain, RowSpec } from "../../../core/relations/dataset.ts";
import type { Pair } from "../../../core/relations/relation.ts";
import { exactPair, type SearchSpace } from "./mutate_pairs.ts";
import { isRow } from "./row_values.ts";

/** Of domains of more datasets than this not all pairs are looked at. */
const MOST_DATASETS = 128;

/** A pair of datasets, and their places in the list of datasets. */
export interface PlacedPair {
  readonly pair: Pair;
  readonly left: number;
  readonly right: number;
}

/** Returns all datasets of a space and their pairs, where they are few; nothing otherwise. */
export function fewPairs(
  space: SearchSpace,
): { readonly datasets: readonly Dataset[]; readonly pairs: readonly PlacedPair[] } {
  const datasets = (fewDatasets(space.domain, MOST_DATASETS) ?? [])
    .filter((data) => space.required?.keeps(data) ?? true);
  const pairs: PlacedPair[] = [];
  datasets.forEach((data, left) => {
    for (let right = left + 1; right < datasets.length; right++) {
      const pair = exactPair(space, data, datasets[right]!);
      if (pair !== undefined) pairs.push({ pair, left, right });
    }
  });
  return { datasets, pairs };
}

/** Returns all datasets of a domain if there are at most `most`, shorter ones first; `undefined` if there are more. */
export function fewDatasets({ rows, size }: Domain, most: number): Dataset[] | undefined {
  const values = fewRows(rows, most);
  if (values === undefined) return undefined;
  const longest = values.length === 0 ? 0 : size.max;
  const datasets: Dataset[] = [];
  for (let length = size.min; length <= longest; length++) {
    if (datasets.length + values.length ** length > most) return undefined;
    datasets.push(...tuples(Array.from({ length }, () => values)));
  }
  return datasets;
}

/** Returns all rows of a specification if there are at most `most`. */
function fewRows(spec: RowSpec, most: number): unknown[] | undefined {
  const rows = fewOf(spec, most);
  return spec.missing === true && rows !== undefined ? [...new Set([...rows, null])] : rows;
}

function fewOf(spec: RowSpec, most: number): unknown[] | undefined {
  switch (spec.type) {
    case "number":
    case "text":
      return undefined;
    case "integer": {
      const least = Math.ceil(spec.min), count = Math.max(0, Math.floor(spec.max) - least + 1);
      return count <= most ? Array.from({ length: count }, (_, k) => least + k) : undefined;
    }
    case "boolean":
      return [false, true];
    case "category":
      return spec.values.length <= most ? [...spec.values] : undefined;
    case "vector":
      return fewTuples(Array.from({ length: spec.length }, () => spec.of), most)
        ?.filter((row) => isRow(spec, row));
    case "record": {
      const keys = Object.keys(spec.fields);
      return fewTuples(Object.values(spec.fields), most)
        ?.map((row) => Object.fromEntries(row.map((value, k) => [keys[k]!, value])));
    }
  }
}

/** Returns all combinations of one row of each specification if there are at most `most`. */
function fewTuples(specs: readonly RowSpec[], most: number): unknown[][] | undefined {
  const parts = specs.map((spec) => fewRows(spec, most));
  if (!parts.every((part) => part !== undefined)) return undefined;
  return parts.reduce((count, part) => count * part.length, 1) <= most ? tuples(parts) : undefined;
}

/** Returns all combinations of one element of each part, the last part changing fastest. */
function tuples(parts: readonly (readonly unknown[])[]): unknown[][] {
  return parts.reduce<unknown[][]>(
    (begun, part) => begun.flatMap((tuple) => part.map((value) => [...tuple, value])),
    [[]],
  );
}
