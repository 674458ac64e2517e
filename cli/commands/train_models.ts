import { openBudget } from "../../lib/dp/accounting/budget/budget.ts";
import { replaceOne } from "../../lib/core/relations/relation.ts";
import type { AdditiveModel } from "../../lib/dp/learners/additive/additive_model.ts";
import {
  additiveClaim,
  type AdditiveOptions,
  fitAdditive,
  scoreDeviation,
} from "../../lib/dp/learners/additive/fit_additive.ts";
import { fit } from "../../lib/dp/learners/erm/fit.ts";
import { huberHinge } from "../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../lib/dp/learners/erm/losses/logistic_loss.ts";
import type { Loss } from "../../lib/dp/learners/erm/losses/loss.ts";
import type { Model } from "../../lib/dp/learners/erm/model.ts";
import {
  drawRandomFeatures,
  type RandomFeatures,
} from "../../lib/dp/learners/erm/rows/random_features.ts";
import type { RowFile } from "../../lib/dp/learners/erm/files/row_file.ts";
import { smoothedHinge } from "../../lib/dp/learners/erm/losses/smoothed_hinge.ts";
import { suggestedLambda } from "../../lib/dp/learners/erm/suggested_lambda.ts";
import { calibrationOf, claimOf } from "../../lib/dp/learners/erm/training_options.ts";
import { SecureSource } from "../../lib/core/random/secure_source.ts";
import { BadInput } from "../options/bad_input.ts";
import type { RowDescription } from "../options/visit_encoded_rows.ts";

/** The losses of linear learners, by the learner's name. */
export const LINEAR_LEARNERS: Readonly<Record<string, Loss>> = {
  "logistic-regression": logisticLoss,
  "huber-svm": huberHinge(0.5),
  "smoothed-svm": smoothedHinge(0.5),
};

/** Options of linear learners. */
export interface LinearOptions {
  readonly lambda?: number;
  readonly weightNorm?: number;
  readonly normBound?: number;
  readonly intercept?: number;
  readonly perturbation?: "output" | "objective";
  readonly kernel?: "gaussian" | "laplacian";
  readonly gamma?: number;
  readonly features?: number;
  readonly allowOneClass: boolean;
}

/** Further inputs of a training run. */
interface Given extends LinearOptions {
  readonly epsilon: number;
  readonly delta: number;
  readonly classes: readonly string[];
  readonly description: RowDescription;
}

/** A model, and what a reader should know of how it came about. */
interface Trained {
  readonly model: Model | AdditiveModel;
  /** Sentences: options that followed from others, and what δ would gain. */
  readonly chosen: readonly string[];
  /** SVG of an additive model. */
  readonly drawing?: string;
}

/** The δ whose gain is told, as it is written. */
const USUAL_DELTA = 1e-6, USUAL_DELTA_TEXT = "1e-6";

/** Trains an additive model. */
export function fitAdditiveTo(
  file: RowFile,
  { epsilon, delta, classes, description }: Given,
): Trained {
  if (!("columns" in description)) throw new BadInput("an additive model needs columns");
  const options: AdditiveOptions = {
    columns: description.columns,
    classes,
    epsilon,
    delta,
    relation: replaceOne,
  };
  // One model is what this run may release.
  const budget = openBudget(additiveClaim(options));
  const model = fitAdditive(file.rows(), file.labels(), { ...options, budget });
  const gain = scoreDeviation(options) / scoreDeviation({ ...options, delta: USUAL_DELTA });
  return {
    model,
    chosen: ["Learner: additive.", ...gainOf(delta, gain)],
    drawing: model.toSVG(),
  };
}

