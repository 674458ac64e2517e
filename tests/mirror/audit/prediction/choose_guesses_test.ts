import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { ONE_STANDARD_ERROR, STANDARD_ERRORS } from "../../../../lib/audit/betting/shares.ts";
import {
  chooseGuesses,
  type Guesses,
  type PredictedLeaves,
} from "../../../../lib/audit/prediction/choose_guesses.ts";

type Counts = readonly [left: number, right: number];

/** Cells under one root, each believed as its own counts say, drawn to 0 by every caution. */
function learned(cells: readonly Counts[]): PredictedLeaves {
  const counts = Float64Array.from([[0, 0], ...cells].flat());
  const logOdds = STANDARD_ERRORS.map((caution) =>
    Float64Array.from([[0, 0], ...cells], ([left, right]) => {
      const odds = Math.log((right! + 0.5) / (left! + 0.5));
      const error = caution * Math.sqrt(1 / (right! + 0.5) + 1 / (left! + 0.5));
      return Math.sign(odds) * Math.max(0, Math.abs(odds) - error);
    })
  );
  return { leaves: Int32Array.from(cells, (_, k) => k + 1), counts, logOdds };
}

const horizon = { alpha: 0.05, draws: 10_000 };

/** The guesses of the cells, the root left out. */
function guessesOf(cells: readonly Counts[], options = horizon): number[] {
  const { guess } = chooseGuesses(learned(cells), options);
  assertEquals(guess[0], -1);
  return [...guess.subarray(1)];
}

function promiseOf(cells: readonly Counts[], options = horizon): number {
  return chooseGuesses(learned(cells), options).promise;
}

// Mutants: a guess in every cell, sides exchanged, guesses at inner nodes.
Deno.test("chooseGuesses() guesses the likelier side in the clear cells, nothing in the others", () => {
  assertEquals(guessesOf([[100, 1000], [500, 500], [1000, 100], [500, 510]]), [1, -1, 0, -1]);
  assertEquals(guessesOf([[1000, 3000]]), [1]);
  assertEquals(guessesOf([[500, 500], [3000, 1000]]), [-1, 0]);
});

// Mutant: the clearest cell alone, however few draws it is going to see.
Deno.test("chooseGuesses() takes many cells of a smaller difference before one that is rare", () => {
  const cells: Counts[] = [[1, 12], [1000, 2000], [2000, 1000], [3000, 3000]];
  assertEquals(guessesOf(cells, { alpha: 0.05, draws: 1000 }).slice(1, 3), [1, 0]);
  // The rarer cell is worth it where it is going to be seen more often.
  const clear: Counts[] = [[30, 3000], [20_000, 24_000]];
  assertEquals(guessesOf(clear, { alpha: 0.05, draws: 1e6 }), [1, -1]);
});

// Mutant: promises without the standard error of what was learned.
Deno.test("chooseGuesses() does not believe cells of few draws, however clear", () => {
  // However many draws are to come.
  const endless = { alpha: 0.05, draws: 1e12 };
  const few = promiseOf([[0, 4], [4, 0], [3000, 3000]], endless);
  const many = promiseOf([[0, 400], [400, 0], [3000, 3000]], endless);
  assert(few < 1 && many > 3, `${few} and ${many}`);
  // Odds that somebody else believes in do not help either.
  const { leaves, counts } = learned([[0, 3], [1000, 3000]]);
  const odds = Float64Array.of(0, 20, Math.log(3));
  const { guess, promise } = chooseGuesses({
    leaves,
    counts,
    logOdds: STANDARD_ERRORS.map(() => odds),
  }, horizon);
  assertEquals([...guess], [-1, 1, 1]);
  assert(promise < Math.log(3) + 0.02, `${promise}`);
});

// Mutant: of the cautions the boldest one decides on the side, or none.
Deno.test("chooseGuesses() promises nothing where the cells say nothing", () => {
  for (const cells of [[[0, 0]], [[500, 500]], [[480, 500], [500, 480]], [[0, 0], [0, 0]]]) {
    const { promise } = chooseGuesses(learned(cells as unknown as Counts[]), horizon);
    assert(promise <= 0, `${promise} from ${cells}`);
  }
});

const someCells = fc.array(fc.tuple(fc.nat(2000), fc.nat(2000)), { minLength: 1, maxLength: 8 });

/** What the best rates of the chosen cells would show, were they known and the draws without end. */
function ceiling(cells: readonly Counts[], { guess }: Guesses): number {
  const { logOdds: [believed] } = learned(cells);
  let right = 0, wrong = 0;
  cells.forEach(([left, other], k) => {
    if (guess[k + 1] === -1) return;
    const odds = guess[k + 1] === 1 ? believed![k + 1]! : -believed![k + 1]!;
    right += (left + other) / (1 + Math.exp(-odds));
    wrong += (left + other) / (1 + Math.exp(odds));
  });
  return Math.log((right + 0.5) / (wrong + 0.5));
}

