import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { ONE_STANDARD_ERROR, STANDARD_ERRORS } from "../../../../lib/audit/betting/shares.ts";
import {
  chooseGuesses,
  type Guesses,
  type PredictedLeaves,
} from "../../../../lib/audit/prediction/choose_guesses.ts";

type Counts = readonly [left: number, right: number];

/** Bins under one root, each believed as its own counts say, drawn to 0 by every caution. */
function learned(bins: readonly Counts[]): PredictedLeaves {
  const counts = Float64Array.from([[0, 0], ...bins].flat());
  const logOdds = STANDARD_ERRORS.map((caution) =>
    Float64Array.from([[0, 0], ...bins], ([left, right]) => {
      const odds = Math.log((right! + 0.5) / (left! + 0.5));
      const error = caution * Math.sqrt(1 / (right! + 0.5) + 1 / (left! + 0.5));
      return Math.sign(odds) * Math.max(0, Math.abs(odds) - error);
    })
  );
  return { leaves: Int32Array.from(bins, (_, k) => k + 1), counts, logOdds };
}

const horizon = { alpha: 0.05, draws: 10_000 };

/** The guesses of the bins, the root left out. */
function guessesOf(bins: readonly Counts[], options = horizon): number[] {
  const { guess } = chooseGuesses(learned(bins), options);
  assertEquals(guess[0], -1);
  return [...guess.subarray(1)];
}

function promiseOf(bins: readonly Counts[], options = horizon): number {
  return chooseGuesses(learned(bins), options).promise;
}

// Mutants: a guess in every bin, sides exchanged, guesses at inner nodes.
Deno.test("chooseGuesses() guesses the likelier side in the clear bins, nothing in the others", () => {
  assertEquals(guessesOf([[100, 1000], [500, 500], [1000, 100], [500, 510]]), [1, -1, 0, -1]);
  assertEquals(guessesOf([[1000, 3000]]), [1]);
  assertEquals(guessesOf([[500, 500], [3000, 1000]]), [-1, 0]);
});

// Mutant: the clearest bin alone, however few draws it is going to see.
Deno.test("chooseGuesses() takes many bins of a smaller difference before one that is rare", () => {
  const bins: Counts[] = [[1, 12], [1000, 2000], [2000, 1000], [3000, 3000]];
  assertEquals(guessesOf(bins, { alpha: 0.05, draws: 1000 }).slice(1, 3), [1, 0]);
  // The rarer bin is worth it where it is going to be seen more often.
  const clear: Counts[] = [[30, 3000], [20_000, 24_000]];
  assertEquals(guessesOf(clear, { alpha: 0.05, draws: 1e6 }), [1, -1]);
});

// Mutant: promises without the standard error of what was learned.
Deno.test("chooseGuesses() does not believe bins of few draws, however clear", () => {
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
Deno.test("chooseGuesses() promises nothing where the bins say nothing", () => {
  for (const bins of [[[0, 0]], [[500, 500]], [[480, 500], [500, 480]], [[0, 0], [0, 0]]]) {
    const { promise } = chooseGuesses(learned(bins as unknown as Counts[]), horizon);
    assert(promise <= 0, `${promise} from ${bins}`);
  }
});

const someCells = fc.array(fc.tuple(fc.nat(2000), fc.nat(2000)), { minLength: 1, maxLength: 8 });

/** What the best rates of the chosen bins would show, were they known and the draws without end. */
function ceiling(bins: readonly Counts[], { guess }: Guesses): number {
  const { logOdds: [believed] } = learned(bins);
  let right = 0, wrong = 0;
  bins.forEach(([left, other], k) => {
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
    fc.property(someCells, (bins) => {
      let last = -Infinity;
      for (const draws of [100, 1000, 1e5, 1e7]) {
        const found = chooseGuesses(learned(bins), { alpha: 0.05, draws });
        assert(found.promise > last, `${bins}: ${found.promise} at ${draws}`);
        assert(found.promise < ceiling(bins, found));
        assert(found.promise < promiseOf(bins, { alpha: 0.1, draws }));
        last = found.promise;
      }
    }),
    { seed: 71, numRuns: 300 },
  );
});

// Mutant: the two sides treated differently anywhere.
Deno.test("chooseGuesses() mirrors its guesses when the sides change places, and promises the same", () => {
  fc.assert(
    fc.property(someCells, (bins) => {
      const mirrored = bins.map(([left, right]) => [right, left] as const);
      const own = chooseGuesses(learned(bins), horizon);
      const other = chooseGuesses(learned(mirrored), horizon);
      assertAlmostEquals(other.promise, own.promise, 1e-9);
      const cautious = learned(bins).logOdds[ONE_STANDARD_ERROR];
      own.guess.forEach((side, node) => {
        if (side === -1) assertEquals(other.guess[node], -1);
        // A bin that leans to neither side may be guessed on either.
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
      (bin, luck) => {
        const own = learned([bin]);
        const { promise } = chooseGuesses(own, { ...horizon, luck });
        const count = bin[0] + bin[1], rate = (bin[1] + 0.5) / (count + 1);
        const error = Math.sqrt(1 / (count * rate + 0.5) + 1 / (count * (1 - rate) + 0.5));
        assertAlmostEquals(promise, promiseOf([bin]) + (1 - luck) * error, 1e-9);
      },
    ),
    { seed: 74, numRuns: 200 },
  );
  fc.assert(
    fc.property(someCells, (bins) => {
      const [none, half, one] = [0, 0.5, 1].map((luck) =>
        chooseGuesses(learned(bins), { ...horizon, luck }).promise
      );
      assert(none! > half! && half! > one!, `${bins}: ${none} ${half} ${one}`);
      assertEquals(promiseOf(bins), one);
    }),
    { seed: 75, numRuns: 200 },
  );
});

// Mutants: the least clear bins first, all bins or the first few instead of the best number.
Deno.test("chooseGuesses() chooses the clearest bins, as many as promise most", () => {
  fc.assert(
    fc.property(someCells, (bins) => {
      const own = learned(bins);
      const { guess, promise } = chooseGuesses(own, horizon);
      const cautious = own.logOdds[ONE_STANDARD_ERROR]!;
      const order = own.leaves.toSorted((a, b) => Math.abs(cautious[b]!) - Math.abs(cautious[a]!));
      const chosen = order.filter((leaf) => guess[leaf]! >= 0).length;
      order.forEach((leaf, k) => {
        assertEquals(guess[leaf], k >= chosen ? -1 : cautious[leaf]! > 0 ? 1 : 0);
      });
      // Of fewer bins, the draws reduced by as much: what these promise among all of them.
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
