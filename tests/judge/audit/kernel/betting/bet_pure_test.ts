import { assert, assertAlmostEquals } from "@std/assert";
import * as fc from "fast-check";
import { betPure, pureGrid } from "../../../../../lib/judge/audit/kernel/betting/pure_evidence.ts";
import { logSigmoid } from "../../../../../lib/core/numeric/log_sigmoid.ts";

const logOdds = fc.double({ min: -12, max: 12, noNaN: true });
const ascending = fc.uniqueArray(fc.double({ min: 1e-3, max: 10, noNaN: true }), {
  minLength: 1,
  maxLength: 6,
}).map((grid) => Float64Array.from(grid).sort());

/** What one draw multiplies the wealth by: auditing.md, section 2.1, word by word. */
function direct(epsilon: number, label: 0 | 1, odds: number): number {
  const r = 1 / (1 + Math.exp(-odds));
  const upper = 1 / (1 + Math.exp(-epsilon));
  const clipped = Math.min(upper, Math.max(1 - upper, r));
  return label === 1 ? r / clipped : (1 - r) / (1 - clipped);
}

/** Logarithms of what a batch with these counts multiplies the wealth by. */
function bet(grid: Float64Array, counts: number[], odds: number[]): Float64Array {
  const into = new Float64Array(grid.length);
  betPure(pureGrid(grid), {
    counts: Float64Array.from(counts),
    logOdds: Float64Array.from(odds),
    leaves: Int32Array.from(odds.keys()),
    into,
  });
  return into;
}

Deno.test("betPure() multiplies the factors of single draws, for every ε of the grid", () => {
  const leaf = fc.tuple(logOdds, fc.nat(50), fc.nat(50));
  fc.assert(
    fc.property(ascending, fc.array(leaf, { minLength: 1, maxLength: 8 }), (grid, leaves) => {
      const sum = bet(
        grid,
        leaves.flatMap(([, left, right]) => [left, right]),
        leaves.map(([odds]) => odds),
      );
      grid.forEach((epsilon, j) => {
        let expected = 0;
        for (const [odds, left, right] of leaves) {
          expected += left * Math.log(direct(epsilon, 0, odds)) +
            right * Math.log(direct(epsilon, 1, odds));
        }
        assertAlmostEquals(sum[j]!, expected, 1e-8 * (1 + Math.abs(expected)));
      });
    }),
    { seed: 3, numRuns: 300 },
  );
});

Deno.test("betPure() adds to the wealth that was there", () => {
  const grid = Float64Array.of(1);
  const into = Float64Array.of(5);
  betPure(pureGrid(grid), {
    counts: Float64Array.of(0, 1),
    logOdds: Float64Array.of(3),
    leaves: Int32Array.of(0),
    into,
  });
  assertAlmostEquals(into[0]!, 5 + Math.log(direct(1, 1, 3)), 1e-12);
});

/** The expectation of a draw in a leaf where "right" has probability `eta`. */
function expectation(factor: (label: 0 | 1) => number, eta: number): number {
  return eta * factor(1) + (1 - eta) * factor(0);
}

// Mutants: the clip at the wrong side, at e^ε in place of θ₊, or none at all.
Deno.test("betPure() has expectation at most 1 under every law that ε-DP allows", () => {
  let largest = 0;
  fc.assert(
    fc.property(
      fc.double({ min: 1e-3, max: 8, noNaN: true }),
      logOdds,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (epsilon, odds, share) => {
        const grid = Float64Array.of(epsilon);
        const factor = (label: 0 | 1): number =>
          Math.exp(bet(grid, label === 1 ? [0, 1] : [1, 0], [odds])[0]!);
        const upper = 1 / (1 + Math.exp(-epsilon));
        for (const eta of [upper, 1 - upper, 1 - upper + share * (2 * upper - 1)]) {
          const mean = expectation(factor, eta);
          assert(mean <= 1 + 1e-12, `${mean} at η = ${eta}, ε = ${epsilon}, log odds ${odds}`);
          largest = Math.max(largest, mean);
        }
      },
    ),
    { seed: 4, numRuns: 1000 },
  );
  assertAlmostEquals(largest, 1, 1e-12, "the worst law allowed leaves nothing to gain");
});

Deno.test("betPure() has expectation above 1 when ε-DP is broken and the odds are right", () => {
  const factor = (label: 0 | 1): number =>
    Math.exp(bet(Float64Array.of(1), label === 1 ? [0, 1] : [1, 0], [2])[0]!);
  assert(expectation(factor, 1 / (1 + Math.exp(-2))) > 1.05);
});

Deno.test("betPure() stays finite at extreme odds, counts and ε", () => {
  const grid = Float64Array.of(1e-9, 1, 700, 5000);
  for (const odds of [700, -700, 40, 0]) {
    for (const log of bet(grid, [1e9, 1e9], [odds])) assert(Number.isFinite(log));
  }
});

Deno.test("logSigmoid() is ln 1/(1+e^-x) without cancellation", () => {
  assertAlmostEquals(logSigmoid(0), -Math.LN2, 1e-15);
  assertAlmostEquals(logSigmoid(40) / -Math.exp(-40), 1, 1e-12);
  assertAlmostEquals(logSigmoid(-40), -40, 1e-12);
  assert(logSigmoid(-800) === -800 && logSigmoid(800) + 0 === 0);
});
