import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import fc from "fast-check";
import { isRow } from "../../../lib/judge/audit/search/row_values.ts";
import { datasets, neighbours } from "../../../lib/judge/testing/arbitraries.ts";
import { sameRow } from "../../../lib/core/relations/relation.ts";
import {
  addRemoveOne,
  changeEach,
  changeOne,
  type Domain,
  type Relation,
  replaceOne,
} from "../../../mod.ts";

const record: Domain = {
  rows: {
    type: "record",
    fields: {
      features: { type: "vector", length: 2, of: { type: "number", min: -1, max: 1 }, norm: 1 },
      group: { type: "category", values: ["a", "b"] },
      age: { type: "integer", min: 0, max: 120 },
      smokes: { type: "boolean" },
    },
  },
  size: { min: 1, max: 5 },
};
const answers: Domain = { rows: { type: "number", min: 0, max: 10 }, size: { min: 1, max: 6 } };
const counts: Domain = { rows: { type: "integer", min: 0, max: 10 }, size: { min: 1, max: 6 } };
const forgotten: Domain = {
  rows: {
    type: "record",
    fields: {
      age: { type: "number", min: 0, max: 120, nan: true, infinite: true, missing: true },
      name: { type: "text", length: "0..8", values: ["Ann"] },
    },
    missing: true,
  },
  size: { min: 1, max: 6 },
};
const settings = { seed: 11, numRuns: 300 };

Deno.test("datasets() reaches NaN, infinities, null, the empty text, usual and unseen ones", () => {
  const ages = new Set<unknown>(), names = new Set<unknown>();
  let missing = 0;
  fc.assert(
    fc.property(datasets<{ age: unknown; name: string } | null>(forgotten), (data) => {
      assert(data.every((row) => isRow(forgotten.rows, row)));
      for (const row of data) {
        missing += Number(row === null);
        ages.add(row?.age);
        names.add(row?.name);
      }
    }),
    settings,
  );
  for (const age of [NaN, Infinity, -Infinity, null, 0]) assert(ages.has(age), String(age));
  assert(names.has("") && names.has("Ann") && names.size > 100 && missing > 0);
});

Deno.test("datasets() stays inside its domain and reaches every size", () => {
  const sizes = new Set<number>();
  fc.assert(
    fc.property(datasets(record), (data) => {
      sizes.add(data.length);
      assert(data.every((row) => isRow(record.rows, row)));
    }),
    settings,
  );
  assertEquals([...sizes].sort(), [1, 2, 3, 4, 5]);
});

const relations: readonly [Domain, Relation][] = [
  [record, replaceOne],
  [record, addRemoveOne],
  [forgotten, addRemoveOne],
  [answers, changeEach({ by: 1 })],
  [answers, changeOne({ by: 0.5 })],
  [counts, changeEach({ by: 2 })],
];
for (const [domain, relation] of relations) {
  Deno.test(`neighbours() are different neighbours inside the domain under ${relation.name}`, () => {
    fc.assert(
      fc.property(neighbours(domain, relation), ({ left, right }) => {
        assertEquals(relation.violation(left, right), undefined);
        assert(!sameRow(left, right));
        for (const row of [...left, ...right]) assert(isRow(domain.rows, row));
      }),
      settings,
    );
  });
}

Deno.test("neighbours() moves answers by all that the relation allows, in any place, several at once", () => {
  let most = 0, several = 0;
  const places = new Set<number>();
  fc.assert(
    fc.property(neighbours<number>(answers, changeEach({ by: 1 })), ({ left, right }) => {
      const moves = left.map((x, i) => Math.abs(x - right[i]!));
      most = Math.max(most, ...moves);
      several = Math.max(several, moves.filter((move) => move > 0).length);
      moves.forEach((move, i) => move > 0 && places.add(i));
    }),
    settings,
  );
  assert(most > 0.999 && several >= 4 && places.size === 6);
});

Deno.test("neighbours() finds the pair that breaks a wrong bound", () => {
  // The law "sums of neighbours are at most 5 apart" is wrong: a row may change by 10.
  const law = fc.property(
    neighbours<number>(answers, replaceOne),
    ({ left, right }) =>
      Math.abs(left.reduce((a, b) => a + b, 0) - right.reduce((a, b) => a + b, 0)) <= 5,
  );
  assert(fc.check(law, settings).failed);
});

Deno.test("neighbours() refuses rows that are not numbers under another relation", () => {
  assertThrows(() => neighbours(record, changeEach({ by: 1 })), RangeError, "rows must be numbers");
});

Deno.test("neighbours() takes a relation by its name, and failures print datasets and that name alone", () => {
  const pairs = neighbours(
    { rows: { type: "boolean" }, size: { min: 0, max: 9 } },
    "add-remove-one",
  );
  const error = assertThrows(() =>
    fc.assert(fc.property(pairs, ({ left, right }) => left.length + right.length < 3), { seed: 1 })
  );
  assert(error instanceof Error);
  assertMatch(
    error.message,
    /Counterexample: \[\{ left: \[[^{}]*\], right: \[[^{}]*\], relation: "add-remove-one" \}\]/,
  );
});

Deno.test("neighbours() refuses relations and domains that are none, by name", () => {
  const domain = { rows: { type: "boolean" }, size: { min: 0, max: 3 } } as const;
  assertThrows(() => neighbours(domain, "replace"), RangeError, "relation must be");
  for (
    const [wrong, name] of [
      [{ ...domain, size: { min: 2, max: 1 } }, "domain.size"],
      [{ ...domain, rows: { type: "bool" } }, "domain.rows.type"],
      [{ ...domain, rows: { type: "boolean", missing: 1 } }, "domain.rows.missing"],
      [{ ...domain, rows: { type: "number", min: 0, max: 1, nan: "yes" } }, "domain.rows.nan"],
      [{ ...domain, rows: { type: "text", length: "8..0" } }, "domain.rows.length"],
      [{ ...domain, rows: { type: "text", length: 8 } }, "domain.rows.length"],
      [{ ...domain, rows: { type: "text", length: "0..2", values: ["red"] } }, "rows.values"],
      [{
        ...domain,
        rows: {
          type: "vector",
          length: 2,
          of: { type: "number", min: 0, max: 1, nan: true },
          norm: 1,
        },
      }, "domain.rows.norm"],
    ] as const
  ) {
    assertThrows(() => neighbours(wrong as never, "replace-one"), RangeError, name);
  }
});
