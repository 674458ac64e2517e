import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { kernels, withoutKernels } from "../../../lib/numeric/kernels/kernels.ts";
import { sortNumbers } from "../../../lib/numeric/sort_numbers.ts";

/** The bits of numbers, for −0 equals 0. */
function bitsOf(values: Float64Array): BigUint64Array {
  return new BigUint64Array(values.slice().buffer);
}

// Mutants: a pass left out; negative numbers in the order of their sizes; counts of the sort before; a byte that only the first numbers share.
Deno.test("sortNumbers() gives the order of the platform's sort, to the last bit, at any length", () => {
  assert(kernels() !== undefined, "no kernels");
  const number = fc.oneof(
    fc.double({ noNaN: true }),
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom(-0, 0, Infinity, -Infinity, Number.MIN_VALUE, -Number.MIN_VALUE),
  );
  const arrays = fc.tuple(
    fc.array(number, { minLength: 1, maxLength: 40 }),
    fc.integer({ min: 1, max: 300 }),
  );
  fc.assert(
    fc.property(arrays, ([numbers, times]) => {
      const all = Float64Array.from(
        { length: numbers.length * times },
        (_, i) => numbers[i % numbers.length]! * (1 + Math.floor(i / numbers.length) / 1000),
      );
      const expected = bitsOf(all.toSorted());
      assertEquals(bitsOf(sortNumbers(all.slice())), expected);
      assertEquals(withoutKernels(() => bitsOf(sortNumbers(all.slice()))), expected);
    }),
    { seed: 41, numRuns: 100 },
  );
});
