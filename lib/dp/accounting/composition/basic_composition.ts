import { requireKind } from "../../../core/numeric/require.ts";
import { amountUp, exactOf } from "../../../core/numeric/amount.ts";
import { add, rational } from "../../../core/numeric/rational.ts";
import {
  type PrivacyParameters,
  type PrivacyTotal,
  requireParameters,
} from "./privacy_parameters.ts";

/**
 * Returns the ε and δ of basic composition: the parts together are (Σε, Σδ)-differentially private, also when each is chosen
 * in the light of the outputs before it (Dwork, Roth 2014, Theorem 3.16 and appendix B; Rogers, Roth,
 * Ullman, Vadhan 2016 for adaptive parameters).
 *
 * The sums are exact, of the decimals that numbers are written as, and rounded up: ten parts of 0.1 make 1. δ is at most 1.
 *
 * @throws {RangeError} when an ε is negative or not finite, or a δ is outside [0, 1).
 *
 * @example
 * ```ts
 * import { basicComposition } from "./basic_composition.ts";
 * basicComposition([{ epsilon: 0.1 }, { epsilon: 0.2, delta: 1e-6 }]); // ε = 0.3, δ = 1e-6
 * ```
 */
export function basicComposition(parts: readonly PrivacyParameters[]): PrivacyTotal {
  requireKind("basicComposition", "parts", parts, "list");
  for (const part of parts) requireParameters("compose", part);
  const sum = (values: readonly number[]): number =>
    amountUp(values.map(exactOf).reduce(add, rational(0)));
  return {
    epsilon: sum(parts.map(({ epsilon }) => epsilon)),
    delta: Math.min(1, sum(parts.map(({ delta = 0 }) => delta))),
  };
}
