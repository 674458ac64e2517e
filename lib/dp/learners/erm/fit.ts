import { requireKnown } from "../../../core/text/known_options.ts";
import { requireFields, requireKind } from "../../../core/numeric/require.ts";
import { type ReleaseOptions, spendThen } from "../../mechanisms/release.ts";
import { checkedRows } from "./rows/checked_rows.ts";
import type { Model } from "./model.ts";
import type { Labels } from "./files/read_labels.ts";
import { requireTrainable } from "./require_trainable.ts";
import type { RowBlocks } from "./files/row_blocks.ts";
import type { Rows } from "./rows/rows.ts";
import { sampleModel, type TrainingProgress } from "./sample_model.ts";
import { claimOf, TRAINING_OPTIONS, type TrainingOptions } from "./training_options.ts";

/** {@linkcode TrainingOptions}, and what a release needs. */
export interface FitOptions extends TrainingOptions, ReleaseOptions {
  /**
   * Train also where only one class occurs: then the claim holds whatever the labels are. `false` refuses such
   * labels, as a mistake in the input; the refusal is itself an output that tells that a class is absent, and no
   * claim covers it. Default true.
   */
  readonly allowOneClass?: boolean;
  /** Called after every classifier. */
  readonly onProgress?: (progress: TrainingProgress) => void;
}

/**
 * Trains a classifier privately: regularised logistic regression, or a support vector machine with a
 * Huber or smoothed hinge, by output or objective perturbation (Chaudhuri, Monteleoni, Sarwate 2011,
 * Algorithms 1 and 2, with the corrections and the tight slack of `calibrateObjective`).
 *
 * The claim is for one row replaced, features and label, and n public. Rows longer than `normBound`
 * are scaled down to it; nothing is taken from the data. Options and data are checked, then the budget
 * pays, then noise is drawn. Of the solver only the weights come out: the number of its steps depends
 * on the data and is neither returned nor stored, what it left unsolved is paid for; the time it took
 * can be seen by whoever watches, and no claim covers it.
 *
 * @param rows n rows of d features, in memory or in blocks (as of a `RowFile`) that are read some tens of times.
 * @param labels n labels, each one of `options.classes`, or their places in that list.
 * @throws {RangeError} on bad options or data, naming row and column, never showing values.
 * @throws {TypeError} when the source is not secure.
 *
 * @example
 * ```ts
 * import { openBudget } from "../../accounting/budget/budget.ts";
 * import { pure } from "../../../core/claims/claim.ts";
 * import { replaceOne } from "../../../core/relations/relation.ts";
 * import { fit } from "./fit.ts";
 * import { denseRows } from "./rows/rows.ts";
 * const rows = denseRows([[0.9, 0.1], [-0.7, 0.2], [0.8, -0.3], [-0.9, 0]]);
 * const budget = openBudget(pure({ epsilon: 1, relation: replaceOne }));
 * const model = fit(rows, [1, -1, 1, -1], { epsilon: 1, lambda: 0.1, normBound: 1, budget });
 * model.predict(rows); // four labels, most of them right with luck: four rows are few
 * ```
 */
export function fit(rows: Rows | RowBlocks, labels: Labels, options: FitOptions): Model {
  requireKind("fit", "rows", rows, "record");
  requireFields("fit", options, {
    onProgress: "function?",
    loss: "record?",
    regulariser: "record?",
    classes: "list?",
    features: "record?",
    allowOneClass: "boolean?",
  });
  requireKnown("call fit()", options, [
    "allowOneClass",
    "onProgress",
    ...TRAINING_OPTIONS,
    "budget",
    "source",
  ]);
  const { budget, source, allowOneClass = true, ...rest } = options;
  return spendThen("train privately", {
    budget,
    source,
    prepare: () => {
      const checked = checkedRows(rows);
      requireTrainable(checked, { ...rest, labels, allowOneClass });
      return {
        claim: claimOf(rest),
        draw: (secure) => sampleModel(secure, { ...rest, rows: checked, labels }),
      };
    },
  });
}
