import { requireInteger, requirePositive } from "../../numeric/require.ts";

/**
 * A Λ from declared numbers only, so that choosing it costs no privacy: the one that minimises the sum
 * of two bounds on excess risk, E‖b‖²/(2n²Λ) for the noise of objective perturbation (Chaudhuri,
 * Monteleoni, Sarwate 2011, Lemma 19, in the sharper form) and ½Λ·weightNorm² for the pull of the
 * regulariser on a good classifier of that norm. With lengths Γ(d, 2q/ε), it is
 * 2q·√(d(d + 1))/(nε·weightNorm).
 *
 * @param weightNorm a guess at ‖f₀‖ of a good classifier, made without the data: in rows of norm q,
 * scores of good classifiers range over some ±3 to ±10, so 3/q to 30/q.
 * @throws {RangeError} unless all are positive.
 *
 * @example
 * ```ts
 * import { suggestedLambda } from "./suggested_lambda.ts";
 * suggestedLambda({ epsilon: 1, rowCount: 10_000, columnCount: 20, normBound: 1, weightNorm: 10 });
 * ```
 */
export function suggestedLambda(
  { epsilon, rowCount, columnCount, normBound, weightNorm }: {
    epsilon: number;
    rowCount: number;
    columnCount: number;
    normBound: number;
    weightNorm: number;
  },
): number {
  const action = "suggest lambda";
  requirePositive(action, "epsilon", epsilon);
  requireInteger(action, "rowCount", rowCount, { min: 1 });
  requireInteger(action, "columnCount", columnCount, { min: 1 });
  requirePositive(action, "normBound", normBound);
  requirePositive(action, "weightNorm", weightNorm);
  return 2 * normBound * Math.sqrt(columnCount * (columnCount + 1)) /
    (rowCount * epsilon * weightNorm);
}
