import { approximate, type Claim, gaussian, renyi, zcdp } from "../../../../../lib/core/mod.ts";
import { replaceOne as relation } from "../../../../../lib/core/relations/relation.ts";
import { chooseBets } from "../../../../../lib/judge/audit/plan/bet_choice/choose_bets.ts";
import { predictedShares } from "../../../../../lib/judge/audit/plan/bet_choice/predicted_law.ts";
import type { SharedBet } from "../../../../../lib/judge/audit/kernel/betting/claim_bet.ts";
import type { PredictedLeaves } from "../../../../../lib/judge/audit/kernel/betting/prediction_batch.ts";
import { type BoundAtEnd, boundByBets } from "../../../../../lib/judge/audit/plan/bound_at_end.ts";
import type { BetBound } from "../../../../../lib/judge/audit/kernel/fixed_sample/bet_bound.ts";
import { gaussianDelta } from "../../../../../lib/core/numeric/gaussian_delta.ts";
import { normalTail } from "../../../../../lib/core/numeric/normal_tail.ts";
import type { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

export const CELLS = 48;
export const ALPHA = 0.05;

/** Probabilities of cells of N(mean, 1). */
function normalCells(mean: number): number[] {
  const edges = Array.from({ length: CELLS - 1 }, (_, i) => -4.2 + (9.4 * (i + 1)) / CELLS);
  const below = [0, ...edges.map((edge) => normalTail(mean - edge)), 1];
  return Array.from({ length: CELLS }, (_, i) => below[i + 1]! - below[i]!);
}

export const LAW = {
  left: Float64Array.from(normalCells(0)),
  right: Float64Array.from(normalCells(1)),
};

/** A Poisson number: a rounded normal one where that is close. */
export function poisson(source: SeededSource, mean: number): number {
  if (mean > 60) {
    const normal = Math.sqrt(-2 * Math.log(source.uniform())) *
      Math.cos(2 * Math.PI * source.uniform());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  let count = -1, log = 0;
  while (log > -mean) {
    log += Math.log(source.uniform());
    count++;
  }
  return count;
}

/** Counts of about as many draws of the law, at `[2 * leaf + label]`. */
export function drawn(source: SeededSource, draws: number): Float64Array {
  const counts = new Float64Array(2 * CELLS);
  for (let i = 0; i < CELLS; i++) {
    counts[2 * i] = poisson(source, 0.5 * draws * LAW.left[i]!);
    counts[2 * i + 1] = poisson(source, 0.5 * draws * LAW.right[i]!);
  }
  return counts;
}

export function batchOf(counts: Float64Array): Parameters<BetBound["add"]>[0] {
  return { counts, draws: counts.reduce((sum, count) => sum + count, 0) };
}

const leaves = Int32Array.from({ length: CELLS }, (_, i) => i);

export function learnedFrom(counts: Float64Array): PredictedLeaves {
  const odds = Float64Array.from(
    leaves,
    (leaf) => Math.log((counts[2 * leaf + 1]! + 0.5) / (counts[2 * leaf]! + 0.5)),
  );
  return { leaves, counts, logOdds: [odds, odds, odds, odds, odds] };
}

export const claims: readonly (readonly [claim: Claim, least: number])[] = [
  [renyi({ order: 2, epsilon: 1, relation }), 0.94],
  [zcdp({ rho: 0.5, relation }), 0.96],
  [approximate({ epsilon: 0.5, delta: gaussianDelta(1, 0.5), relation }), 0.94],
  [approximate({ epsilon: 2, delta: gaussianDelta(1, 2), relation }), 0.94],
  [gaussian({ mu: 1, relation }), 0.97],
];

/** Two leaves, learned from so many draws a label; and a claim for which two bets share the stake, or one. */
const TWO = learnedOfTwo([700, 500, 450, 620]);
export const twoLeaves: readonly Claim[] = [
  approximate({ epsilon: 0.5, delta: 0.01, relation }),
  gaussian({ mu: 0.5, relation }),
  zcdp({ rho: 0.05, relation }),
  renyi({ order: 3, epsilon: 0.2, relation }),
];
export const testOfTwo = (claim: Claim, alpha: number): BoundAtEnd<BetBound> =>
  boundByBets(TWO, { claim, alpha, draws: 4000 });
export const betsOfTwo = (claim: Claim, alpha: number): SharedBet[] =>
  chooseBets(predictedShares(TWO), { claim, draws: 4000, nats: Math.log(1 / alpha) + 1e-6 });

function learnedOfTwo(counts: readonly number[]): PredictedLeaves {
  const odds = Float64Array.of(0, 1).map((leaf) =>
    Math.log(counts[2 * leaf + 1]! / counts[2 * leaf]!)
  );
  return {
    leaves: Int32Array.of(0, 1),
    counts: Float64Array.from(counts),
    logOdds: [odds, odds, odds, odds, odds],
  };
}
