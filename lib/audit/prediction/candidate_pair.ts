import type { Pair } from "../../core/relation.ts";
import { logSigmoid } from "../../numeric/log_sigmoid.ts";
import type { PredictedOdds } from "../betting/prediction_batch.ts";
import { ONE_STANDARD_ERROR, STANDARD_ERRORS } from "../betting/shares.ts";
import { numbersIn } from "../encoding/numbers_in_data.ts";
import { datasetDifferenceOf } from "../location_shift/dataset_difference.ts";
import { leafLogOdds } from "../partition/pruning_mixture.ts";
import type { Effort } from "./effort.ts";
import { Predictor } from "./predictor.ts";

/** Halvings of the interval in which the refutable ε lies: 2⁻³⁰ of the largest log odds is left. */
const HALVINGS = 30;

/** A pair that may refute the claim, with the predictor that has learned from its outputs. */
export interface CandidatePair {
  readonly pair: Pair;
  readonly predictor: Predictor;
  /** How many standard errors its log odds are drawn towards 0 before candidates are ranked. */
  readonly standardErrors: number;
}

/** A new candidate. With `bits` the bits of doubles are features; one standard error is the default. */
export function candidatePairOf(
  pair: Pair,
  { bits, effort, standardErrors = STANDARD_ERRORS[ONE_STANDARD_ERROR]! }: {
    bits: boolean;
    effort?: Effort;
    standardErrors?: number;
  },
): CandidatePair {
  return {
    pair,
    standardErrors,
    predictor: new Predictor({
      centres: bits ? numbersIn([pair.left, pair.right]) : undefined,
      difference: datasetDifferenceOf(pair),
      ...(effort === undefined ? {} : { effort }),
    }),
  };
}

/**
 * The expected log wealth of bets against `epsilon` on this candidate, after `draws` more draws. The predicted log odds
 * are taken for the true ones, drawn towards 0 by `STANDARD_ERRORS[errors]` standard errors; by the candidate's own
 * number of them if `errors` is absent.
 */
export function expectedLogWealth(
  candidate: CandidatePair,
  { draws, epsilon, errors }: { draws: number; epsilon: number; errors?: number },
): number {
  return Math.max(
    ...predictionsOf(candidate, errors).map((predicted) =>
      expectedLogWealthOf(predicted, { draws: draws * candidate.predictor.keptShare, epsilon })
    ),
  );
}

/** The largest ε against which {@linkcode expectedLogWealth} is at least `nats`; 0 if there is none. */
export function refutableEpsilon(
  candidate: CandidatePair,
  { draws, nats, errors }: { draws: number; nats: number; errors?: number },
): number {
  return Math.max(
    ...predictionsOf(candidate, errors).map((predicted) =>
      refutableEpsilonOf(predicted, { draws: draws * candidate.predictor.keptShare, nats })
    ),
  );
}

function refutableEpsilonOf(
  predicted: PredictedOdds,
  { draws, nats }: { draws: number; nats: number },
): number {
  if (expectedLogWealthOf(predicted, { draws, epsilon: 0 }) < nats) return 0;
  let low = 0;
  let high = predicted.leaves.reduce(
    (most, leaf) => Math.max(most, Math.abs(predicted.odds[leaf]!)),
    0,
  );
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (expectedLogWealthOf(predicted, { draws, epsilon: middle }) >= nats) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The candidate's predictions: in the leaves of its partition, and in the bins of the location shift, if there are any.
 */
function predictionsOf(
  { predictor, standardErrors: own }: CandidatePair,
  errors: number | undefined,
): PredictedOdds[] {
  const { partition, counts, leaves } = predictor;
  const odds = predictor.logOdds[errors ?? STANDARD_ERRORS.indexOf(own)] ??
    leafLogOdds(partition, { counts, standardErrors: [own] })[0]!;
  const shifted = predictor.locationShift?.predictedOdds(
    errors === undefined ? own : STANDARD_ERRORS[errors]!,
  );
  return [{ leaves, counts, odds }, ...(shifted === undefined ? [] : [shifted])];
}

/** In each leaf the relative entropy of the predicted odds and ε where the odds exceed it, averaged over draws. */
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
