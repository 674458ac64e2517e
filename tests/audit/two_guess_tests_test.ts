import { assert, assertEquals } from "@std/assert";
import { GuessTest } from "../../lib/audit/guess_test.ts";
import type { LearnedCells } from "../../lib/audit/guesses.ts";
import { TwoGuessTests } from "../../lib/audit/two_guess_tests.ts";

/** One leaf in which right is as much likelier. */
function cellWith(left: number, right: number): LearnedCells {
  const logOdds = Float64Array.of(Math.log(right / left));
  return {
    counts: Float64Array.of(left, right),
    leaves: Int32Array.of(0),
    logOdds: [logOdds, logOdds, logOdds],
  };
}

const leaves = Int32Array.of(0);

/** The tests after one batch with these counts of (left, right) in the favourite's and the runner-up's leaf. */
function after(favourite: readonly number[], runnerUp: readonly number[]): TwoGuessTests {
  const tests = new TwoGuessTests(
    { favourite: cellWith(10, 90), runnerUp: cellWith(20, 80) },
    { epsilon: 1, alpha: 0.05, draws: 1000 },
  );
  const counts = Float64Array.from(favourite);
  tests.add({
    counts,
    leaves,
    logOdds: [],
    before: counts,
    draws: 1000,
    runnerUp: { counts: Float64Array.from(runnerUp), leaves },
  });
  return tests;
}

/** The bound of one test alone. */
function alone(counts: readonly number[], alpha: number): number {
  const test = new GuessTest(cellWith(10, 90), { epsilon: 1, alpha, draws: 1000 });
  test.add({ counts: Float64Array.from(counts), leaves });
  return test.lowerBound();
}

// Mutants: all of α for each of them, shares exchanged, the smaller bound, one batch's counts for the other.
Deno.test("TwoGuessTests shows the larger of two bounds, for 3/4 and 1/4 of alpha", () => {
  const clear = [100, 900], faint = [300, 700];
  assertEquals(after(clear, faint).lowerBound(), alone(clear, 0.0375));
  assertEquals(after(faint, clear).lowerBound(), alone(clear, 0.0125));
  assertEquals(after(faint, faint).lowerBound(), alone(faint, 0.0375));
});

// Mutants: a refutation by one of the two only, or of both together.
Deno.test("TwoGuessTests refutes the claim when one of the two does", () => {
  const clear = [100, 900], none = [500, 500];
  assert(after(clear, none).refutes());
  assert(after(none, clear).refutes());
  assert(!after(none, none).refutes());
  const test = new GuessTest(cellWith(10, 90), { epsilon: 1, alpha: 0.0375, draws: 1000 });
  test.add({ counts: Float64Array.from(clear), leaves });
  assertEquals(after(clear, none).detectable(0.9), test.detectable(0.9));
});

// The chance that either bound is wrong, where both are of exhausted claims: an upper bound of their sum.
Deno.test("TwoGuessTests has a level of at most alpha", () => {
  const theta = Math.E / (1 + Math.E);
  /** The chance that a test of 300 guesses at this level is wrong. */
  const levelOf = (alpha: number): number => {
    let level = 0, chance = theta ** 300;
    for (let right = 300; alone([300 - right, right], alpha) > 1; right--) {
      level += chance;
      chance *= right / (301 - right) * (1 - theta) / theta;
    }
    return level;
  };
  assert(levelOf(0.0375) <= 0.0375 && levelOf(0.0125) <= 0.0125);
  assert(levelOf(0.0375) + levelOf(0.0125) > 0.025);
});
