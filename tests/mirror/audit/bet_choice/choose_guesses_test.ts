import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { ONE_STANDARD_ERROR, STANDARD_ERRORS } from "../../../../lib/audit/betting/shares.ts";
import type { PredictedLeaves } from "../../../../lib/audit/betting/prediction_batch.ts";
import { chooseGuesses, type Guesses } from "../../../../lib/audit/bet_choice/choose_guesses.ts";
import { normalTailQuantile } from "../../../../lib/numeric/normal_tail.ts";

type Counts = readonly [left: number, right: number];

/** Leaves under one root, each with the log odds of its own counts, drawn to 0 by every number of standard errors. */
function learned(leaves: readonly Counts[]): PredictedLeaves {
  const counts = Float64Array.from([[0, 0], ...leaves].flat());
  const logOdds = STANDARD_ERRORS.map((errors) =>
    Float64Array.from([[0, 0], ...leaves], ([left, right]) => {
      const odds = Math.log((right! + 0.5) / (left! + 0.5));
      const error = errors * Math.sqrt(1 / (right! + 0.5) + 1 / (left! + 0.5));
      return Math.sign(odds) * Math.max(0, Math.abs(odds) - error);
    })
  );
  return { leaves: Int32Array.from(leaves, (_, k) => k + 1), counts, logOdds };
}

const horizon = { alpha: 0.05, draws: 10_000 };

/** The guesses of the leaves, the root left out. */
function guessesOf(leaves: readonly Counts[], options = horizon): number[] {
  const { guess } = chooseGuesses(learned(leaves), options);
  assertEquals(guess[0], -1);
  return [...guess.subarray(1)];
}

function boundOf(leaves: readonly Counts[], options = horizon): number {
  return chooseGuesses(learned(leaves), options).expectedBound;
}

// Mutants: a guess in every leaf, sides exchanged, guesses at inner nodes.
Deno.test("chooseGuesses() guesses the likelier side in leaves of large odds, nothing in the others", () => {
  assertEquals(guessesOf([[100, 1000], [500, 500], [1000, 100], [500, 510]]), [1, -1, 0, -1]);
  assertEquals(guessesOf([[1000, 3000]]), [1]);
  assertEquals(guessesOf([[500, 500], [3000, 1000]]), [-1, 0]);
  // A leaf in which nothing was seen adds nothing.
  assertEquals(guessesOf([[100, 1000], [0, 0]]), [1, -1]);
});

// Mutant: the leaf of the largest odds alone, however few draws are expected in it.
Deno.test("chooseGuesses() takes many leaves of small odds before a rare one of large odds", () => {
  const leaves: Counts[] = [[1, 12], [1000, 2000], [2000, 1000], [3000, 3000]];
  assertEquals(guessesOf(leaves, { alpha: 0.05, draws: 1000 }).slice(1, 3), [1, 0]);
  // The rare leaf pays when the test has more draws.
  const clear: Counts[] = [[30, 3000], [20_000, 24_000]];
  assertEquals(guessesOf(clear, { alpha: 0.05, draws: 1e6 }), [1, -1]);
});

// Mutant: bounds without the standard error of the learned odds.
Deno.test("chooseGuesses() expects a small bound from leaves of few draws, however large their odds", () => {
  // However many draws are to come.
  const endless = { alpha: 0.05, draws: 1e12 };
  const few = boundOf([[0, 4], [4, 0], [3000, 3000]], endless);
  const many = boundOf([[0, 400], [400, 0], [3000, 3000]], endless);
  assert(few < 1 && many > 3, `${few} and ${many}`);
  // Large predicted odds of a rare leaf do not help either.
  const { leaves, counts } = learned([[0, 3], [1000, 3000]]);
  const odds = Float64Array.of(0, 20, Math.log(3));
  const { guess, expectedBound } = chooseGuesses({
    leaves,
    counts,
    logOdds: STANDARD_ERRORS.map(() => odds),
  }, horizon);
  assertEquals([...guess], [-1, 1, 1]);
  assert(expectedBound < Math.log(3) + 0.02, `${expectedBound}`);
});

