import { assert, assertEquals } from "@std/assert";
import { GuessTest } from "../../lib/audit/guess_test.ts";
import type { LearnedCells } from "../../lib/audit/guesses.ts";
import type { Batch } from "../../lib/audit/batch.ts";
import { logBinomialTail } from "../../lib/numeric/binomial_tail.ts";

/** Cells: leaves (nodes 1, 2, …) with these counts of (left, right) and the log odds of them. */
function cellsWith(leaves: readonly (readonly [left: number, right: number])[]): LearnedCells {
  const counts = Float64Array.from([0, 0, ...leaves.flat()]);
  const logOdds = Float64Array.from([
    0,
    ...leaves.map(([l, r]) => Math.log((r + 0.5) / (l + 0.5))),
  ]);
  return {
    counts,
    leaves: Int32Array.from(leaves, (_, k) => k + 1),
    logOdds: [logOdds, logOdds, logOdds],
  };
}

/** A batch with these counts of (left, right) in such leaves. */
function batchWith(leaves: readonly (readonly [left: number, right: number])[]): Batch {
  const counts = Float64Array.from([0, 0, ...leaves.flat()]);
  return {
    counts,
    leaves: Int32Array.from(leaves, (_, k) => k + 1),
    logOdds: [],
    before: counts,
    draws: counts.reduce((a, b) => a + b, 0),
  };
}

function probability(k: number, n: number, p: number): number {
  return Math.exp(logBinomialTail(k, n, p)) -
    (k === n ? 0 : Math.exp(logBinomialTail(k + 1, n, p)));
}

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

Deno.test("GuessTest.lowerBound() has exactly the level alpha at randomised response", () => {
  for (const [n, epsilon, alpha] of [[50, 1, 0.05], [400, 0.1, 0.01], [1000, 3, 0.05]] as const) {
    const { level: own, next } = level({ n, epsilon, alpha }, (right) => {
      const guess = new GuessTest(cellsWith([[10, 90]]), { epsilon, alpha, draws: n });
      guess.add(batchWith([[n - right, right]]));
      return guess.lowerBound();
    });
    assert(own <= alpha, `${own} at n = ${n}, ε = ${epsilon}`);
    assert(next > alpha, "one right guess fewer would still be within the level");
  }
});

// The mutant that this level excludes: side and leaves chosen on the counts that are tested.
Deno.test("GuessTest.lowerBound() would exceed its level were it chosen on the same counts", () => {
  const [n, epsilon, alpha] = [400, 0.001, 0.05];
  const theta = 1 / (1 + Math.exp(-epsilon));
  let own = 0;
  for (let right = 0; right <= n; right++) {
    const guess = new GuessTest(cellsWith([[n - right, right]]), { epsilon, alpha, draws: n });
    guess.add(batchWith([[n - right, right]]));
    if (guess.lowerBound() > epsilon) own += probability(right, n, theta);
  }
  assert(own > 1.5 * alpha, `${own}`);
});

Deno.test("GuessTest counts only the leaves it chose, right guesses of both directions together", () => {
  const cells = cellsWith([[20, 980], [980, 20], [5000, 5010]]);
  const guess = new GuessTest(cells, { epsilon: 1, alpha: 0.05, draws: 1000 });
  guess.add(batchWith([[2, 98], [98, 2], [0, 5000]]));
  const both = new GuessTest(cellsWith([[20, 980]]), { epsilon: 1, alpha: 0.05, draws: 1000 });
  both.add(batchWith([[4, 196]]));
  assertEquals(guess.lowerBound(), both.lowerBound());
});

Deno.test("GuessTest.add() sums batches", () => {
  const one = new GuessTest(cellsWith([[1, 9]]), { epsilon: 1, alpha: 0.05, draws: 100 });
  const many = new GuessTest(cellsWith([[1, 9]]), { epsilon: 1, alpha: 0.05, draws: 100 });
  one.add(batchWith([[10, 90]]));
  for (let k = 0; k < 10; k++) many.add(batchWith([[1, 9]]));
  assertEquals(one.lowerBound(), many.lowerBound());
  assert(one.lowerBound() > 1 && one.lowerBound() < Math.log(9));
});

Deno.test("GuessTest.lowerBound() is 0 without guesses and when most are wrong", () => {
  const guess = new GuessTest(cellsWith([[1, 9]]), { epsilon: 1, alpha: 0.05, draws: 100 });
  assertEquals(guess.lowerBound(), 0);
  assertEquals(guess.detectable(0.9), null);
  assertEquals(guess.refutes(), false);
  guess.add(batchWith([[60, 40]]));
  assertEquals(guess.lowerBound(), 0);
});

Deno.test("GuessTest.detectable() is an ε that is shown to exceed the claim with that power", () => {
  const [n, epsilon, alpha] = [20_000, 0.5, 0.05];
  const at = (right: number): GuessTest => {
    const guess = new GuessTest(cellsWith([[1, 9]]), { epsilon, alpha, draws: n });
    guess.add(batchWith([[n - right, right]]));
    return guess;
  };
  const theta = 1 / (1 + Math.exp(-at(n / 2).detectable(0.9)!));
  let low = 0, high = n;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (at(middle).refutes()) high = middle;
    else low = middle;
  }
  const power = Math.exp(logBinomialTail(high, n, theta));
  assert(power > 0.88 && power < 0.93, `${power}`);
});
