import { requireKnown } from "../../../core/text/known_options.ts";
import { productError } from "../../../core/numeric/error_free.ts";
import {
  requireDelta,
  requireFields,
  requireInteger,
  requireKind,
  requireNonNegative,
} from "../../../core/numeric/require.ts";
import { nextUp, roundUp } from "../../../core/numeric/round_outward.ts";
import { errorOfLieProbabilities, logLieProbabilities } from "./lie_probabilities.ts";
import { type PrivacyParameters, requireParameters } from "./privacy_parameters.ts";

/** Mechanisms that are all (ε, δ)-DP with the same ε and δ. */
export interface CompositionGroup extends PrivacyParameters {
  /** Number of such mechanisms. */
  readonly count: number;
}

/** More combinations of losses than this are not enumerated. */
const MAX_COMBINATIONS = 2_000_000;
/** Relative error of δ from sums of probabilities and the last steps. */
const RELATIVE_ERROR = 1e-11;
/** Units of losses, of a power of two that is the sum of all ε or more. */
const COARSE = 2 ** -51, FINE = 2 ** -98;

/**
 * Losses less the ε that is asked for, with the logarithms of their probabilities. Each is the sum of two parts, multiples of
 * a coarse and a fine unit, which are added without rounding.
 */
interface LossTable {
  readonly coarse: Float64Array;
  readonly fine: Float64Array;
  readonly logs: Float64Array;
}

interface Units {
  readonly coarse: number;
  readonly fine: number;
}

function sumOfEpsilons(groups: readonly CompositionGroup[]): number {
  return groups.reduce((sum, { epsilon, count }) => sum + count * epsilon, 0);
}

/**
 * Powers of two for which sums of parts are exact. The sum of all ε is at most 2⁵¹ coarse units, so that sums of coarse parts,
 * less an ε of at most three times that, are below 2⁵³ of them. What a group leaves is below two coarse units; with at most 20
 * groups of one mechanism or more the sum is below 2⁶ coarse units, which are 2⁵³ fine ones.
 */
function unitsOf(groups: readonly CompositionGroup[]): Units {
  const power = 2 ** Math.ceil(Math.log2(sumOfEpsilons(groups)));
  return {
    coarse: Math.max(Number.MIN_VALUE, COARSE * power),
    fine: Math.max(Number.MIN_VALUE, FINE * power),
  };
}

function combine(a: LossTable, b: LossTable): LossTable {
  const size = a.logs.length * b.logs.length;
  const coarse = new Float64Array(size), fine = new Float64Array(size);
  const logs = new Float64Array(size);
  for (let i = 0, at = 0; i < a.logs.length; i++) {
    for (let j = 0; j < b.logs.length; j++, at++) {
      coarse[at] = a.coarse[i]! + b.coarse[j]!;
      fine[at] = a.fine[i]! + b.fine[j]!;
      logs[at] = a.logs[i]! + b.logs[j]!;
    }
  }
  return { coarse, fine, logs };
}

/** The losses of one group by its number of lies, for an ε that is a multiple of the fine unit. */
function groupLosses({ epsilon, count }: CompositionGroup, { coarse }: Units): LossTable {
  const logs = logLieProbabilities({ epsilon, count });
  const times = logs.map((_, lies) => count - 2 * lies);
  return {
    coarse: times.map((more) => more * epsilon - (more * epsilon) % coarse),
    fine: times.map((more) => (more * epsilon) % coarse + productError(more, epsilon)),
    logs,
  };
}

/**
 * At least Σ P(loss)·(1 − e^(ε − loss))⁺, but for a relative error. It is above 0 wherever a loss is above ε, by
 * however little, and however small its probability is: what is 0 would be claimed as pure privacy.
 */
function answeredAbove({ coarse, fine, logs }: LossTable): number {
  let sum = 0, carry = 0;
  for (let i = 0; i < logs.length; i++) {
    const excess = coarse[i]! + fine[i]!;
    if (excess <= 0) continue;
    // Kahan's sum; a term that underflows is below the smallest double by two roundings.
    const term = -Math.exp(logs[i]!) * Math.expm1(-excess) + 2 * Number.MIN_VALUE - carry;
    const next = sum + term;
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
  options: { epsilon: number },
): number {
  requireKind("optimalDelta", "groups", groups, "list");
  const { epsilon } = requireFields("optimalDelta", options, {});
  requireKnown("call optimalDelta()", options, ["epsilon"]);
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
  const used = groups.filter(({ count }) => count > 0);
  const units = unitsOf(used), { coarse, fine } = units;
  // Of a larger ε_i, and at a smaller ε, δ is no less.
  let table: LossTable = {
    coarse: Float64Array.of(epsilon % coarse - epsilon),
    fine: Float64Array.of(epsilon % fine - epsilon % coarse),
    logs: Float64Array.of(0),
  };
  let logKept = 0, relativeError = RELATIVE_ERROR;
  for (const { epsilon, delta = 0, count } of used) {
    const group = { epsilon: Math.ceil(epsilon / fine) * fine, count };
    table = combine(table, groupLosses(group, units));
    relativeError += errorOfLieProbabilities(group);
    logKept += count * Math.log1p(-delta);
  }
  // 1 − kept·(1 − answered) without taking a small number from 1.
  const delta = -Math.expm1(logKept) + Math.exp(logKept) * answeredAbove(table);
  const above = roundUp(delta, { relativeError });
  // Losses and chances of lies beyond the range of doubles (NaN) promise nothing.
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
  options: { delta: number },
): number | undefined {
  requireKind("optimalEpsilon", "groups", groups, "list");
  const { delta } = requireFields("optimalEpsilon", options, {});
  requireKnown("call optimalEpsilon()", options, ["delta"]);
  requireDelta("compose optimally", "delta", delta);
  if (optimalDelta(groups, { epsilon: 0 }) <= delta) return 0;
  if (optimalDelta(groups, { epsilon: Number.MAX_VALUE }) > delta) return undefined;
  let low = 0, high = sumOfEpsilons(groups);
  // The sum is rounded: a few steps at most.
  while (optimalDelta(groups, { epsilon: high }) > delta) high = nextUp(high);
  // Not below the distance of the least doubles, between which there is no middle.
  while (high - low > Math.max(Number.MIN_VALUE, 1e-12 * high)) {
    const middle = 0.5 * (low + high);
    if (optimalDelta(groups, { epsilon: middle }) <= delta) high = middle;
    else low = middle;
  }
  return high;
}
