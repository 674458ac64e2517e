import {
  type FeatureMatrix,
  featureMatrix,
} from "../../../../lib/papers/null_space/feature_matrix.ts";
import {
  applyFirstStage,
  linearFirstStage,
} from "../../../../lib/papers/null_space/linear_first_stage.ts";
import { nullSpaceCleaner } from "../../../../lib/papers/null_space/null_space.ts";
import { squaredErrors } from "../../../../lib/papers/null_space/privacy_measures.ts";
import { floatNormal } from "../../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

/** A predictor to keep, one to fool, and rows to clean. */
export interface CleaningCase {
  readonly desired: FeatureMatrix;
  readonly confidential: FeatureMatrix;
  readonly features: FeatureMatrix;
}

/** Something that cleans rows within a squared error. */
export type Clean = (given: CleaningCase, options: { epsilon: number }) => FeatureMatrix;

/** The shipped cleaner. */
export function shippedCleaner(
  { desired, confidential, features }: CleaningCase,
  options: { epsilon: number },
): FeatureMatrix {
  return nullSpaceCleaner(linearFirstStage(desired), {
    confidential: linearFirstStage(confidential),
  }).clean(features, options);
}

/** Random predictors of 1 to 3 outputs on 2 to 6 features, and five rows each. */
export function cleaningCases(seed: number, { count }: { count: number }): CleaningCase[] {
  const source = new SeededSource(seed).split("cleaning");
  return Array.from({ length: count }, (_, k) => {
    const columns = 2 + k % 5;
    const rows = (number: number, scale: number): FeatureMatrix =>
      featureMatrix(
        Array.from({ length: number }, () =>
          Array.from(floatNormal(source, new Float64Array(columns), { scale }))),
      );
    return {
      desired: rows(1 + k % 3, 1),
      confidential: rows(1 + (k >> 1) % 3, 1),
      features: rows(5, 3),
    };
  });
}

/** How far cleaning moved the outputs of these weights: squared, row by row. */
export function movedOutputs(
  weights: FeatureMatrix,
  { features, cleaned }: { features: FeatureMatrix; cleaned: FeatureMatrix },
): Float64Array {
  const stage = linearFirstStage(weights);
  return squaredErrors(applyFirstStage(stage, cleaned), {
    reference: applyFirstStage(stage, features),
  });
}