// Mutant: the point estimate decides on the side, or nothing does.
Deno.test("chooseGuesses() expects no bound above 0 when both sides have equal counts", () => {
  for (const leaves of [[[0, 0]], [[500, 500]], [[480, 500], [500, 480]], [[0, 0], [0, 0]]]) {
    const { expectedBound } = chooseGuesses(learned(leaves as unknown as Counts[]), horizon);
    assert(expectedBound <= 0, `${expectedBound} from ${leaves}`);
  }
});

const someLeaves = fc.array(fc.tuple(fc.nat(2000), fc.nat(2000)), { minLength: 1, maxLength: 8 });

/** The bound by the point estimates of the chosen leaves, with no error subtracted. */
function ceiling(leaves: readonly Counts[], { guess }: Guesses): number {
  const { logOdds: [estimates] } = learned(leaves);
  let right = 0, wrong = 0;
  leaves.forEach(([left, other], k) => {
    if (guess[k + 1] === -1) return;
    const odds = guess[k + 1] === 1 ? estimates![k + 1]! : -estimates![k + 1]!;
    right += (left + other) / (1 + Math.exp(-odds));
    wrong += (left + other) / (1 + Math.exp(odds));
  });
  return Math.log((right + 0.5) / (wrong + 0.5));
}

// Mutants: the standard error of the test added instead of subtracted, a level taken for its complement.
Deno.test("chooseGuesses() expects more from more draws and a larger alpha, less than the point estimates", () => {
  fc.assert(
    fc.property(someLeaves, (leaves) => {
      let last = -Infinity;
      for (const draws of [100, 1000, 1e5, 1e7]) {
        const found = chooseGuesses(learned(leaves), { alpha: 0.05, draws });
        assert(found.expectedBound > last, `${leaves}: ${found.expectedBound} at ${draws}`);
        assert(found.expectedBound < ceiling(leaves, found));
        assert(found.expectedBound < boundOf(leaves, { alpha: 0.1, draws }));
        last = found.expectedBound;
      }
    }),
    { seed: 71, numRuns: 300 },
  );
});

// Mutant: the two sides treated differently anywhere.
Deno.test("chooseGuesses() mirrors its guesses when the sides change places, and expects the same bound", () => {
  fc.assert(
    fc.property(someLeaves, (leaves) => {
      const mirrored = leaves.map(([left, right]) => [right, left] as const);
      const own = chooseGuesses(learned(leaves), horizon);
      const other = chooseGuesses(learned(mirrored), horizon);
      assertAlmostEquals(other.expectedBound, own.expectedBound, 1e-9);
      const shrunk = learned(leaves).logOdds[ONE_STANDARD_ERROR];
      own.guess.forEach((side, node) => {
        if (side === -1) assertEquals(other.guess[node], -1);
        // A leaf of odds 0 may be guessed on either side.
        else if (shrunk![node] !== 0) assertEquals(other.guess[node], 1 - side);
      });
    }),
    { seed: 72, numRuns: 300 },
  );
});

// Mutants: standard errors that are ignored, added, subtracted from the test's own error, or not 1 if absent.
Deno.test("chooseGuesses() subtracts as many standard errors as it is told", () => {
  fc.assert(
    fc.property(
      fc.tuple(fc.nat(2000), fc.nat(2000)),
      fc.double({ min: 0, max: 3, noNaN: true }),
      (leaf, standardErrors) => {
        const own = learned([leaf]);
        const { expectedBound } = chooseGuesses(own, { ...horizon, standardErrors });
        const count = leaf[0] + leaf[1], rate = (leaf[1] + 0.5) / (count + 1);
        const error = Math.sqrt(1 / (count * rate + 0.5) + 1 / (count * (1 - rate) + 0.5));
        assertAlmostEquals(expectedBound, boundOf([leaf]) + (1 - standardErrors) * error, 1e-9);
      },
    ),
    { seed: 74, numRuns: 200 },
  );
  fc.assert(
    fc.property(someLeaves, (leaves) => {
      const [none, half, one] = [0, 0.5, 1].map((standardErrors) =>
        chooseGuesses(learned(leaves), { ...horizon, standardErrors }).expectedBound
      );
      assert(none! > half! && half! > one!, `${leaves}: ${none} ${half} ${one}`);
      assertEquals(boundOf(leaves), one);
    }),
    { seed: 75, numRuns: 200 },
  );
});

