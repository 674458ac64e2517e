import type { Pair } from "../../core/relation.ts";
import { logSigmoid } from "../../numeric/log_sigmoid.ts";
import type { Told } from "../betting/prediction_batch.ts";
import { CAUTIONS, LIKELY } from "../betting/standard_errors.ts";
import { numbersIn } from "../encoding/numbers_in_data.ts";
import { directionOf } from "../location_shift/dataset_difference.ts";
import { leafLogOdds } from "../partition/pruning_mixture.ts";
import type { Pace } from "./candidate_partitions.ts";
import { Learner } from "./predictor.ts";

/** A pair under trial: what has been learned about telling its two sides apart. */
export interface Arm {
  readonly pair: Pair;
  readonly learner: Learner;
  /** By how many standard errors its learner's odds are drawn towards 0 before arms are ranked. */
  readonly doubt: number;
}

/** A new arm; with `bits` its learner looks at the bits of doubles too. */
export function armOf(
  pair: Pair,
  { bits, pace, doubt = CAUTIONS[LIKELY]! }: { bits: boolean; pace?: Pace; doubt?: number },
): Arm {
  return {
    pair,
    doubt,
    learner: new Learner({
      centres: bits ? numbersIn([pair.left, pair.right]) : undefined,
      direction: directionOf(pair),
      ...(pace === undefined ? {} : { pace }),
    }),
  };
}

/**
 * Logarithm of the wealth that bets against `epsilon` on this arm are expected to bring in `draws`
 * draws, judged by what the arm has learned with a caution of {@linkcode CAUTIONS}, or with its own doubt.
 */
export function promise(
  arm: Arm,
  { draws, epsilon, caution }: { draws: number; epsilon: number; caution?: number },
): number {
  return Math.max(...toldBy(arm, caution).map((told) => promiseOf(told, { draws, epsilon })));
}

/** The largest ε against which this arm promises `nats`, judged as {@linkcode promise} does; 0 if none. */
export function merit(
  arm: Arm,
  { draws, nats, caution }: { draws: number; nats: number; caution?: number },
): number {
  return Math.max(...toldBy(arm, caution).map((told) => meritOf(told, { draws, nats })));
}

function meritOf(told: Told, { draws, nats }: { draws: number; nats: number }): number {
  if (promiseOf(told, { draws, epsilon: 0 }) < nats) return 0;
  let low = 0,
    high = told.leaves.reduce((most, leaf) => Math.max(most, Math.abs(told.odds[leaf]!)), 0);
  for (let step = 0; step < 30; step++) {
    const middle = (low + high) / 2;
    if (promiseOf(told, { draws, epsilon: middle }) >= nats) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * What an arm has learned: of the cells of its partition, and of outputs that follow the data. Log odds have
 * a caution or are drawn towards 0 by the arm's own doubt.
 */
function toldBy({ learner, doubt }: Arm, caution: number | undefined): Told[] {
  const { partition, counts, leaves } = learner;
  const known = caution ?? CAUTIONS.indexOf(doubt);
  const odds = learner.logOdds[known] ?? leafLogOdds(partition, { counts, cautions: [doubt] })[0]!;
  const followed = learner.shift?.known(caution === undefined ? doubt : CAUTIONS[caution]!);
  return [{ leaves, counts, odds }, ...(followed === undefined ? [] : [followed])];
}

function promiseOf(
  { counts, leaves, odds }: Told,
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
