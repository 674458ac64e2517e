import type { Dataset, Domain, RowSpec } from "../../../lib/core/dataset.ts";
import { type Pair, pairOf, type Relation } from "../../../lib/core/relation.ts";
import { randomInteger } from "../../../lib/random/random_integer.ts";
import type { SeededSource } from "../../../lib/random/seeded_source.ts";

/** A row of the specification: corners mostly. */
export function testRow(spec: RowSpec, source: SeededSource): unknown {
  const one = <T>(values: readonly T[]): T =>
    values[randomInteger(source, { below: values.length })]!;
  switch (spec.type) {
    case "number":
      return one([spec.min, spec.max, spec.min + (spec.max - spec.min) * source.uniform()]);
    case "integer":
      return one([
        spec.min,
        spec.max,
        spec.min + randomInteger(source, { below: spec.max - spec.min + 1 }),
      ]);
    case "boolean":
      return one([false, true]);
    case "category":
      return one(spec.values);
    case "text":
      return one(spec.values ?? ["a", "b"]);
    case "vector": {
      const corner = Array.from({ length: spec.length }, () => 0);
      corner[randomInteger(source, { below: spec.length })] = one([-1, 1]) * (spec.norm ?? 1);
      return corner;
    }
    case "record":
      return Object.fromEntries(
        Object.entries(spec.fields).map(([name, field]) => [name, testRow(field, source)]),
      );
  }
}

/** A dataset of the domain. */
export function testDataset({ rows, size }: Domain, source: SeededSource): unknown[] {
  const length = size.min + randomInteger(source, { below: size.max - size.min + 1 });
  return Array.from({ length }, () => testRow(rows, source));
}

/** Pairs of neighbours of the domain, corners mostly. */
export function testPairs(
  { domain, relation, count }: { domain: Domain; relation: Relation; count: number },
  source: SeededSource,
): Pair[] {
  return Array.from({ length: count }, () => {
    const left = testDataset(domain, source);
    const at = left.length === 0 ? 0 : randomInteger(source, { below: left.length });
    let right: Dataset;
    if (relation.name === "add-remove-one") {
      right = left.length > domain.size.min
        ? left.toSpliced(at, 1)
        : left.toSpliced(at, 0, testRow(domain.rows, source));
    } else if (relation.name === "replace-one") {
      right = left.with(at, testRow(domain.rows, source));
    } else {
      // Each answer changes by up to 1: one against all others is what selections are worst at.
      const alone = source.uint32() % 2 === 0;
      right = left.map((value, i) =>
        Number(value) + (alone ? (i === at ? 1 : -1) : randomInteger(source, { below: 3 }) - 1)
      );
    }
    return pairOf(relation, { left, right });
  });
}
