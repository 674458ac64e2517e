import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import {
  addWhere,
  countOdd,
  packConditions,
  packLabels,
  parityOf,
  sumWhere,
} from "../../../../lib/audit/partition/parity_bits.ts";

/** All sets of 2 to `most` of the first `n` places. */
function setsOf(n: number, most: number): number[][] {
  const sets: number[][] = [];
  for (let mask = 0; mask < 1 << n; mask++) {
    const set = Array.from({ length: n }, (_, j) => j).filter((j) => (mask >> j) & 1);
    if (set.length >= 2 && set.length <= most) sets.push(set);
  }
  return sets;
}

// Mutants: a bit of the last word forgotten; the labels not masked; a parity kept from the set before.
Deno.test("countOdd() counts the rows of odd parity of every set, and those of label 1, at any number of rows", () => {
  const cases = fc.tuple(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 2, max: 5 })).chain(
    ([n, width]) =>
      fc.tuple(
        fc.array(fc.oneof(fc.integer({ min: -2, max: 2 }), fc.constant(NaN)), {
          minLength: n * width,
          maxLength: n * width,
        }),
        fc.array(fc.integer({ min: 0, max: 1 }), { minLength: n, maxLength: n }),
        fc.array(fc.integer({ min: -1, max: 1 }), { minLength: width, maxLength: width }),
        fc.integer({ min: 2, max: 4 }),
      ),
  );
  fc.assert(
    fc.property(cases, ([numbers, sides, above, most]) => {
      const labels = Uint8Array.from(sides), rows = Float64Array.from(numbers);
      const width = above.length, together = Math.min(most, width);
      const conditions = above.map((threshold, index) => ({ index, threshold }));
      const { sets, odd, oddRight } = countOdd(
        packConditions({ rows, labels, width }, conditions),
        {
          labels: packLabels(labels),
          together,
        },
      );
      const isOdd = (set: readonly number[], i: number): boolean =>
        set.filter((j) => numbers[i * width + j]! > above[j]!).length % 2 === 1;
      const places = Array.from({ length: labels.length }, (_, i) => i);
      assertEquals(
        sets.map((set, k) => [set.join(), odd[k], oddRight[k]]).sort(),
        setsOf(width, together).map((set) => [
          set.join(),
          places.filter((i) => isOdd(set, i)).length,
          places.filter((i) => isOdd(set, i) && labels[i] === 1).length,
        ]).sort(),
      );
    }),
    { seed: 31, numRuns: 200 },
  );
});

// Mutants: a condition forgotten; a bit of the word before; an amount on all rows.
Deno.test("parityOf(), sumWhere() and addWhere() are about the rows with an odd number of conditions", () => {
  const bits = fc.array(fc.array(fc.boolean(), { minLength: 70, maxLength: 70 }), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(bits, fc.integer({ min: 1, max: 70 }), (conditions, n) => {
      const packed = conditions.map((holds) =>
        packLabels(Uint8Array.from(holds.slice(0, n), Number))
      );
      const isOdd = (i: number): boolean => conditions.filter((holds) => holds[i]).length % 2 === 1;
      const odd = parityOf(packed), values = Float64Array.from({ length: n }, (_, i) => 1 + i);
      const places = [...values.keys()];
      const expected = places.filter(isOdd).reduce((sum, i) => sum + 1 + i, 0);
      assertEquals(sumWhere(odd, values), expected);
      addWhere(odd, 100, values);
      assertEquals([...values], places.map((i) => 1 + i + (isOdd(i) ? 100 : 0)));
    }),
    { seed: 32, numRuns: 100 },
  );
});
