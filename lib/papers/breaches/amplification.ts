import { requireFields, requireInteger, requireKind } from "../../core/numeric/require.ts";
import { type BreachLevels, requireLevels } from "./privacy_breach.ts";
import type { RandomisationOperator } from "./randomisation_operator.ts";

/**
 * The least γ for which the operator is γ-amplifying for `output`: how many times likelier one value is
 * to be turned into it than another (Evfimievski, Gehrke, Srikant 2003). Infinity when some
 * value never is; 1 for an output that no value gives.
 *
 * ln γ over all outputs is the ε of the operator as a mechanism on one row (local differential privacy).
 *
 * @throws {RangeError} when there is no such output.
 */
export function amplificationAt(
  operator: RandomisationOperator,
  options: { output: number },
): number {
  requireKind("amplificationAt", "operator", operator, "record");
  const { output } = requireFields("amplificationAt", options, {});
  requireInteger("measure a randomisation operator", "output", output, {
    min: 0,
    max: operator.outputs - 1,
  });
  let least = Infinity, most = 0;
  for (let input = 0; input < operator.inputs; input++) {
    const probability = operator.probability(input, output);
    least = Math.min(least, probability);
    most = Math.max(most, probability);
  }
  return most === 0 ? 1 : most / least;
}

/** The largest {@linkcode amplificationAt} over all outputs. */
export function amplification(operator: RandomisationOperator): number {
  requireKind("amplification", "operator", operator, "record");
  let most = 1;
  for (let output = 0; output < operator.outputs; output++) {
    most = Math.max(most, amplificationAt(operator, { output }));
  }
  return most;
}

/**
 * The γ below which no property, under any prior, can have a straight or inverse breach:
 * rho2·(1 − rho1)/(rho1·(1 − rho2)) (ibid., Statement 1).
 *
 * @throws {RangeError} unless 0 < rho1 < rho2 < 1.
 *
 * @example
 * ```ts
 * import { breachFreeAmplification } from "./amplification.ts";
 * breachFreeAmplification({ rho1: 0.14, rho2: 0.5 }); // 6.14
 * ```
 */
export function breachFreeAmplification(options: BreachLevels): number {
  const { rho1, rho2 } = requireFields("breachFreeAmplification", options, {});
  requireLevels({ rho1, rho2 });
  return (rho2 * (1 - rho1)) / (rho1 * (1 - rho2));
}

/**
 * Returns true if the operator's amplification alone rules out breaches at these levels, whatever the prior.
 *
 * @throws {RangeError} unless 0 < rho1 < rho2 < 1.
 *
 * @example
 * ```ts
 * import { rulesOutBreaches } from "./amplification.ts";
 * import { addUniformModulo, mixWithUniform } from "./randomisation_operator.ts";
 * const r3 = mixWithUniform(addUniformModulo({ size: 1001, reach: 100 }), { keep: 0.5 });
 * rulesOutBreaches(r3, { rho1: 0.14, rho2: 0.5 }); // true
 * ```
 */
export function rulesOutBreaches(operator: RandomisationOperator, levels: BreachLevels): boolean {
  requireKind("rulesOutBreaches", "operator", operator, "record");
  requireKind("rulesOutBreaches", "levels", levels, "record");
  return amplification(operator) * (1 + 1e-12) < breachFreeAmplification(levels);
}
