import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { expRemainder } from "../../../lib/core/numeric/exp_remainder.ts";
import { bigNumber as big } from "./big_number.ts";

// Mutants: the subtraction for small numbers; a series that ends early.
Deno.test("expRemainder() is e^x − 1 − x to 1e-15, of either sign and any size", () => {
  const size = fc.double({ min: Math.log(1e-20), max: Math.log(600), noNaN: true }).map(Math.exp);
  fc.assert(
    fc.property(size, fc.boolean(), (magnitude, negative) => {
      const x = negative ? -magnitude : magnitude, exact = big(x).exp().minus(1).minus(big(x));
      const off = big(expRemainder(x)).div(exact).minus(1).toNumber();
      assert(Math.abs(off) < 1e-15, `${x}: ${off}`);
    }),
    { seed: 201, numRuns: 400 },
  );
  assertEquals(expRemainder(0), 0);
});
