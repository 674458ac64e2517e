/**
 * Private learners: empirical risk minimisation, additive models, gradient descent, synthetic rows.
 *
 * @module
 */

export { fit, type FitOptions } from "./erm/fit.ts";
export { type Candidate, fitTuned, type Tuned, type TuningOptions } from "./erm/tune.ts";
export { Classifier } from "./erm/classifier.ts";
export { Model } from "./erm/model.ts";
export { type Training } from "./erm/model_json.ts";
export { type Label } from "./erm/label.ts";
export type { ModelJson } from "./erm/model_json.ts";
export type { TrainingProgress } from "./erm/sample_model.ts";
export type { TrainingOptions } from "./erm/training_options.ts";
export type { Preparation } from "./erm/rows/prepare_rows.ts";
export {
  type DenseRows,
  denseRows,
  type Rows,
  type SparseRows,
  sparseRows,
} from "./erm/rows/rows.ts";
export type { Loss } from "./erm/losses/loss.ts";
export { logisticLoss } from "./erm/losses/logistic_loss.ts";
export { huberHinge } from "./erm/losses/huber_hinge.ts";
export { smoothedHinge } from "./erm/losses/smoothed_hinge.ts";
export { type Regulariser, smoothElasticNet, squaredNorm } from "./erm/losses/regulariser.ts";
export { type LambdaOptions, suggestedLambda } from "./erm/suggested_lambda.ts";
export {
  drawRandomFeatures,
  type Kernel,
  type RandomFeatures,
} from "./erm/rows/random_features.ts";
export { ermMechanism, type LabelledRow } from "./erm/mechanism.ts";
export {
  type CategoryColumn,
  type ColumnDescription,
  type FeatureDescription,
  type LabelColumn,
  type NumberColumn,
} from "./erm/files/column_description.ts";
export {
  readColumnDescription,
  readFeatureDescription,
} from "./erm/files/read_column_description.ts";
export { encodeTable, readLabelColumn, type Table } from "./erm/files/column_encoder.ts";
export { type LabelledFeatures, readFeatureLines } from "./erm/files/feature_lines.ts";
export { RowFile } from "./erm/files/row_file.ts";
export type { RowBlocks } from "./erm/files/row_blocks.ts";
export type { LabelIndices, Labels } from "./erm/files/read_labels.ts";
export type { ClassIndices } from "./erm/rows/signs.ts";
export {
  dpSgdClaim,
  dpSgdMechanism,
  type DpSgdModel,
  type DpSgdOptions,
  fitDpSgd,
} from "./sgd/dp_sgd.ts";
export { AdditiveModel, type AdditiveParts } from "./additive/additive_model.ts";
export { type ColumnShape } from "./additive/draw_shapes.ts";
export { additiveMechanism, type AdditiveOptions, fitAdditive } from "./additive/fit_additive.ts";
export type { Shape } from "./additive/boost.ts";
export {
  adaptiveMarginals,
  type AdaptiveMarginalsOptions,
  type MarginalsCost,
  type SyntheticRows,
} from "./synthetic/adaptive_marginals.ts";
export type { CodedRow } from "./synthetic/adaptive_rounds.ts";
export { type TableCoder, tableCoder } from "./synthetic/table_coder.ts";
export type { NoisyMarginal } from "./synthetic/marginal_model.ts";
