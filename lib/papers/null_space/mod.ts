/**
 * Features cleaned before they reach a predictor (Xu and others 2017). No differential privacy.
 *
 * @module
 */

export { type Amplitudes, type NullSpaceCleaner, nullSpaceCleaner } from "./null_space.ts";
export { type FeatureMatrix, featureMatrix, featureRows } from "./feature_matrix.ts";
export { applyFirstStage, type LinearFirstStage, linearFirstStage } from "./linear_first_stage.ts";
export { leastSquares } from "./least_squares.ts";
export { generalisedEigenproblem, type GeneralisedSpectrum } from "./generalised_eigenproblem.ts";
export { type PredictorDescription, predictorFromJson } from "./predictor_from_json.ts";
export { completePrivacy, squaredErrors } from "./privacy_measures.ts";
export { refitAttack } from "./refit_attack.ts";
export { addLaplaceNoise } from "./laplace_noise.ts";
