import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { binomialQuantile } from "../../../lib/core/numeric/binomial_quantile.ts";

/** 1,024ⁿ times the chances that a binomial number of n trials is at most 0, …, n; `rate` is in 1,024ths. */
function lowerTails(trials: number, rate: number): bigint[] {
  const tails: bigint[] = [];
  let choose = 1n, sum = 0n;
  for (let k = 0; k <= trials; k++) {
    sum += choose * BigInt(rate) ** BigInt(k) * BigInt(1024 - rate) ** BigInt(trials - k);
    tails.push(sum);
    choose = choose * BigInt(trials - k) / BigInt(k + 1);
  }
  return tails;
}

// Mutants: one more or less, the least or the largest number left out, the other end of the bisection moved.
Deno.test("binomialQuantile() is the smallest number whose lower tail, in whole numbers, reaches the probability", () => {
  let tried = 0;
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 1, max: 1023 }),
      fc.nat(),
      fc.constantFrom(-1, 1),
      fc.integer({ min: 4, max: 30 }),
      (trials, rate, which, side, digits) => {
        const tails = lowerTails(trials, rate), whole = 1024n ** BigInt(trials);
        // A probability just beside one of the tails, by 2^-4 to 2^-30 of it: further than the logarithms are off.
        const tail = Number(tails[which % (trials + 1)]! * 2n ** 60n / whole) / 2 ** 60;
        const probability = tail * (1 + side * 2 ** -digits);
        if (!(probability > 1e-6 && probability < 1)) return;
        // Where another tail is as close, rounding decides.
        if (
          tails.some((sum) =>
            Math.abs(Number(sum * 2n ** 60n / whole) / 2 ** 60 - probability) < 1e-12
          )
        ) return;
        const scaled = BigInt(Math.floor(probability * 2 ** 60)) * whole;
        const expected = tails.findIndex((sum) => sum * 2n ** 60n >= scaled);
        assertEquals(binomialQuantile(probability, { trials, rate: rate / 1024 }), expected);
        tried++;
      },
    ),
    {
      seed: 7401,
      numRuns: 500,
      examples: [[4, 8, 29, -1, 28]],
    },
  );
  assert(tried > 250, `${tried}`);
});
