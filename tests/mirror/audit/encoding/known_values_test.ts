import { assertEquals, assertStrictEquals } from "@std/assert";
import * as fc from "fast-check";
import { FeatureValues, MOST_FEW } from "../../../../lib/audit/encoding/feature_values.ts";
import type { Feature } from "../../../../lib/audit/encoding/features.ts";
import { KnownValues } from "../../../../lib/audit/encoding/known_values.ts";

const rows = Float64Array.of(1, 5, NaN, 2, 7, 3);
const column = (index: number): Feature => ({ kind: "column", index, name: `output[${index}]` });

// Mutants: a column in place of a difference; values computed anew each time; a category with values of its own.
Deno.test("KnownValues computes the values of a feature once, and of a column once for all that have its values", () => {
  const known = new KnownValues({ rows, width: 2 });
  assertEquals(known.of(column(1)).values, Float64Array.of(5, 2, 3));
  const difference: Feature = { kind: "difference", index: 1, name: "a" };
  assertEquals(known.of(difference).values, Float64Array.of(4, NaN, -4));
  assertStrictEquals(known.of(difference), known.difference(1));
  assertStrictEquals(known.of(column(1)), known.column(1));
  assertStrictEquals(known.of({ kind: "category", index: 1, name: "a" }), known.column(1));
  const sum: Feature = { kind: "sum", elements: 2, name: "sum(output)" };
  assertEquals(known.of(sum).values, Float64Array.of(6, 2, 10));
  assertStrictEquals(known.of(sum), known.of(sum));
});

// Mutant: given values that are forgotten.
Deno.test("KnownValues has the values that it was given, in place of a feature's own", () => {
  const known = new KnownValues({ rows, width: 2 }), first = column(0);
  known.set(first, Float64Array.of(0, 0, 1));
  assertEquals(known.of(first).values, Float64Array.of(0, 0, 1));
  assertEquals(known.column(0).values, Float64Array.of(1, NaN, 7));
});

// Mutants: NaN among the present; few values up to the most that are looked for; the lower tail with its sign, in another order.
Deno.test("FeatureValues has the few values, how many are present, and the tails beyond the ninth of a sorted sample", () => {
  const number = fc.oneof(fc.integer({ min: -60, max: 60 }), fc.constant(NaN));
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 400 }), (numbers) => {
      const own = new FeatureValues(Float64Array.from(numbers));
      const present = Float64Array.from(numbers.filter((x) => !Number.isNaN(x))).sort();
      assertEquals(own.present, present.length);
      assertEquals(own.sorted, present);
      const distinct = Float64Array.from(new Set(present));
      for (const most of [0, 24, MOST_FEW]) {
        assertEquals(own.few(most), distinct.length <= most ? distinct : undefined);
      }
      if (present.length === 0) return;
      const place = Math.min(8, Math.floor(present.length / 4));
      const upper = present.filter((x) => x > present[present.length - 1 - place]!);
      const lower = present.filter((x) => x < present[place]!);
      assertEquals(own.tail(1), upper);
      assertEquals(own.tail(-1), lower.map((x) => -x).reverse());
    }),
  );
});
