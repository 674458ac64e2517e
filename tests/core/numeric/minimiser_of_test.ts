import { assert } from "@std/assert";
import fc from "fast-check";
import { minimiserOf } from "../../../lib/core/numeric/minimiser_of.ts";

// Mutants: the wrong side kept, the search ended early, an overflow taken for the smaller value.
Deno.test("minimiserOf() finds where a function is least, beside an overflow too", () => {
  fc.assert(
    fc.property(fc.double({ min: -8, max: 8, noNaN: true }), (place) => {
      const at = (x: number): number => x > 1e6 ? NaN : (Math.log(x) - place) ** 2;
      const found = minimiserOf(at, { from: 1e-6, to: 1e9, within: 1e-2 });
      assert(Math.abs(Math.log(found) - place) <= 1e-2, `${Math.log(found)} and ${place}`);
    }),
    { seed: 2201 },
  );
});
