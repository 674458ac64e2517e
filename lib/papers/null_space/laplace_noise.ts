import type { Source } from "../../core/mechanism/source.ts";
import { requireFields, requireNonNegative } from "../../core/numeric/require.ts";
import { floatLaplace } from "../../core/random/float_laplace.ts";
import type { FeatureMatrix } from "./feature_matrix.ts";
import { type LinearFirstStage, requireFeatures } from "./linear_first_stage.ts";

/**
 * The scale of Laplace noise, added to every feature, that gives an expected utility error of `epsilon`:
 * E|A_dᵀη|² = 2·scale²·‖A_d‖²_F. In units of the features.
 *
 * @throws {RangeError} unless epsilon ≥ 0 and finite.
 *
 * @example
 * ```ts
 * import { featureMatrix } from "./feature_matrix.ts";
 * import { laplaceScaleForUtility } from "./laplace_noise.ts";
 * import { linearFirstStage } from "./linear_first_stage.ts";
 * laplaceScaleForUtility(linearFirstStage(featureMatrix([[1, -1]])), { epsilon: 4 }); // 1
 * ```
 */
export function laplaceScaleForUtility(
  options: LinearFirstStage,
  given: { readonly epsilon: number },
): number {
  const { weights } = requireFields("laplaceScaleForUtility", options, { weights: "record" });
  const { epsilon } = requireFields("laplaceScaleForUtility", given, {});
  requireNonNegative("tune Laplace noise", "epsilon", epsilon);
  const squares = weights.values.reduce((sum, weight) => sum + weight * weight, 0);
  return Math.sqrt(epsilon / (2 * squares));
}

/**
 * Adds the noise of the baseline of Xu et al. 2017, Figure 3: independent Laplace noise on every feature, tuned to the
 * utility error that cleaning has.
 *
 * This is not the Laplace mechanism of differential privacy: the scale comes from a utility error, not
 * from a sensitivity, and the sampler is the fast float one. No privacy claim is made for it.
 *
 * @throws {RangeError} unless epsilon ≥ 0 and finite and the number of features is the stage's.
 *
 * @example
 * ```ts
 * import { SeededSource } from "../../core/random/seeded_source.ts";
 * import { featureMatrix } from "./feature_matrix.ts";
 * import { addLaplaceNoise } from "./laplace_noise.ts";
 * import { linearFirstStage } from "./linear_first_stage.ts";
 * const stage = linearFirstStage(featureMatrix([[1, -1]])), features = featureMatrix([[3, 1]]);
 * addLaplaceNoise(new SeededSource(1), { features, stage, epsilon: 0.01 });
 * ```
 */
export function addLaplaceNoise(
  source: Source,
  options: {
    readonly features: FeatureMatrix;
    readonly stage: LinearFirstStage;
    readonly epsilon: number;
  },
): FeatureMatrix {
  const { features, stage, epsilon } = requireFields("addLaplaceNoise", options, {
    features: "record",
    stage: "record",
  });
  requireFeatures("add Laplace noise", features, stage.weights.columns);
  const scale = laplaceScaleForUtility(stage, { epsilon });
  const values = features.values.slice();
  if (scale > 0) {
    const noise = floatLaplace(source, new Float64Array(values.length), { scale });
    for (let i = 0; i < values.length; i++) values[i]! += noise[i]!;
  }
  return { rows: features.rows, columns: features.columns, values };
}
