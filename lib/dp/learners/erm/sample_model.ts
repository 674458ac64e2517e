import type { Source } from "../../../core/mechanism/source.ts";
import { requireInteger } from "../../../core/numeric/require.ts";
import { Model } from "./model.ts";
import { prepareRows } from "./rows/prepare_rows.ts";
import { type Labels, readLabels } from "./files/read_labels.ts";
import type { RowBlocks } from "./files/row_blocks.ts";
import type { Rows } from "./rows/rows.ts";
import { sampleMinimiser } from "./noise/sample_minimiser.ts";
import {
  calibrationOf,
  claimOf,
  objectiveOf,
  statementOf,
  type TrainingOptions,
} from "./training_options.ts";

/** Progress of a training run, in counts that do not depend on the data. */
export interface TrainingProgress {
  /** Binary classifiers trained so far. */
  readonly done: number;
  /** Binary classifiers to train. */
  readonly total: number;
}

/**
 * One draw of the private model from a source of either kind: what audits, tests and benchmarks run.
 * Users call `fit`.
 *
 * Two classes make one classifier; K > 2 make K, each of one class against the rest with ε/K and δ/K
 * (every one sees all the rows, so they compose).
 *
 * @throws {RangeError} on bad options or data, before anything random is drawn.
 */
export function sampleModel(
  source: Source,
  { rows, labels, onProgress, ...options }: TrainingOptions & {
    readonly rows: Rows | RowBlocks;
    readonly labels: Labels;
    readonly onProgress?: (progress: TrainingProgress) => void;
  },
): Model {
  const { classes = [-1, 1], perturbation = "objective", lambda } = options;
  const { rowCount } = rows;
  requireInteger("train", "rows", rowCount, { min: 1 });
  const indices = readLabels(labels, { classes, rowCount });
  const classifiers = classes.length === 2 ? 1 : classes.length;
  const calibration = calibrationOf(options, { rowCount, classifiers });
  const { loss, regulariser } = objectiveOf(options);
  const prepared = prepareRows(rows, options);
  const weights = Array.from({ length: classifiers }, (_, k) => {
    const positive = classifiers === 1 ? 1 : k;
    const signs = prepared.kind === "blocks"
      ? { indices, positive }
      : Float64Array.from(indices, (index) => index === positive ? 1 : -1);
    const drawn = sampleMinimiser(source, {
      rows: prepared,
      signs,
      loss,
      regulariser,
      lambda,
      calibration,
    });
    onProgress?.({ done: k + 1, total: classifiers });
    return drawn;
  });
  const { normBound, intercept, features } = options;
  return new Model({
    classes,
    weights,
    claim: claimOf(options),
    statement: statementOf(options, { rowCount }),
    preparation: {
      ...(normBound === undefined ? {} : { normBound }),
      ...(intercept === undefined ? {} : { intercept }),
      ...(features === undefined ? {} : { features }),
    },
    training: {
      loss: loss.name,
      regulariser: regulariser.name,
      lambda,
      perturbation,
      rowCount,
    },
  });
}
