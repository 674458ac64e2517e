import { productError, twoSum } from "../numeric/error_free.ts";
import { requireDelta, requireInteger, requireNonNegative } from "../numeric/require.ts";
import { roundUp } from "../numeric/round_outward.ts";
import { errorOfLieProbabilities, logLieProbabilities } from "./lie_probabilities.ts";
import { type PrivacyParameters, requireParameters } from "./privacy_parameters.ts";

/** Mechanisms that are all (ε, δ)-DP with the same ε and δ. */
export interface CompositionGroup extends PrivacyParameters {
  /** How many there are. */
  readonly count: number;
}

/** More combinations of losses than this are not enumerated. */
const MAX_COMBINATIONS = 2_000_000;
/** Of δ: what sums of probabilities and the last steps leave. */
const RELATIVE_ERROR = 1e-11;

/** The losses of one group's composition with the logarithms of their probabilities. */
interface LossTable {
  readonly losses: Float64Array;
  /** What is to be added to the losses: at least what they lost by rounding. */
  readonly rests: Float64Array;
  readonly logs: Float64Array;
}

function combine(a: LossTable, b: LossTable): LossTable {
  const size = a.losses.length * b.losses.length;
  const losses = new Float64Array(size),
    rests = new Float64Array(size),
    logs = new Float64Array(size);
  for (let i = 0, at = 0; i < a.losses.length; i++) {
    for (let j = 0; j < b.losses.length; j++, at++) {
      const [loss, lost] = twoSum(a.losses[i]!, b.losses[j]!), one = a.rests[i]!, two = b.rests[j]!;
      losses[at] = loss;
      // Two additions and the next are off by less than two EPSILON of these.
      rests[at] = lost + one + two +
        2 * Number.EPSILON * (Math.abs(lost) + Math.abs(one) + Math.abs(two));
      logs[at] = a.logs[i]! + b.logs[j]!;
    }
  }
  return { losses, rests, logs };
}

/** The losses of one group, by the number of lies, which is in `logs`. */
function groupLosses({ epsilon, count }: CompositionGroup, logs: Float64Array): LossTable {
  const times = logs.map((_, lies) => count - 2 * lies);
  return {
    losses: times.map((more) => more * epsilon),
    rests: times.map((more) => productError(more, epsilon)),
    logs,
  };
}

/**
 * At least Σ P(loss)·(1 − e^(epsilon − loss))⁺, but for a relative error. It is above 0 wherever a loss is above ε, by
 * however little, and however small its probability is: what is 0 would be claimed as pure privacy.
 */
function answeredAbove({ losses, rests, logs }: LossTable, epsilon: number): number {
  let sum = 0, carry = 0;
  for (let i = 0; i < losses.length; i++) {
    const excess = losses[i]! - epsilon + rests[i]!;
    if (excess <= 0) continue;
    // Beyond the range of doubles (NaN) all of the probability counts.
    const share = excess > 0 ? -Math.expm1(-excess) : 1;
    // Kahan's sum; a term that underflows is below the smallest double by two roundings.
    const term = Math.exp(logs[i]!) * share + 2 * Number.MIN_VALUE - carry, next = sum + term;
    carry = (next - sum) - term;
    sum = next;
  }
  return sum;
}

/**
 * The smallest δ for which every adaptive composition of (ε_i, δ_i)-DP mechanisms is
 * (`epsilon`, δ)-DP: nothing smaller holds for all of them.
 *
 * The worst case of each is to give everything away with probability δ_i and to answer by randomised
 * response else, so that 1 − δ = Π(1 − δ_i)·(1 − Σ_S (P(S) − e^epsilon·Q(S))⁺), a sum over which answers
 * were lies: by their number alone within a group of equal ε (Kairouz, Oh, Viswanath 2015, Theorem 3.3
 * and, for several groups, Murtagh, Vadhan 2016, Theorem 1.5). Rounded up.
 *
 * @throws {RangeError} when a parameter is out of range, or when there are more than two million
 * combinations: then {@linkcode kairouzComposition} or {@linkcode deltaBounds} answers.
 *
 * @example
 * ```ts
 * import { optimalDelta } from "./optimal_composition.ts";
 * optimalDelta([{ epsilon: 1 / 801, count: 10_000 }], { epsilon: 1 }); // 1.38e-17
 * ```
 */
export function optimalDelta(
  groups: readonly CompositionGroup[],
  { epsilon }: { epsilon: number },
): number {
  const action = "compose optimally";
  requireNonNegative(action, "epsilon", epsilon);
  for (const group of groups) {
    requireParameters(action, group);
    requireInteger(action, "count", group.count, { min: 0 });
  }
  const combinations = groups.reduce((product, { count }) => product * (count + 1), 1);
  if (combinations > MAX_COMBINATIONS) {
    throw new RangeError(
      `Cannot ${action}: the number of combinations of losses must be at most ` +
        `${MAX_COMBINATIONS}: current value is ${combinations}`,
    );
  }
  let table: LossTable = {
    losses: Float64Array.of(0),
    rests: Float64Array.of(0),
    logs: Float64Array.of(0),
  };
  let logKept = 0, relativeError = RELATIVE_ERROR;
  for (const group of groups) {
    table = combine(table, groupLosses(group, logLieProbabilities(group)));
    relativeError += errorOfLieProbabilities(group);
    logKept += group.count * Math.log1p(-(group.delta ?? 0));
  }
  // 1 − kept·(1 − answered) without taking a small number from 1.
  const delta = -Math.expm1(logKept) + Math.exp(logKept) * answeredAbove(table, epsilon);
  const above = roundUp(delta, { relativeError });
  // Chances of lies beyond the range of doubles (NaN) promise nothing.
  return above < 1 ? above : 1;
}

/**
 * The smallest ε for which every such composition is (ε, `delta`)-DP, within 1e-12 relatively and rounded
 * up: `undefined` when no ε is enough, because δ is less than what the mechanisms give away outright.
 *
 * @throws {RangeError} as {@linkcode optimalDelta}, and unless delta is in [0, 1).
 *
 * @example
 * ```ts
 * import { optimalEpsilon } from "./optimal_composition.ts";
 * optimalEpsilon([{ epsilon: 1 / 801, count: 10_000 }], { delta: Math.exp(-32) }); // 0.89
 * ```
 */
export function optimalEpsilon(
  groups: readonly CompositionGroup[],
  { delta }: { delta: number },
): number | undefined {
  requireDelta("compose optimally", "delta", delta);
  if (optimalDelta(groups, { epsilon: 0 }) <= delta) return 0;
  if (optimalDelta(groups, { epsilon: Number.MAX_VALUE }) > delta) return undefined;
  let low = 0, high = groups.reduce((total, { epsilon, count }) => total + count * epsilon, 0);
  // The sum is rounded: a few steps at most.
  while (optimalDelta(groups, { epsilon: high }) > delta) {
    high = roundUp(high, { relativeError: 1e-15 });
  }
  while (high - low > 1e-12 * high) {
    const middle = 0.5 * (low + high);
    if (optimalDelta(groups, { epsilon: middle }) <= delta) high = middle;
    else low = middle;
  }
  return high;
}