// Mutants: the standard error of the test added instead of taken off, a level taken for its complement.
Deno.test("chooseGuesses() promises more for more draws and a larger alpha, less than the rates", () => {
  fc.assert(
    fc.property(someCells, (cells) => {
      let last = -Infinity;
      for (const draws of [100, 1000, 1e5, 1e7]) {
        const found = chooseGuesses(learned(cells), { alpha: 0.05, draws });
        assert(found.promise > last, `${cells}: ${found.promise} at ${draws}`);
        assert(found.promise < ceiling(cells, found));
        assert(found.promise < promiseOf(cells, { alpha: 0.1, draws }));
        last = found.promise;
      }
    }),
    { seed: 71, numRuns: 300 },
  );
});

// Mutant: the two sides treated differently anywhere.
Deno.test("chooseGuesses() mirrors its guesses when the sides change places, and promises the same", () => {
  fc.assert(
    fc.property(someCells, (cells) => {
      const mirrored = cells.map(([left, right]) => [right, left] as const);
      const own = chooseGuesses(learned(cells), horizon);
      const other = chooseGuesses(learned(mirrored), horizon);
      assertAlmostEquals(other.promise, own.promise, 1e-9);
      const cautious = learned(cells).logOdds[ONE_STANDARD_ERROR];
      own.guess.forEach((side, node) => {
        if (side === -1) assertEquals(other.guess[node], -1);
        // A cell that leans to neither side may be guessed on either.
        else if (cautious![node] !== 0) assertEquals(other.guess[node], 1 - side);
      });
    }),
    { seed: 72, numRuns: 300 },
  );
});

// Mutants: luck that is ignored, added, taken off the test's own error, or another number than 1 if absent.
Deno.test("chooseGuesses() takes as many standard errors off for luck as it is told", () => {
  fc.assert(
    fc.property(
      fc.tuple(fc.nat(2000), fc.nat(2000)),
      fc.double({ min: 0, max: 3, noNaN: true }),
      (cell, luck) => {
        const own = learned([cell]);
        const { promise } = chooseGuesses(own, { ...horizon, luck });
        const count = cell[0] + cell[1], rate = (cell[1] + 0.5) / (count + 1);
        const error = Math.sqrt(1 / (count * rate + 0.5) + 1 / (count * (1 - rate) + 0.5));
        assertAlmostEquals(promise, promiseOf([cell]) + (1 - luck) * error, 1e-9);
      },
    ),
    { seed: 74, numRuns: 200 },
  );
  fc.assert(
    fc.property(someCells, (cells) => {
      const [none, half, one] = [0, 0.5, 1].map((luck) =>
        chooseGuesses(learned(cells), { ...horizon, luck }).promise
      );
      assert(none! > half! && half! > one!, `${cells}: ${none} ${half} ${one}`);
      assertEquals(promiseOf(cells), one);
    }),
    { seed: 75, numRuns: 200 },
  );
});

// Mutants: the least clear cells first, all cells or the first few instead of the best number.
Deno.test("chooseGuesses() chooses the clearest cells, as many as promise most", () => {
  fc.assert(
    fc.property(someCells, (cells) => {
      const own = learned(cells);
      const { guess, promise } = chooseGuesses(own, horizon);
      const cautious = own.logOdds[ONE_STANDARD_ERROR]!;
      const order = own.leaves.toSorted((a, b) => Math.abs(cautious[b]!) - Math.abs(cautious[a]!));
      const chosen = order.filter((leaf) => guess[leaf]! >= 0).length;
      order.forEach((leaf, k) => {
        assertEquals(guess[leaf], k >= chosen ? -1 : cautious[leaf]! > 0 ? 1 : 0);
      });
      // Of fewer cells, the draws reduced by as much: what these promise among all of them.
      const total = (leaves: Int32Array): number =>
        leaves.reduce((n, leaf) => n + own.counts[2 * leaf]! + own.counts[2 * leaf + 1]!, 1);
      const clearest = (k: number): number => {
        const leaves = order.slice(0, k);
        const draws = horizon.draws * total(leaves) / total(order);
        return chooseGuesses({ ...own, leaves }, { ...horizon, draws }).promise;
      };
      order.forEach((_, k) => {
        if (k < chosen) assert(clearest(k) < promise);
        else assertAlmostEquals(clearest(k), promise, 1e-9);
      });
    }),
    { seed: 73, numRuns: 200 },
  );
});
