import { boundByGuesses } from "../../../../../lib/judge/audit/plan/bound_at_end.ts";
import type {
  PredictedLeaves,
  PredictionBatch,
} from "../../../../../lib/judge/audit/kernel/betting/prediction_batch.ts";
import type { GuessCountBound } from "../../../../../lib/judge/audit/kernel/fixed_sample/guess_count_bound.ts";
import type { Source } from "../../../../../lib/core/mechanism/source.ts";
import { logBinomialTail } from "../../../../../lib/core/numeric/binomial_tail.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

/** Bins: leaves (nodes 1, 2, …) with these counts of (left, right) and the log odds of them. */
export function cellsWith(
  leaves: readonly (readonly [left: number, right: number])[],
): PredictedLeaves {
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
export function batchWith(
  leaves: readonly (readonly [left: number, right: number])[],
): PredictionBatch {
  const counts = Float64Array.from([0, 0, ...leaves.flat()]);
  return {
    counts,
    leaves: Int32Array.from(leaves, (_, k) => k + 1),
    logOdds: [],
    before: counts,
    draws: counts.reduce((a, b) => a + b, 0),
  };
}

export function probability(k: number, n: number, p: number): number {
  return Math.exp(logBinomialTail(k, n, p)) -
    (k === n ? 0 : Math.exp(logBinomialTail(k + 1, n, p)));
}

/** A source that always gives this number. */
export function toss(uniform: number): Source {
  return { ...new SeededSource(1), uniform: () => uniform } as unknown as Source;
}
export const source: Source = toss(0.5);

/** A test of guesses chosen by the counts so far. */
export function guessTest(
  learned: PredictedLeaves,
  { epsilon, ...options }: {
    readonly epsilon: number;
    readonly alpha: number;
    readonly draws: number;
    readonly source: Source;
  },
): GuessCountBound {
  return boundByGuesses(learned, { claim: epsilon, ...options }).bound;
}

/** A test of so many guesses, of which so many were made, and of these so many right. */
export function guessed(
  { goal, made, right, epsilon, tossed }: {
    goal: number;
    made: number;
    right: number;
    epsilon: number;
    tossed: number;
  },
): GuessCountBound {
  const guess = guessTest(cellsWith([[1, 9]]), {
    epsilon,
    alpha: 0.05,
    draws: goal,
    source: toss(tossed),
  });
  guess.add(batchWith([[made - right, right]]));
  return guess;
}

/** A test of this many guesses, one in each draw where `rate` is 1. */
export function testOf(goal: number, { epsilon = 1, alpha = 0.05 } = {}): GuessCountBound {
  return guessTest(cellsWith([[10, 90]]), { epsilon, alpha, draws: goal, source });
}
