import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { unfinishedLowerBound } from "../../../../../lib/judge/audit/kernel/fixed_sample/unfinished_guesses.ts";
import {
  logBinomialLowerTail,
  logBinomialTail,
} from "../../../../../lib/core/numeric/binomial_tail.ts";
import { longTest } from "../../../../long.ts";

/** Each ε of the grid is so many times the one before. */
const RATIO = 1.0001;

/** Whether ε is refuted, by summing up: the smallest number of right tosses of probability `toss` or more, then the tail. */
function refutes(
  epsilon: number,
  { made, right, goal, alpha, toss }: Omit<
    Parameters<typeof unfinishedLowerBound>[0],
    "claim"
  >,
): boolean {
  const rate = 1 / (1 + Math.exp(-epsilon)), missing = goal - made;
  let tossed = 0;
  while (tossed < missing && Math.exp(logBinomialLowerTail(tossed, missing, rate)) < toss) tossed++;
  return Math.exp(logBinomialTail(right + tossed, goal, rate)) <= alpha * (1 - 1e-9);
}

// Mutants: the quantile one off, the wrong tail, the toss of all guesses, an ε that is left out.
Deno.test("unfinishedLowerBound() is the last ε before the first that is not refuted, the claim among those tested", () => {
  fc.assert(fc.property(
    fc.integer({ min: 1, max: 400 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0.4, max: 1, noNaN: true }),
    fc.double({ min: 1e-3, max: 1 - 1e-3, noNaN: true }),
    fc.constantFrom(1e-3, 0.1, 1, 5),
    fc.constantFrom(0.001, 0.05, 0.3),
    (goal, share, rate, toss, claim, alpha) => {
      const made = Math.floor(share * goal), right = Math.floor(rate * made);
      const guesses = { made, right, goal, alpha, toss };
      const bound = unfinishedLowerBound({ ...guesses, claim });
      assert(bound >= 0 && bound <= 36);
      const steps = Math.log(bound / claim) / Math.log(RATIO);
      if (bound > 0) {
        assert(Math.abs(steps - Math.round(steps)) < 1e-4, `${steps}`);
        assert(refutes(bound, guesses));
      }
      const next = bound > 0
        ? claim * RATIO ** (Math.round(steps) + 1)
        : claim * RATIO ** Math.ceil(Math.log(1 / 16) / Math.log(RATIO));
      if (next <= 36) assert(!refutes(next, guesses));
    },
  ));
});

// Mutants: the tosses of the largest of the values passed over, the tail of the smallest, a step too many.
longTest("unfinishedLowerBound() passes over no ε that is not refuted", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      // Where many are missing, the right tosses rise by one where ε was hardly refuted.
      fc.double({ min: 0.5, max: 0.7, noNaN: true }),
      fc.double({ min: 0.8, max: 1, noNaN: true }),
      fc.double({ min: 1e-3, max: 1 - 1e-3, noNaN: true }),
      fc.constantFrom(0.1, 1, 5),
      (goal, share, rate, toss, claim) => {
        const made = Math.floor(share * goal), right = Math.floor(rate * made);
        const guesses = { made, right, goal, alpha: 0.05, toss };
        let k = Math.ceil(Math.log(1 / 16) / Math.log(RATIO));
        const first = k;
        while (claim * RATIO ** k <= 36 && refutes(claim * RATIO ** k, guesses)) k++;
        const bound = unfinishedLowerBound({ ...guesses, claim });
        assertEquals(bound, k === first ? 0 : claim * RATIO ** (k - 1));
      },
    ),
    { numRuns: 30 },
  );
});

Deno.test("unfinishedLowerBound() grows with right guesses and with the toss, and works for a billion of them", () => {
  const guesses = { made: 800, right: 700, goal: 1000, alpha: 0.05, claim: 1, toss: 0.5 };
  const bound = unfinishedLowerBound(guesses);
  assert(unfinishedLowerBound({ ...guesses, right: 710 }) > bound);
  assert(unfinishedLowerBound({ ...guesses, toss: 0.99 }) > bound);
  assert(unfinishedLowerBound({ ...guesses, toss: 0.01 }) < bound);
  assertEquals(unfinishedLowerBound({ ...guesses, right: 100 }), 0);
  const many = { made: 9e8, right: 9e8 * 0.53, goal: 1e9, alpha: 0.05, claim: 0.1, toss: 0.5 };
  const large = unfinishedLowerBound(many), truth = Math.log(0.53 / 0.47);
  assert(large < truth && large > 0.99 * truth, `${large}`);
});
