import { requireFields, requireKind } from "../../core/numeric/require.ts";
import type { FeatureMatrix } from "./feature_matrix.ts";

/**
 * Squared distance between two blocks of outputs, row by row: e_utility where both are desired outputs,
 * from features and from cleaned ones, and e_privacy where both are confidential ones
 * (Xu et al. 2017).
 *
 * @returns one number a row, in squared units of the outputs, summed over the outputs.
 * @throws {RangeError} when the shapes differ.
 *
 * @example
 * ```ts
 * import { featureMatrix } from "./feature_matrix.ts";
 * import { squaredErrors } from "./privacy_measures.ts";
 * squaredErrors(featureMatrix([[1, 2]]), { reference: featureMatrix([[0, 0]]) }); // [5]
 * ```
 */
export function squaredErrors(
  outputs: FeatureMatrix,
  options: { readonly reference: FeatureMatrix },
): Float64Array {
  requireKind("squaredErrors", "outputs", outputs, "record");
  const { reference } = requireFields("squaredErrors", options, { reference: "record" });
  requireSameShape(outputs, reference);
  const errors = new Float64Array(outputs.rows);
  outputs.values.forEach((value, index) => {
    errors[Math.floor(index / outputs.columns)]! += (value - reference.values[index]!) ** 2;
  });
  return errors;
}

/**
 * Returns the complete privacy of Xu et al. 2017: the share of confidential labels that are predicted worse from the
 * cleaned features than from the mean feature vector. Each label of each row counts for itself, as the
 * printed figures ask; a tie is not counted.
 *
 * @param predictions The adversary's predictions from the cleaned features.
 * @param options `labels`: the truth. `fromMean`: the prediction from the mean feature vector, one number
 * a label.
 * @returns a share in [0, 1], NaN where there are no rows.
 * @throws {RangeError} when the shapes differ.
 *
 * @example
 * ```ts
 * import { featureMatrix } from "./feature_matrix.ts";
 * import { completePrivacy } from "./privacy_measures.ts";
 * const predictions = featureMatrix([[0], [0.9]]), labels = featureMatrix([[1], [1]]);
 * completePrivacy(predictions, { labels, fromMean: [0.5] }); // 0.5
 * ```
 */
export function completePrivacy(
  predictions: FeatureMatrix,
  options: { readonly labels: FeatureMatrix; readonly fromMean: ArrayLike<number> },
): number {
  requireKind("completePrivacy", "predictions", predictions, "record");
  const { labels, fromMean } = requireFields("completePrivacy", options, { labels: "record" });
  requireSameShape(predictions, labels);
  let worse = 0;
  predictions.values.forEach((value, index) => {
    const label = labels.values[index]!;
    if (Math.abs(value - label) > Math.abs(fromMean[index % labels.columns]! - label)) worse++;
  });
  return worse / predictions.values.length;
}

function requireSameShape(left: FeatureMatrix, right: FeatureMatrix): void {
  if (left.rows !== right.rows || left.columns !== right.columns) {
    throw new RangeError(
      `Cannot compare outputs: both must have the same shape: current value is ` +
        `${left.rows} × ${left.columns} and ${right.rows} × ${right.columns}`,
    );
  }
}
