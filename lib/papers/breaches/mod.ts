/**
 * Measures of input perturbation: breaches, amplification, average distances, the condition of SuLQ.
 *
 * @module
 */

export { klDistance, type Leakage, leakage } from "./average_measures.ts";
export {
  amplification,
  amplificationAt,
  breachFreeAmplification,
  rulesOutBreaches,
} from "./amplification.ts";
export {
  type Belief,
  beliefIn,
  type Breach,
  breachIn,
  type BreachLevels,
  type BreachSearch,
  findBreach,
  posteriorOf,
  type Property,
} from "./privacy_breach.ts";
export {
  addUniform,
  addUniformModulo,
  identityOperator,
  mixWithUniform,
  type RandomisationOperator,
  replaceByAnother,
} from "./randomisation_operator.ts";
export {
  confidence,
  confidenceGainProbability,
  leastSulqVariance,
  type SulqPrivacy,
  sulqVariance,
} from "./sulq_condition.ts";
