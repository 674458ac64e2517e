import type { FeatureMatrix } from "./feature_matrix.ts";
import { leastSquares } from "./least_squares.ts";
import type { LinearFirstStage } from "./linear_first_stage.ts";

/**
 * The attack that Xu et al. 2017 propose: the adversary knows how features are cleaned, cleans training
 * data likewise and learns to predict the confidential labels from that. The regression has an intercept:
 * an adversary is not bound to the form of the predictor.
 *
 * @param features Training features, one row for each example.
 * @param options `labels`: the confidential labels. `clean`: what is done to features before the adversary
 * sees them, a cleaner or added noise.
 * @returns what the adversary predicts with.
 * @throws {RangeError} when the numbers of rows differ or there are none.
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
  { labels, clean }: {
    readonly labels: FeatureMatrix;
    readonly clean: (features: FeatureMatrix) => FeatureMatrix;
  },
): LinearFirstStage {
  return leastSquares(clean(features), { targets: labels, intercept: true });
}
