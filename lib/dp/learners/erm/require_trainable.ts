import { preparedNormBound } from "./rows/prepare_rows.ts";
import { type Labels, readLabels } from "./files/read_labels.ts";
import { requireLoss } from "./losses/require_loss.ts";
import { requireRegulariser } from "./losses/require_regulariser.ts";
import { requireSolvable } from "./solver/require_solvable.ts";
import type { RowBlocks } from "./files/row_blocks.ts";
import type { Rows } from "./rows/rows.ts";
import { calibrationOf, objectiveOf, type TrainingOptions } from "./training_options.ts";

/**
 * Finds whatever is wrong with options or data before a budget pays for training.
 *
 * @param rows as `checkedRows` returns them; blocks are visited once.
 * @param options `trainedCount`: how many of the rows one model is trained on, all unless told.
 * @throws {RangeError} naming the option, or the row and column, never showing values.
 */
export function requireTrainable(
  rows: Rows | RowBlocks,
  { labels, allowOneClass, trainedCount = rows.rowCount, ...options }: TrainingOptions & {
    readonly labels: Labels;
    readonly allowOneClass: boolean;
    readonly trainedCount?: number;
  },
): void {
  const { classes = [-1, 1], features } = options;
  const { rowCount } = rows;
  if (rowCount === 0 || rows.columnCount === 0) {
    throw new RangeError(
      `Cannot train: rows must be at least 1 by 1: current value is ${rowCount} by ${rows.columnCount}`,
    );
  }
  if (features !== undefined && features.inputCount !== rows.columnCount) {
    throw new RangeError(
      `Cannot train: rows must have the ${features.inputCount} columns of the random features: ` +
        `current value is ${rows.columnCount}`,
    );
  }
  const { loss, regulariser } = objectiveOf(options);
  requireLoss(loss);
  requireRegulariser(regulariser, {
    columnCount: (features?.count ?? rows.columnCount) + (options.intercept === undefined ? 0 : 1),
  });
  const indices = readLabels(labels, { classes, rowCount });
  const normBound = preparedNormBound(options);
  const calibration = calibrationOf(options, {
    rowCount: trainedCount,
    classifiers: classes.length === 2 ? 1 : classes.length,
  });
  requireSolvable(calibration, { lambda: options.lambda, loss, normBound });
  if (rows.kind === "blocks") rows.visit(() => {});
  if (!allowOneClass && indices.every((index) => index === indices[0])) {
    throw new RangeError(
      `Cannot train: labels must be of at least two classes where allowOneClass is false: ` +
        `all ${rowCount} are of one`,
    );
  }
}
