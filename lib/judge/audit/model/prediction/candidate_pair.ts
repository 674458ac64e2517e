import type { Pair } from "../../../../core/relations/relation.ts";
import type { PredictedOdds } from "../../kernel/betting/prediction_batch.ts";
import { ONE_STANDARD_ERROR, STANDARD_ERRORS } from "../../kernel/betting/shares.ts";
import { numbersIn } from "../encoding/numbers_in_data.ts";
import { datasetDifferenceOf } from "../location_shift/dataset_difference.ts";
import { leafLogOdds } from "../partition/pruning_mixture.ts";
import type { Effort } from "./effort.ts";
import {
  type ClaimPoint,
  expectedLogWealthOf,
  PURE_POINTS,
  refutableEpsilonOf,
} from "./expected_log_wealth.ts";
import { Predictor } from "./predictor.ts";

/** A pair that may refute the claim, with the predictor that has learned from its outputs. */
export interface CandidatePair {
  readonly pair: Pair;
  readonly predictor: Predictor;
  /** How many standard errors its log odds are drawn towards 0 before candidates are ranked. */
  readonly standardErrors: number;
  /** The points of the claim that it is ranked by; an ε against which nothing is paid for δ where there are none. */
  readonly points: readonly ClaimPoint[];
}

/** Returns a new candidate. With `bits` the bits of doubles are features; one standard error is the default. */
export function candidatePairOf(
  pair: Pair,
  { bits, effort, standardErrors = STANDARD_ERRORS[ONE_STANDARD_ERROR]!, points = PURE_POINTS }: {
    bits: boolean;
    effort?: Effort;
    standardErrors?: number;
    points?: readonly ClaimPoint[];
  },
): CandidatePair {
  return {
    pair,
    standardErrors,
    points,
    predictor: new Predictor({
      centres: bits ? numbersIn([pair.left, pair.right]) : undefined,
      difference: datasetDifferenceOf(pair),
      ...(effort === undefined ? {} : { effort }),
    }),
  };
}

/**
 * Returns the expected log wealth of bets against `epsilon` on this candidate, after `draws` more draws. The predicted log odds are
 * taken for the true ones, drawn towards 0 by `STANDARD_ERRORS[errors]` standard errors; by the candidate's own number of them
 * if `errors` is absent. `epsilon` stands for the ε of the first point of its claim, and the others move in proportion.
 */
export function expectedLogWealth(
  candidate: CandidatePair,
  { draws, epsilon, errors }: { draws: number; epsilon: number; errors?: number },
): number {
  const { points, predictor } = candidate;
  return Math.max(
    ...predictionsOf(candidate, errors).map((predicted) =>
      expectedLogWealthOf(predicted, { draws: draws * predictor.keptShare, epsilon, points })
    ),
  );
}

/** Returns the largest ε against which {@linkcode expectedLogWealth} is at least `nats`; 0 if there is none. */
export function refutableEpsilon(
  candidate: CandidatePair,
  { draws, nats, errors }: { draws: number; nats: number; errors?: number },
): number {
  const { points, predictor } = candidate;
  return Math.max(
    ...predictionsOf(candidate, errors).map((predicted) =>
      refutableEpsilonOf(predicted, { draws: draws * predictor.keptShare, nats, points })
    ),
  );
}

/**
 * Returns the candidate's predictions: in the leaves of its partition, in rare cells, and in the bins of the location shift, if there are
 * any.
 */
function predictionsOf(
  { predictor, standardErrors: own }: CandidatePair,
  errors: number | undefined,
): PredictedOdds[] {
  const { partition, counts, leaves } = predictor;
  const odds = predictor.logOdds[errors ?? STANDARD_ERRORS.indexOf(own)] ??
    leafLogOdds(partition, { counts, standardErrors: [own] })[0]!;
  const standardErrors = errors === undefined ? own : STANDARD_ERRORS[errors]!;
  const shifted = predictor.locationShift?.predictedOdds(standardErrors);
  return [
    { leaves, counts, odds },
    predictor.rare.predictedOdds(standardErrors),
    ...(shifted === undefined ? [] : [shifted]),
  ];
}
