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
      expectedLogWealthOf(leafWealthOf(predicted), {
        draws: draws * candidate.predictor.keptShare,
        epsilon,
      })
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
  const wealth = leafWealthOf(predicted);
  if (expectedLogWealthOf(wealth, { draws, epsilon: 0 }) < nats) return 0;
  let low = 0;
  let high = wealth.leaves.reduce((most, [, odds]) => Math.max(most, odds), 0);
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (expectedLogWealthOf(wealth, { draws, epsilon: middle }) >= nats) low = middle;
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

/** What the expected log wealth needs of the leaves, and of no ε. */
interface LeafWealth {
  /** Draws in all leaves. */
  readonly total: number;
  /** For each leaf its draws, the predicted log odds without their sign, their probability, and the logarithms of this and of the other one. */
  readonly leaves: readonly (readonly [number, number, number, number, number])[];
}

function leafWealthOf({ counts, leaves, odds }: PredictedOdds): LeafWealth {
  let total = 0;
  const found: LeafWealth["leaves"][number][] = [];
  for (const leaf of leaves) {
    const count = counts[2 * leaf]! + counts[2 * leaf + 1]!;
    total += count;
    const l = Math.abs(odds[leaf]!);
    found.push([count, l, 1 / (1 + Math.exp(-l)), logSigmoid(l), logSigmoid(-l)]);
  }
  return { total, leaves: found };
}

/** In each leaf the relative entropy of the predicted odds and ε where the odds exceed it, averaged over draws. */
function expectedLogWealthOf(
  { total, leaves }: LeafWealth,
  { draws, epsilon }: { draws: number; epsilon: number },
): number {
  const logUpper = logSigmoid(epsilon), logLower = logSigmoid(-epsilon);
  let rate = 0;
  for (const [count, l, right, logRight, logWrong] of leaves) {
    if (l <= epsilon) continue;
    rate += count * (right * (logRight - logUpper) + (1 - right) * (logWrong - logLower));
  }
  return total === 0 ? 0 : (draws * rate) / total;
}
