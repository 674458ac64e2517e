import { requireFields, requireInteger, requirePositive } from "../../core/numeric/require.ts";
import { type DecisionTreeOptions, treeCalibration } from "./decision_tree.ts";

/**
 * Returns Δ of private ID3, in nats: at a node of so many rows, the information gain of the attribute that
 * `fitDecisionTree` tests there is within Δ of the best attribute's, with probability at least
 * 1 − `failure` (that there is such a Δ: Blum, Dwork, McSherry, Nissim 2005; the constants are ours).
 *
 * All noises of the node, m in number, are at most t = √(2R·ln(2m/failure)) but with that probability.
 * The entropy of K classes times the rows, G(c) = Σ cⱼ·ln(Σc/cⱼ), grows with every count, and by at
 * most K·t·(1 + ln(2K + T/t)) when all of T rows' counts grow by t; so it is wrong by no more. Over the
 * V values of an attribute with N rows in all that is E = V·K·t·(1 + ln(2K + N/(V·t))), for the
 * logarithm is concave, and Δ = 2E/N for the largest V.
 *
 * @param node `rows` N; `failure` in (0, 1).
 * @throws {RangeError} on options out of range.
 *
 * @example
 * ```ts
 * import { replaceOne } from "../../core/relations/relation.ts";
 * import { treeGainBound } from "./tree_gain_bound.ts";
 * const options = { attributes: [2, 3], classes: 2, depth: 1, rho: 0.5, relation: replaceOne };
 * treeGainBound(options, { rows: 100_000, failure: 0.05 }); // 0.011 nats
 * ```
 */
export function treeGainBound(
  options: DecisionTreeOptions,
  given: { readonly rows: number; readonly failure: number },
): number {
  requireFields("treeGainBound", options, { attributes: "list", relation: "relation" });
  const { rows, failure } = requireFields("treeGainBound", given, {});
  const action = "bound the gain of a tree";
  requireInteger(action, "rows", rows, { min: 1 });
  requirePositive(action, "failure", failure);
  if (!(failure < 1)) {
    throw new RangeError(`Cannot ${action}: failure must be below 1: current value is ${failure}`);
  }
  const { variance } = treeCalibration(options);
  const { attributes, classes } = options;
  const noises = classes * attributes.reduce((sum, values) => sum + values, 0);
  const largest = Math.sqrt(2 * variance * Math.log(2 * noises / failure));
  const cells = classes * Math.max(...attributes);
  const perValue = rows / (Math.max(...attributes) * largest);
  return 2 * cells * largest * (1 + Math.log(2 * classes + perValue)) / rows;
}
