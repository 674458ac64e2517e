import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import type { GuessCountBound } from "../../../../../lib/judge/audit/kernel/fixed_sample/guess_count_bound.ts";
import { clopperPearsonLower } from "../../../../../lib/core/numeric/clopper_pearson.ts";
import { batchWith, cellsWith, guessTest, probability, source, testOf, toss } from "./guesses.ts";

/** The chance that the bound exceeds ε on n guesses, each right with probability e^ε/(1+e^ε). */
function level(
  { n, epsilon, alpha }: { n: number; epsilon: number; alpha: number },
  boundAt: (right: number) => number,
): { level: number; next: number } {
  const theta = 1 / (1 + Math.exp(-epsilon));
  let sum = 0, first = n + 1;
  for (let k = n; k >= 0 && boundAt(k) > epsilon; k--) {
    sum += probability(k, n, theta);
    first = k;
  }
  assert(alpha > 0);
  return { level: sum, next: sum + probability(first - 1, n, theta) };
}

Deno.test("GuessCountBound.lowerBound() has exactly the level alpha at randomised response", () => {
  for (const [n, epsilon, alpha] of [[50, 1, 0.05], [400, 0.1, 0.01], [1000, 3, 0.05]] as const) {
    const { level: own, next } = level({ n, epsilon, alpha }, (right) => {
      const guess = guessTest(cellsWith([[10, 90]]), {
        epsilon,
        alpha,
        draws: n,
        source,
      });
      guess.add(batchWith([[n - right, right]]));
      return guess.lowerBound();
    });
    assert(own <= alpha, `${own} at n = ${n}, ε = ${epsilon}`);
    assert(next > alpha, "one right guess fewer would still be within the level");
  }
});

// The mutant that this level excludes: side and leaves chosen on the counts that are tested.
Deno.test("GuessCountBound.lowerBound() would exceed its level if its leaves were chosen on the same counts", () => {
  const [n, epsilon, alpha] = [400, 0.001, 0.05];
  const theta = 1 / (1 + Math.exp(-epsilon));
  let own = 0;
  for (let right = 0; right <= n; right++) {
    const guess = guessTest(cellsWith([[n - right, right]]), {
      epsilon,
      alpha,
      draws: n,
      source,
    });
    guess.add(batchWith([[n - right, right]]));
    if (guess.lowerBound() > epsilon) own += probability(right, n, theta);
  }
  assert(own > 1.5 * alpha, `${own}`);
});

Deno.test("GuessCountBound.lowerBound() is 0 without guesses and when most are wrong", () => {
  const guess = guessTest(cellsWith([[1, 9]]), {
    epsilon: 1,
    alpha: 0.05,
    draws: 100,
    source,
  });
  assertEquals(guess.lowerBound(), 0);
  assertEquals(guess.refutes(), false);
  guess.add(batchWith([[60, 40]]));
  assertEquals(guess.lowerBound(), 0);
});

// Mutant: draws whose outputs did not come, which a program may have chosen, are left out.
Deno.test("GuessCountBound counts lost draws as wrong guesses where there is one for their side", () => {
  const boundOf = (left: number, lost?: { left: number; right: number }): number => {
    const guess = guessTest(cellsWith([[10, 90], [60, 40]]), {
      epsilon: 1,
      alpha: 0.05,
      draws: 400,
      source,
    });
    guess.add({ ...batchWith([[left, 180], [100, 0]]), ...lost && { lost } });
    return guess.lowerBound();
  };
  assertEquals(boundOf(20, { left: 40, right: 0 }), boundOf(60));
  assert(boundOf(60) < boundOf(20));
});

/** The lower bound for so many right guesses when all guesses were made. */
function clopperPearson(right: number, goal: number, alpha: number): number {
  const rate = clopperPearsonLower({ successes: right, trials: goal, alpha });
  return Math.log(rate / (1 - rate));
}

// A program that keeps the claim, and wants it refuted, may stop after any guess. The value of a state (guesses made, right
// ones) is the probability of a refutation under the better of going on and stopping: the value at the start is the most that
// any program can reach.
// Mutants: the bound of the guesses made, whatever their number (0.23 in place of 0.05); no toss for those that are missing,
// or one that is right with probability 1/2 or surely.
Deno.test("GuessCountBound refutes a true claim with probability α at most, whenever the program stops", () => {
  for (const [goal, epsilon, alpha] of [[24, 1, 0.05], [30, 0.2, 0.05], [26, 2, 0.1]] as const) {
    const theta = 1 / (1 + Math.exp(-epsilon));
    const refutes = (made: number, right: number, tossed: number): boolean => {
      const guess = guessTest(cellsWith([[10, 90]]), {
        epsilon,
        alpha,
        draws: goal,
        source: toss(tossed),
      });
      guess.add(batchWith([[made - right, right]]));
      return guess.refutes();
    };
    /** The chance that the toss refutes: it does from some toss on, rounded up here. */
    const stopped = (made: number, right: number): number => {
      if (!refutes(made, right, 1 - 1e-9)) return 1e-9;
      let low = 0, high = 1;
      for (let step = 0; step < 12; step++) {
        const middle = (low + high) / 2;
        if (middle > 0 && refutes(made, right, middle)) high = middle;
        else low = middle;
      }
      return 1 - low;
    };
    let next: number[] = [];
    for (let made = goal; made >= 0; made--) {
      const values: number[] = [];
      for (let right = 0; right <= made; right++) {
        const stop = made < goal
          ? stopped(made, right)
          : Number(clopperPearson(right, goal, alpha) > epsilon);
        const go = made < goal ? theta * next[right + 1]! + (1 - theta) * next[right]! : 0;
        values.push(Math.max(stop, go));
      }
      next = values;
    }
    // The tosses are known to 2^-12.
    assert(next[0]! <= alpha + 1 / 4096 + 1e-6, `${next[0]} at ${goal} guesses, ε = ${epsilon}`);
    assert(next[0]! > alpha / 4);
  }
});

