import type { Pair } from "../../core/relation.ts";
import { logSigmoid } from "../../numeric/log_sigmoid.ts";
import type { PredictedOdds } from "../betting/prediction_batch.ts";
import { ONE_STANDARD_ERROR, STANDARD_ERRORS } from "../betting/shares.ts";
import { numbersIn } from "../encoding/numbers_in_data.ts";
import { datasetDifferenceOf } from "../location_shift/dataset_difference.ts";
import { leafLogOdds } from "../partition/pruning_mixture.ts";
import type { Effort } from "./effort.ts";
import { Predictor } from "./predictor.ts";

/** A pair under trial: what has been learned about telling its two sides apart. */
export interface CandidatePair {
  readonly pair: Pair;
  readonly predictor: Predictor;
  /** By how many standard errors its predictor's odds are drawn towards 0 before candidates are ranked. */
  readonly standardErrors: number;
}

/** A new candidate; with `bits` its predictor looks at the bits of doubles too. */
export function candidatePairOf(
  pair: Pair,
  { bits, effort, doubt = STANDARD_ERRORS[ONE_STANDARD_ERROR]! }: {
    bits: boolean;
    effort?: Effort;
    doubt?: number;
  },
): CandidatePair {
  return {
    pair,
    standardErrors: doubt,
    predictor: new Predictor({
      centres: bits ? numbersIn([pair.left, pair.right]) : undefined,
      direction: datasetDifferenceOf(pair),
      ...(effort === undefined ? {} : { effort }),
    }),
  };
}

/**
 * Logarithm of the wealth that bets against `epsilon` on this candidate are expected to bring in `draws`
 * draws, judged by what the candidate has learned with a caution of {@linkcode STANDARD_ERRORS}, or with its own doubt.
 */
export function expectedLogWealth(
  candidate: CandidatePair,
  { draws, epsilon, caution }: { draws: number; epsilon: number; caution?: number },
): number {
  return Math.max(
    ...predictionsOf(candidate, caution).map((told) =>
      expectedLogWealthOf(told, { draws, epsilon })
    ),
  );
}

/** The largest ε against which this candidate promises `nats`, judged as {@linkcode expectedLogWealth} does; 0 if none. */
export function refutableEpsilon(
  candidate: CandidatePair,
  { draws, nats, caution }: { draws: number; nats: number; caution?: number },
): number {
  return Math.max(
    ...predictionsOf(candidate, caution).map((told) => refutableEpsilonOf(told, { draws, nats })),
  );
}

function refutableEpsilonOf(
  told: PredictedOdds,
  { draws, nats }: { draws: number; nats: number },
): number {
  if (expectedLogWealthOf(told, { draws, epsilon: 0 }) < nats) return 0;
  let low = 0,
    high = told.leaves.reduce((most, leaf) => Math.max(most, Math.abs(told.odds[leaf]!)), 0);
  for (let step = 0; step < 30; step++) {
    const middle = (low + high) / 2;
    if (expectedLogWealthOf(told, { draws, epsilon: middle }) >= nats) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * What a candidate has learned: of the bins of its partition, and of outputs that follow the data. Log odds have
 * a caution or are drawn towards 0 by the candidate's own doubt.
 */
function predictionsOf(
  { predictor: predictor, standardErrors: doubt }: CandidatePair,
  caution: number | undefined,
): PredictedOdds[] {
  const { partition, counts, leaves } = predictor;
  const known = caution ?? STANDARD_ERRORS.indexOf(doubt);
  const odds = predictor.logOdds[known] ??
    leafLogOdds(partition, { counts, cautions: [doubt] })[0]!;
  const followed = predictor.shift?.predictedOdds(
    caution === undefined ? doubt : STANDARD_ERRORS[caution]!,
  );
  return [{ leaves, counts, odds }, ...(followed === undefined ? [] : [followed])];
}

function expectedLogWealthOf(
  { counts, leaves, odds }: PredictedOdds,
  { draws, epsilon }: { draws: number; epsilon: number },
): number {
  let total = 0, rate = 0;
  for (const leaf of leaves) {
    const count = counts[2 * leaf]! + counts[2 * leaf + 1]!;
    total += count;
    const l = Math.abs(odds[leaf]!);
    if (l <= epsilon) continue;
    const r = 1 / (1 + Math.exp(-l));
    rate += count * (r * (logSigmoid(l) - logSigmoid(epsilon)) +
      (1 - r) * (logSigmoid(-l) - logSigmoid(-epsilon)));
  }
  return total === 0 ? 0 : (draws * rate) / total;
}
