import { requireInteger, requireKind } from "../../core/numeric/require.ts";
import { posteriorOf } from "./privacy_breach.ts";
import type { RandomisationOperator } from "./randomisation_operator.ts";

/**
 * The Kullback–Leibler distance Σ p·ln(p/q), in nats: Infinity where p is possible and q is not.
 *
 * @throws {RangeError} when the two have different lengths.
 */
export function klDistance(p: readonly number[], q: readonly number[]): number {
  requireKind("klDistance", "p", p, "list");
  requireKind("klDistance", "q", q, "list");
  requireInteger("measure a distance", "the number of probabilities in q", q.length, {
    min: p.length,
    max: p.length,
  });
  const sum = p.reduce(
    (total, probability, i) =>
      probability === 0 ? total : total + probability * Math.log(probability / q[i]!),
    0,
  );
  return Math.max(0, sum);
}

/** Information that a randomised version reveals about a value, on average and at worst. */
export interface Leakage {
  /** I(X; R(X)) = E_y KL(P(X | y) ‖ P(X)), nats. */
  readonly mutualInformation: number;
  /** The largest KL(P(X | y) ‖ P(X)) over possible outputs, nats. */
  readonly worstDistance: number;
  /** An output where that is reached. */
  readonly worstOutput: number;
  /** The probability of seeing an output this bad (within 1e-9 of the worst). */
  readonly worstProbability: number;
}

/**
 * The average measure of input perturbation, mutual information, beside what it hides: a small average
 * is no promise about any one output. Ages 0 to 90 with uniform noise of ±20 leak 1.02 nats on average,
 * but an output of 110 gives the age away: ln 91 = 4.5 nats.
 *
 * @throws {RangeError} when the prior does not fit the operator.
 *
 * @example
 * ```ts
 * import { leakage } from "./average_measures.ts";
 * import { addUniform } from "./randomisation_operator.ts";
 * leakage(addUniform({ size: 91, reach: 20 }), Array.from({ length: 91 }, () => 1 / 91));
 * ```
 */
export function leakage(operator: RandomisationOperator, prior: readonly number[]): Leakage {
  requireKind("leakage", "operator", operator, "record");
  requireKind("leakage", "prior", prior, "list");
  let mutualInformation = 0, worstDistance = 0, worstOutput = 0, worstProbability = 0;
  for (let output = 0; output < operator.outputs; output++) {
    const posterior = posteriorOf(prior, { operator, output });
    if (posterior === undefined) continue;
    const seen = prior.reduce(
      (sum, probability, value) => sum + probability * operator.probability(value, output),
      0,
    );
    const distance = klDistance(posterior, prior);
    mutualInformation += seen * distance;
    if (distance > worstDistance + 1e-9) {
      [worstDistance, worstOutput, worstProbability] = [distance, output, seen];
    } else if (distance > worstDistance - 1e-9) {
      worstProbability += seen;
    }
  }
  return { mutualInformation, worstDistance, worstOutput, worstProbability };
}