// Mutants: all guesses of the last batch count; the first of its right ones do.
Deno.test("GuessCountBound counts no more right guesses than are among the first ones, in whatever order they are made", () => {
  fc.assert(fc.property(
    fc.array(fc.array(fc.boolean(), { maxLength: 40 }), { minLength: 1, maxLength: 8 }),
    fc.integer({ min: 1, max: 120 }),
    (batches, goal) => {
      const guess = guessTest(cellsWith([[10, 90]]), {
        epsilon: 1,
        alpha: 0.3,
        draws: goal,
        source,
      });
      for (const batch of batches) {
        const right = batch.filter(Boolean).length;
        guess.add(batchWith([[batch.length - right, right]]));
      }
      const all = batches.flat();
      if (all.length < goal) return;
      const right = all.slice(0, goal).filter(Boolean).length;
      assert(guess.lowerBound() <= Math.max(0, clopperPearson(right, goal, 0.3)));
      assertEquals(guess.mostDraws, Infinity);
      // Exact where a batch ends with the last guess.
      const ends = batches.map((_, k) => batches.slice(0, k + 1).flat().length);
      if (ends.includes(goal)) {
        const exact = Math.max(0, clopperPearson(right, goal, 0.3));
        assert(Math.abs(guess.lowerBound() - exact) <= 1e-9 * Math.max(1, exact));
      }
    },
  ));
});

Deno.test("GuessCountBound shows nothing when fewer than half of its guesses were made, and little less when some are missing", () => {
  const boundOf = (made: number): number => {
    const guess = guessTest(cellsWith([[10, 90]]), {
      epsilon: 1,
      alpha: 0.05,
      draws: 1e4,
      source,
    });
    guess.add(batchWith([[0.1 * made, 0.9 * made]]));
    return guess.lowerBound();
  };
  assertEquals([boundOf(4990), boundOf(10)], [0, 0]);
  const [half, most, all] = [5000, 9500, 10_000].map(boundOf);
  assert(half! > 1.9 && half! < most! && most! > 0.98 * all! && all! < Math.log(9));
  const none = guessTest(cellsWith([[10, 90]]), {
    epsilon: 1,
    alpha: 0.05,
    draws: 1e4,
    source,
  });
  assertEquals([none.areEnough, none.refutes()], [false, false]);
});

Deno.test("GuessCountBound takes the wrong guesses of the last batch for the first ones", () => {
  const boundOf = (...batches: [wrong: number, right: number][]): number => {
    const guess = testOf(100);
    for (const batch of batches) {
      guess.add(batchWith([batch]));
      guess.lowerBound(); // What was computed before the next batch must not stay.
    }
    return guess.lowerBound();
  };
  const exactly = (right: number): number => clopperPearson(right, 100, 0.05) * (1 - 1e-12);
  assertEquals(boundOf([20, 80]), exactly(80));
  assertEquals(boundOf([20, 180]), exactly(80));
  assertEquals(boundOf([0, 90], [2, 50]), exactly(98));
  assertEquals(boundOf([0, 90], [30, 50]), exactly(90));
  assertEquals(boundOf([0, 60], [0, 39], [0, 1], [50, 50]), exactly(100));
  assertEquals(boundOf([50, 50]), 0);
});

Deno.test("GuessCountBound.refutes() a claim that the bound exceeds, or is where guesses are missing", () => {
  const bound = testOf(100);
  bound.add(batchWith([[20, 80]]));
  const refutes = (epsilon: number): boolean => {
    const guess = testOf(100, { epsilon });
    guess.add(batchWith([[20, 80]]));
    return guess.refutes();
  };
  const epsilon = bound.lowerBound();
  assertEquals([refutes(epsilon), refutes(epsilon * (1 - 1e-9))], [false, true]);
  // Missing guesses: the bound is a value of a grid, of which the claim is one.
  for (let k = 0; k < 40; k++) {
    const guessOf = (epsilon: number): GuessCountBound => {
      const guess = testOf(1000, { epsilon });
      guess.add(batchWith([[250 - k, 690 + k]]));
      return guess;
    };
    const bound = guessOf(1).lowerBound(), same = guessOf(bound);
    assertEquals([same.lowerBound(), same.refutes()], [bound, true]);
    assertEquals(guessOf(bound * 1.0001).refutes(), false);
    assertEquals(guessOf(bound / 1.0001).refutes(), true);
  }
});
