import { requireFields, requireKind } from "../../core/numeric/require.ts";
import { EigenvalueDecomposition, Matrix } from "ml-matrix";
import { columnMeans, type FeatureMatrix, featureMatrix, featureRows } from "./feature_matrix.ts";
import { innerProducts, subtractRow } from "./inner_products.ts";
import { applyFirstStage, type LinearFirstStage, linearFirstStage } from "./linear_first_stage.ts";

/** Components with less than this share of the largest variance are rounding. */
const RANK_TOLERANCE = 1e-11;

/** Above this leverage a residual is too near 0 to be divided by what is left. */
const MOST_LEVERAGE = 1 - 1e-6;

/**
 * Runs the attack that Xu et al. 2017 propose: the adversary knows how features are cleaned, cleans training
 * data likewise and learns to predict the confidential labels from that.
 *
 * The paper leaves the regression open. Plain least squares is a weak adversary here: cleaned rows are
 * nearly constant along some directions, and a weight fitted to one row that is not goes astray. This
 * adversary regresses on principal components, with an intercept, and keeps as many as predict best when
 * each row is left out in turn (Allen 1974).
 *
 * @param features Training features, one row for each example, at least two.
 * @param options `labels`: the confidential labels. `clean`: what is done to features before the adversary
 * sees them, a cleaner or added noise.
 * @returns what the adversary predicts with.
 * @throws {RangeError} when the numbers of rows differ or there are fewer than two.
 *
 * @example
 * ```ts
 * import { featureMatrix } from "./feature_matrix.ts";
 * import { refitAttack } from "./refit_attack.ts";
 * const features = featureMatrix([[1, 0], [2, 5], [4, 1]]), labels = featureMatrix([[1], [2], [4]]);
 * refitAttack(features, { labels, clean: (rows) => rows });
 * ```
 */
export function refitAttack(
  features: FeatureMatrix,
  options: {
    readonly labels: FeatureMatrix;
    readonly clean: (features: FeatureMatrix) => FeatureMatrix;
  },
): LinearFirstStage {
  requireKind("refitAttack", "features", features, "record");
  const { labels, clean } = requireFields("refitAttack", options, {
    labels: "record",
    clean: "function",
  });
  const seen = clean(features);
  if (seen.rows !== labels.rows || seen.rows < 2) {
    throw new RangeError(
      `Cannot refit an adversary: features and labels must have the same number of rows, at least ` +
        `two: current value is ${seen.rows} and ${labels.rows}`,
    );
  }
  const centre = columnMeans(seen), level = columnMeans(labels);
  const { directions, variances } = components(subtractRow(seen, centre));
  const scores = applyFirstStage(linearFirstStage(directions, { centre }), seen);
  const targets = subtractRow(labels, level);
  // One row for each component: what a unit of its score adds to each label.
  const slopes = featureRows(innerProducts(scores, targets)).map((row, component) =>
    row.map((product) => product / variances[component]!)
  );

  const kept = bestCount(targets, { scores, variances, slopes });
  const weights = new Float64Array(labels.columns * seen.columns);
  for (let component = 0; component < kept; component++) {
    slopes[component]!.forEach((slope, label) => {
      for (let feature = 0; feature < seen.columns; feature++) {
        weights[label * seen.columns + feature]! += slope *
          directions.values[component * seen.columns + feature]!;
      }
    });
  }
  return linearFirstStage({ rows: labels.columns, columns: seen.columns, values: weights }, {
    centre,
    bias: level,
  });
}

/** Directions of decreasing variance (summed over the rows), without those that are rounding. */
function components(
  centred: FeatureMatrix,
): { directions: FeatureMatrix; variances: Float64Array } {
  const { realEigenvalues: values, eigenvectorMatrix } = new EigenvalueDecomposition(
    new Matrix(featureRows(innerProducts(centred, centred))),
    { assumeSymmetric: true },
  );
  const order = Array.from(values.keys()).sort((left, right) => values[right]! - values[left]!);
  const threshold = RANK_TOLERANCE * values[order[0]!]!;
  const chosen = order.filter((index) => values[index]! > threshold);
  return {
    directions: featureMatrix(chosen.map((index) => eigenvectorMatrix.getColumn(index)), {
      columns: centred.columns,
    }),
    variances: Float64Array.from(chosen, (index) => values[index]!),
  };
}

/** Returns the number of components with the least leave-one-out error: (y − ŷ)/(1 − leverage), squared. */
function bestCount(
  labels: FeatureMatrix,
  { scores, variances, slopes }: {
    readonly scores: FeatureMatrix;
    readonly variances: Float64Array;
    readonly slopes: readonly (readonly number[])[];
  },
): number {
  const residuals = labels.values.slice();
  const leverage = new Float64Array(labels.rows).fill(1 / labels.rows);
  let best = 0, least = leftOutError(residuals, leverage);
  for (let component = 0; component < variances.length; component++) {
    for (let row = 0; row < labels.rows; row++) {
      const score = scores.values[row * scores.columns + component]!;
      leverage[row]! += score * score / variances[component]!;
      slopes[component]!.forEach((slope, label) =>
        residuals[row * labels.columns + label]! -= score * slope
      );
    }
    const error = leftOutError(residuals, leverage);
    if (error < least) [best, least] = [component + 1, error];
  }
  return best;
}

/** A row that the fit rests on alone cannot be left out: then there is no estimate, and no such fit. */
function leftOutError(residuals: Float64Array, leverage: Float64Array): number {
  if (leverage.some((value) => value > MOST_LEVERAGE)) return Infinity;
  const labels = residuals.length / leverage.length;
  return residuals.reduce(
    (sum, residual, index) => sum + (residual / (1 - leverage[Math.floor(index / labels)]!)) ** 2,
    0,
  );
}