// Mutants: the smallest odds first, all leaves or the first few instead of the best number.
Deno.test("chooseGuesses() chooses the leaves of largest odds, as many as make the bound largest", () => {
  fc.assert(
    fc.property(someLeaves, (leaves) => {
      const own = learned(leaves);
      const { guess, expectedBound } = chooseGuesses(own, horizon);
      const shrunk = own.logOdds[ONE_STANDARD_ERROR]!;
      const order = own.leaves.toSorted((a, b) => Math.abs(shrunk[b]!) - Math.abs(shrunk[a]!));
      const chosen = order.filter((leaf) => guess[leaf]! >= 0).length;
      order.forEach((leaf, k) => {
        assertEquals(guess[leaf], k >= chosen ? -1 : shrunk[leaf]! > 0 ? 1 : 0);
      });
      // The bound of the first k leaves alone, with the test's draws reduced to their share.
      const total = (leaves: Int32Array): number =>
        leaves.reduce((n, leaf) => n + own.counts[2 * leaf]! + own.counts[2 * leaf + 1]!, 1);
      const boundOfFirst = (k: number): number => {
        const leaves = order.slice(0, k);
        const draws = horizon.draws * total(leaves) / total(order);
        return chooseGuesses({ ...own, leaves }, { ...horizon, draws }).expectedBound;
      };
      order.forEach((_, k) => {
        if (k < chosen) assert(boundOfFirst(k) < expectedBound);
        else assertAlmostEquals(boundOfFirst(k), expectedBound, 1e-9);
      });
    }),
    { seed: 73, numRuns: 200 },
  );
});

// Mutants: half a draw a side or one draw in all left out or doubled, another quantile, a share of draws that is inverted.
Deno.test("chooseGuesses() expects the log ratio of right to wrong guesses less both errors, by its formula", () => {
  const options = fc.record({
    alpha: fc.constantFrom(0.001, 0.05, 0.3),
    draws: fc.constantFrom(10, 1000, 1e6),
    standardErrors: fc.constantFrom(0, 1, 2.5),
  });
  fc.assert(
    fc.property(someLeaves, options, (leaves, { alpha, draws, standardErrors }) => {
      const own = learned(leaves), [estimates] = own.logOdds;
      const shrunk = own.logOdds[ONE_STANDARD_ERROR]!;
      const order = own.leaves.toSorted((a, b) => Math.abs(shrunk[b]!) - Math.abs(shrunk[a]!));
      const total = leaves.reduce((sum, [left, right]) => sum + left + right, 1);
      let right = 0.5, wrong = 0.5, best = -Infinity;
      for (const leaf of order) {
        const count = own.counts[2 * leaf]! + own.counts[2 * leaf + 1]!;
        const odds = shrunk[leaf]! > 0 ? estimates![leaf]! : -estimates![leaf]!;
        right += count / (1 + Math.exp(-odds));
        wrong += count / (1 + Math.exp(odds));
        const error = Math.sqrt(1 / right + 1 / wrong);
        const ofTest = normalTailQuantile(alpha) * Math.sqrt(total / draws);
        best = Math.max(best, Math.log(right / wrong) - error * (standardErrors + ofTest));
      }
      const { expectedBound } = chooseGuesses(own, { alpha, draws, standardErrors });
      assertAlmostEquals(expectedBound, best, 1e-9 * (1 + Math.abs(best)));
    }),
    { seed: 76, numRuns: 200 },
  );
});