/** Trains a linear classifier, with what was not given chosen from public numbers. */
export function fitLinearTo(
  file: RowFile,
  { learner, epsilon, delta, classes, allowOneClass, perturbation = "objective", ...given }:
    & Given
    & { readonly learner: string },
): Trained {
  const rows = file.rows(), loss = LINEAR_LEARNERS[learner]!, source = new SecureSource();
  const features = featuresOf(given, { inputCount: rows.columnCount, source });
  const { normBound, intercept } = boundsOf(given);
  const shape = {
    rowCount: rows.rowCount,
    columnCount: (features?.count ?? rows.columnCount) + (intercept === undefined ? 0 : 1),
    classCount: classes.length,
    normBound: Math.hypot(normBound, intercept ?? 0),
  };
  const { lambda: asked, weightNorm } = given;
  if (asked !== undefined && weightNorm !== undefined) {
    throw new BadInput("give at most one of --lambda and --weight-norm");
  }
  const lambda = asked ?? suggestedLambda({
    epsilon,
    delta,
    perturbation,
    loss,
    ...shape,
    ...(weightNorm === undefined ? {} : { weightNorm }),
  });
  const training = {
    epsilon,
    delta,
    lambda,
    loss,
    normBound,
    perturbation,
    ...(intercept === undefined ? {} : { intercept }),
    ...(features === undefined ? {} : { features }),
  };
  const model = fit(rows, file.labels(), {
    ...training,
    // One model is what this run may release.
    budget: openBudget(claimOf(training)),
    allowOneClass,
    classes,
    source,
    // Counts only: how the solver fares depends on the data.
    onProgress: ({ done, total }) => {
      if (total > 1) console.error(`dpcheck: trained ${done} of ${total} classes`);
    },
  });
  const noise = (delta: number): number => {
    const classifiers = classes.length === 2 ? 1 : classes.length;
    const { noise } = calibrationOf({ ...training, delta }, {
      rowCount: rows.rowCount,
      classifiers,
    });
    return noise.kind === "gaussian"
      ? noise.sigma * Math.sqrt(shape.columnCount)
      : shape.columnCount / noise.rate;
  };
  const numbers = Object.entries({ "norm bound": normBound, intercept, lambda })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${Number(value!.toPrecision(4))}`);
  return {
    model,
    chosen: [
      `Learner: ${learner}, ${numbers.join(", ")}.`,
      ...perturbation === "output" ? [] : gainOf(delta, noise(0) / noise(USUAL_DELTA)),
    ],
  };
}

function gainOf(delta: number, gain: number): string[] {
  if (delta > 0) return [];
  const smaller = gain > 1.05 ? `${gain.toFixed(1)} times smaller` : "about as large";
  return [`With --delta ${USUAL_DELTA_TEXT} the noise would be ${smaller}.`];
}

/**
 * The norm bound and the intercept: as given, or for a table from its columns. A category makes one feature of 1, and a number one in [0, 1],
 * whose square is a third on average if the number is anywhere between its bounds. An intercept is a third of the norm then.
 */
function boundsOf(
  { normBound, intercept, kernel, description }: Pick<
    Given,
    "normBound" | "intercept" | "kernel" | "description"
  >,
): { readonly normBound: number; readonly intercept?: number | undefined } {
  // Random features have norm 1 at most.
  if (normBound !== undefined || kernel !== undefined || "features" in description) {
    return { normBound: normBound ?? 1, intercept };
  }
  const squares = description.columns.map(({ type }) => type === "number" ? 1 / 3 : 1);
  const norm = Math.sqrt(squares.reduce((sum, each) => sum + each, 0));
  return { normBound: norm, intercept: intercept ?? norm / 3 };
}

function featuresOf(
  { kernel, gamma, features = 100 }: Pick<Given, "kernel" | "gamma" | "features">,
  { inputCount, source }: { inputCount: number; source: SecureSource },
): RandomFeatures | undefined {
  if ((kernel === undefined) !== (gamma === undefined)) {
    throw new BadInput("--kernel and --gamma must be given together");
  }
  if (kernel === undefined || gamma === undefined) return undefined;
  return drawRandomFeatures(source, {
    kernel: { name: kernel, gamma },
    inputCount,
    count: features,
  });
}
