import { requireFields, requireKind } from "../../core/numeric/require.ts";
import type { FeatureMatrix } from "./feature_matrix.ts";

/**
 * The linear operator at the front of a predictor: `outputs = A_dᵀ (x − centre) + bias`. What the
 * predictor does with the outputs afterwards is its own affair.
 */
export interface LinearFirstStage {
  /** A_dᵀ: one row for each output, one column for each feature. */
  readonly weights: FeatureMatrix;
  /** Subtracted from the features first, as principal component analysis does. */
  readonly centre: Float64Array;
  /** Added to the outputs. */
  readonly bias: Float64Array;
}

/**
 * A first stage from its numbers: a linear regression, say, or any linear map.
 *
 * @param weights A_dᵀ, one row for each output.
 * @param options `centre` (one number a feature) and `bias` (one number an output), both 0 if absent.
 * @throws {RangeError} when a length does not fit or a number is not finite.
 *
 * @example The predictor x₁ − x₂
 * ```ts
 * import { featureMatrix } from "./feature_matrix.ts";
 * import { linearFirstStage } from "./linear_first_stage.ts";
 * linearFirstStage(featureMatrix([[1, -1]]));
 * ```
 */
export function linearFirstStage(
  weights: FeatureMatrix,
  options: {
    readonly centre?: ArrayLike<number>;
    readonly bias?: ArrayLike<number>;
  } = {},
): LinearFirstStage {
  requireKind("linearFirstStage", "weights", weights, "record");
  const { centre = new Float64Array(weights.columns), bias = new Float64Array(weights.rows) } =
    requireFields("linearFirstStage", options, {});
  requireLength("centre", centre, weights.columns);
  requireLength("bias", bias, weights.rows);
  for (const numbers of [weights.values, centre, bias]) {
    if (!Array.prototype.every.call(numbers, Number.isFinite)) {
      throw new RangeError(
        "Cannot make a first stage: weights, centre and bias must be finite numbers",
      );
    }
  }
  return { weights, centre: Float64Array.from(centre), bias: Float64Array.from(bias) };
}

function requireLength(name: string, numbers: ArrayLike<number>, length: number): void {
  if (numbers.length !== length) {
    throw new RangeError(
      `Cannot make a first stage: ${name} must have ${length} numbers: ` +
        `current value is ${numbers.length}`,
    );
  }
}

/**
 * The outputs of a first stage, one row for each row of features.
 *
 * @throws {RangeError} when the number of features is not the stage's.
 *
 * @example
 * ```ts
 * import { featureMatrix } from "./feature_matrix.ts";
 * import { applyFirstStage, linearFirstStage } from "./linear_first_stage.ts";
 * applyFirstStage(linearFirstStage(featureMatrix([[1, -1]])), featureMatrix([[3, 1]])).values; // [2]
 * ```
 */
export function applyFirstStage(
  options: LinearFirstStage,
  features: FeatureMatrix,
): FeatureMatrix {
  const { weights, centre, bias } = requireFields("applyFirstStage", options, {
    weights: "record",
  });
  requireKind("applyFirstStage", "features", features, "record");
  requireFeatures("apply a first stage", features, weights.columns);
  const { columns } = features;
  const values = new Float64Array(features.rows * weights.rows);
  for (let row = 0; row < features.rows; row++) {
    for (let output = 0; output < weights.rows; output++) {
      let sum = bias[output]!;
      for (let column = 0; column < columns; column++) {
        sum += weights.values[output * columns + column]! *
          (features.values[row * columns + column]! - centre[column]!);
      }
      values[row * weights.rows + output] = sum;
    }
  }
  return { rows: features.rows, columns: weights.rows, values };
}

/** Throws unless the rows have as many features as the predictor takes. */
export function requireFeatures(action: string, features: FeatureMatrix, columns: number): void {
  if (features.columns !== columns) {
    throw new RangeError(
      `Cannot ${action}: features must have ${columns} columns, as the predictor does: ` +
        `current value is ${features.columns}`,
    );
  }
}
