import type { Dataset, Domain, RowSpec } from "../../../../lib/core/relations/dataset.ts";
import { type Pair, pairOf, type Relation } from "../../../../lib/core/relations/relation.ts";

/** The extreme rows of a specification, and one between. */
function cornerRows(spec: RowSpec): unknown[] {
  switch (spec.type) {
    case "boolean":
      return [false, true];
    case "category":
      return [...spec.values];
    case "text":
      return [...spec.values ?? []];
    case "number":
      return [spec.min, (spec.min + spec.max) / 2, spec.max];
    case "integer":
      return [...new Set([spec.min, Math.floor((spec.min + spec.max) / 2), spec.max])];
    case "vector": {
      const reach = spec.norm ?? 1;
      return Array.from({ length: spec.length }, (_, j) => j).flatMap((j) =>
        [-reach, reach].map((value) =>
          Array.from({ length: spec.length }, (_, k) => k === j ? value : 0)
        )
      );
    }
    case "record":
      return Object.entries(spec.fields).reduce<Record<string, unknown>[]>(
        (rows, [name, field]) =>
          rows.flatMap((row) => cornerRows(field).map((value) => ({ ...row, [name]: value }))),
        [{}],
      );
  }
}

/** Neighbours of a domain, made of its extreme rows: at most about `most`, evenly chosen. */
export function cornerPairs(
  { rows, size }: Domain,
  { relation, most }: { readonly relation: Relation; readonly most: number },
): Pair[] {
  const corners = cornerRows(rows);
  let datasets: Dataset[] = [[]];
  const all: Dataset[] = [];
  for (let length = 0; length <= Math.min(size.max, Math.max(size.min, 2)); length++) {
    if (length >= size.min) all.push(...datasets);
    const grown = datasets.flatMap((data) => corners.map((row) => [...data, row]));
    // Long datasets have too many corners: every so many of them.
    const stride = Math.ceil(grown.length / 400);
    datasets = grown.filter((_, i) => i % stride === 0);
  }
  const near = relation.name.startsWith("change-each") ? movedPairs(all, relation) : [];
  const pairs: Pair[] = [...near];
  for (let i = 0; i < all.length; i++) {
    for (let j = i + 1; j < all.length; j++) {
      const left = all[i]!, right = all[j]!;
      if (relation.violation(left, right) === undefined) {
        pairs.push(pairOf(relation, { left, right }));
      }
    }
  }
  const stride = Math.max(1, Math.floor(pairs.length / most));
  return pairs.filter((_, i) => i % stride === 0);
}

/** Lists of answers, with some falling by 1 and the others rising. */
function movedPairs(datasets: readonly Dataset[], relation: Relation): Pair[] {
  return datasets.flatMap((data) =>
    data.map((_, one) => {
      const left = data as readonly number[];
      const right = left.map((value, i) => i === one ? value + 1 : value - 1);
      return pairOf<unknown>(relation, { left, right });
    })
  );
}
