import { Matrix, SingularValueDecomposition } from "ml-matrix";
import { requireFields, requireInteger, requireKind } from "../numeric/require.ts";
import { columnMeans, featureMatrix, featureRows } from "./feature_matrix.ts";
import type { FeatureMatrix } from "./feature_matrix.ts";
import { type LinearFirstStage, linearFirstStage } from "./linear_first_stage.ts";

/**
 * Principal component analysis as a first stage: the mean is subtracted, and the outputs are the
 * coordinates along the directions of largest variance (Pearson 1901), largest first. The weights are
 * orthonormal, so that the utility error is a squared distance in feature units.
 *
 * It is fitted to the rows as they are and makes no claim of privacy about them.
 *
 * @param features One row for each example, at least two.
 * @param options `components`: how many outputs, at most the smaller of rows and columns.
 * @throws {RangeError} when there are too few rows or columns for so many components.
 *
 * @example
 * ```ts
 * import { featureMatrix } from "./feature_matrix.ts";
 * import { principalComponents } from "./principal_components.ts";
 * const rows = featureMatrix([[0, 0], [1, 1], [2, 2]]);
 * principalComponents(rows, { components: 1 }).centre; // [1, 1]
 * ```
 */
export function principalComponents(
  features: FeatureMatrix,
  options: { readonly components: number },
): LinearFirstStage {
  requireKind("principalComponents", "features", features, "record");
  const { components } = requireFields("principalComponents", options, {});
  requireInteger("find principal components", "rows", features.rows, { min: 2 });
  const max = Math.min(features.rows, features.columns);
  requireInteger("find principal components", "components", components, { min: 1, max });

  const centre = columnMeans(features);
  const centred = new Matrix(featureRows(features)).subRowVector(Array.from(centre));
  const { rightSingularVectors } = new SingularValueDecomposition(centred, { autoTranspose: true });
  const directions = Array.from(
    { length: components },
    (_, index) => rightSingularVectors.getColumn(index),
  );
  return linearFirstStage(featureMatrix(directions), { centre });
}
