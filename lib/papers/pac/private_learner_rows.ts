import { requireKnown } from "../../core/text/known_options.ts";
import {
  requireChance,
  requireFields,
  requireInteger,
  requirePositive,
} from "../../core/numeric/require.ts";

/** Accuracy that the learner must reach. */
export interface LearningGoal {
  /** |H|, the number of hypotheses. */
  readonly hypotheses: number;
  /** ε of the learner, in nats. */
  readonly epsilon: number;
  /** α: how much worse than the best of the class its error may be, in (0, 1). */
  readonly excess: number;
  /** β: how often it may fail, in (0, 1). */
  readonly failure: number;
}

/**
 * A number of independent rows that is enough for `privateLearner` to choose, with probability at least
 * 1 − β, a hypothesis whose error on the population is at most α above the least in the class, whatever
 * the population: max{8·ln(4|H|/β)/α², 4·ln(2|H|/β)/(αε)}. That is the order of Kasiviswanathan, Lee,
 * Nissim, Raskhodnikova, Smith 2008, Theorem on the generic agnostic learner,
 * O((ln|H| + ln(1/β))·max{1/(εα), 1/α²}), with constants.
 *
 * The first term: by Hoeffding every error on the sample is within α/4 of the population's, but for
 * 2|H|·e^(−nα²/8) ≤ β/2. The second: a hypothesis with α·n/2 mistakes above the fewest is chosen with
 * probability at most |H|·e^(−εαn/4) ≤ β/2. Together α/4 + α/2 + α/4.
 *
 * @throws {RangeError} when a part of the goal is out of range.
 *
 * @example
 * ```ts
 * import { privateLearnerRows } from "./private_learner_rows.ts";
 * privateLearnerRows({ hypotheses: 100, epsilon: 0.1, excess: 0.1, failure: 0.05 }); // 7190
 * ```
 */
export function privateLearnerRows(
  options: LearningGoal,
): number {
  const { hypotheses, epsilon, excess, failure } = requireFields("privateLearnerRows", options, {});
  requireKnown("call privateLearnerRows()", options, [
    "hypotheses",
    "epsilon",
    "excess",
    "failure",
  ]);
  const action = "bound the rows of a private learner";
  requireInteger(action, "hypotheses", hypotheses, { min: 1 });
  requirePositive(action, "epsilon", epsilon);
  requireChance(action, "excess", excess);
  requireChance(action, "failure", failure);
  const sampling = 8 * Math.log(4 * hypotheses / failure) / (excess * excess);
  const choosing = 4 * Math.log(2 * hypotheses / failure) / (excess * epsilon);
  return Math.ceil(Math.max(sampling, choosing));
}
