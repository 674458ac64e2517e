import { requireFields, requireKind } from "../../core/numeric/require.ts";
import { EigenvalueDecomposition, Matrix } from "ml-matrix";
import { columnMeans, type FeatureMatrix, featureRows } from "./feature_matrix.ts";
import { innerProducts, subtractRow } from "./inner_products.ts";
import { type LinearFirstStage, linearFirstStage } from "./linear_first_stage.ts";

/**
 * Eigenvalues of the Gram matrix below this share of the largest one count as zero: singular values of
 * the features below about 3e-6 of the largest.
 */
const RANK_TOLERANCE = 1e-11;

/**
 * Linear regression by least squares; of all minimisers the one of least norm, so that features that
 * depend on one another (cleaned ones do) are taken too. Solved through the eigenvalues of the Gram
 * matrix: directions that the rows hardly use are left out.
 *
 * It is fitted to the rows as they are and makes no claim of privacy about them.
 *
 * @param features One row for each example.
 * @param options `targets`: one row for each example. `intercept`: whether a constant is fitted too.
 * @throws {RangeError} when the numbers of rows differ or there are none.
 *
 * @example
 * ```ts
 * import { featureMatrix } from "./feature_matrix.ts";
 * import { leastSquares } from "./least_squares.ts";
 * const fit = leastSquares(featureMatrix([[0], [1], [2]]), {
 *   targets: featureMatrix([[1], [3], [5]]),
 *   intercept: true,
 * });
 * fit.weights.values; // [2]
 * fit.bias; // [1]
 * ```
 */
export function leastSquares(
  features: FeatureMatrix,
  options: { readonly targets: FeatureMatrix; readonly intercept: boolean },
): LinearFirstStage {
  requireKind("leastSquares", "features", features, "record");
  const { targets, intercept } = requireFields("leastSquares", options, { targets: "record" });
  if (features.rows !== targets.rows || features.rows === 0) {
    throw new RangeError(
      `Cannot fit a regression: features and targets must have the same number of rows, at least one: ` +
        `current value is ${features.rows} and ${targets.rows}`,
    );
  }
  const centre = intercept ? columnMeans(features) : new Float64Array(features.columns);
  const level = intercept ? columnMeans(targets) : new Float64Array(targets.columns);
  const centred = subtractRow(features, centre);
  const solution = pseudoInverseOf(innerProducts(centred, centred))
    .mmul(new Matrix(featureRows(innerProducts(centred, subtractRow(targets, level)))));

  const weights = new Float64Array(targets.columns * features.columns);
  const bias = Float64Array.from(level);
  for (let target = 0; target < targets.columns; target++) {
    for (let feature = 0; feature < features.columns; feature++) {
      const weight = solution.get(feature, target);
      weights[target * features.columns + feature] = weight;
      bias[target]! -= weight * centre[feature]!;
    }
  }
  return linearFirstStage({ rows: targets.columns, columns: features.columns, values: weights }, {
    bias,
  });
}

function pseudoInverseOf(gram: FeatureMatrix): Matrix {
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(
    new Matrix(featureRows(gram)),
    {
      assumeSymmetric: true,
    },
  );
  const threshold = RANK_TOLERANCE * Math.max(...realEigenvalues);
  const scaled = eigenvectorMatrix.clone();
  realEigenvalues.forEach((value, column) => {
    scaled.mulColumn(column, value > threshold ? 1 / value : 0);
  });
  return scaled.mmul(eigenvectorMatrix.transpose());
}
