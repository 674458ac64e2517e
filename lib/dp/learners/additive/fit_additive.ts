import { requireKnown } from "../../../core/text/known_options.ts";
import { type Claim, describeClaim } from "../../../core/claims/claim.ts";
import type { Dataset } from "../../../core/relations/dataset.ts";
import type { Mechanism } from "../../../core/mechanism/mechanism.ts";
import { type Relation, replaceOne } from "../../../core/relations/relation.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { type ReleaseOptions, spendThen } from "../../mechanisms/release.ts";
import {
  requireDelta,
  requireFields,
  requireInteger,
  requireKind,
  requirePositive,
} from "../../../core/numeric/require.ts";
import { checkedRows } from "../erm/rows/checked_rows.ts";
import { type ColumnDescription, featureCount } from "../erm/files/column_description.ts";
import { readColumnDescription } from "../erm/files/read_column_description.ts";
import type { LabelledRow } from "../erm/mechanism.ts";
import type { Label } from "../erm/label.ts";
import { type Labels, readLabels } from "../erm/files/read_labels.ts";
import type { RowBlocks } from "../erm/files/row_blocks.ts";
import { denseRows, type Rows } from "../erm/rows/rows.ts";
import { AdditiveModel } from "./additive_model.ts";
import { type AdditiveNoise, additiveNoise } from "./additive_noise.ts";
import { binCount, type Bins, finestBins, placesOf } from "./bins.ts";
import { boost, type PlacedRows, type Shape } from "./boost.ts";

/** Options of a private additive model. All of them are declared: none is taken from the data. */
export interface AdditiveOptions {
  /** The columns that the features were made from, as `encodeTable` took them: bounds of numbers, values of categories. */
  readonly columns: ColumnDescription["columns"];
  /** ε > 0 in nats, of the whole model. */
  readonly epsilon: number;
  /** δ in [0, 1): above 0, Gaussian noise, which is far less of it. Default 0. */
  readonly delta?: number;
  /** When two datasets are neighbours: replace-one or add-remove-one. */
  readonly relation: Relation;
  /** The labels that may occur: [negative, positive]. Default: [−1, 1]. */
  readonly classes?: readonly Label[];
  /** Number of passes over all columns. Default: 20, or 2 without δ. */
  readonly rounds?: number;
  /** Step size of a round, as a share of a Newton step. Default: 3 over the rounds. */
  readonly learningRate?: number;
  /** Bins of equal width that a number is counted in before they are joined, 1 to 4,096. Default: 32, or 16 without δ. */
  readonly cells?: number;
}

/** Options that were checked, with what follows from them. */
interface Plan extends Required<Omit<AdditiveOptions, "epsilon" | "delta" | "relation">> {
  readonly bins: readonly Bins[];
  readonly noise: AdditiveNoise;
  readonly relation: Relation;
}

const action = "fit an additive model";

/**
 * A private additive model, or explainable boosting machine (Nori, Caruana, Bu, Shen, Kulkarni 2021, DP-EBM): a score for every bin of every
 * column, whose sum says the class. The rows of each bin are counted once, with noise; then the columns are visited
 * in turn, `rounds` times, and the scores of a column's bins move along the noisy sums of the residuals of their rows. Numbers begin with `cells` bins
 * of equal width between their declared bounds, which are joined by the noisy counts alone; categories have a bin
 * each. The first score of all rows is 0, and residuals are cut off at ±½.
 *
 * Counts and sums of one column are a histogram: a row is in one bin, so noise does not grow with bins, only with columns and rounds
 * ({@linkcode additiveNoise} has the proof, for both relations). Whether a row is in a bin, and its residual given what was
 * released before, are functions of the row alone. All noise is discrete, on a grid, and drawn exactly.
 *
 * Every score has a half-width: with a probability of at least 95% the noise on its bin moved it by no more. It says nothing of the rows
 * that might have been drawn instead, nor of how later rounds answered to noise.
 *
 * The defaults of rounds, learning rate, cells and shrinkage were chosen on three quarters of the training rows of Adult, by the errors on the rest
 * (seeds 1 to 15); bench/papers/erm/README has the errors on its test rows.
 *
 * @param rows features as `encodeTable` makes them from `columns`, in memory or in blocks, which are read once. A byte a row and column is kept in memory.
 * @param labels n labels, each one of `options.classes`, or their places in that list.
 * @throws {RangeError} on bad options or data, naming row and column, never showing values.
 * @throws {TypeError} when the source is not secure, or naming what is wrong with a column.
 *
 * @example
 * ```ts
 * import { openBudget } from "@dpcheck/dpcheck/accounting";
 * import { approximate, replaceOne } from "@dpcheck/dpcheck/core";
 * import { encodeTable, fitAdditive, readColumnDescription } from "@dpcheck/dpcheck/learners";
 * const { columns } = readColumnDescription({
 *   columns: [
 *     { name: "age", type: "number", min: 0, max: 100 },
 *     { name: "colour", type: "category", values: ["red", "green", "blue"] },
 *   ],
 * });
 * const table = {
 *   names: ["age", "colour"],
 *   rows: Array.from({ length: 3000 }, (_, i) => [i % 90, ["red", "green", "blue"][i % 3]]),
 * };
 * const labels = table.rows.map(([age, colour]) => colour === "red" || Number(age) > 60);
 * const budget = openBudget(approximate({ epsilon: 1, delta: 1e-6, relation: replaceOne }));
 * const model = fitAdditive(encodeTable(table, { columns }), labels, {
 *   columns,
 *   classes: [false, true],
 *   epsilon: 1,
 *   delta: 1e-6,
 *   relation: replaceOne,
 *   budget,
 * });
 * console.log(`${model}`); // bins of age, and colours, each with its score
 * ```
 */
export function fitAdditive(
  rows: Rows | RowBlocks,
  labels: Labels,
  given: AdditiveOptions & ReleaseOptions,
): AdditiveModel {
  requireKind("fitAdditive", "rows", rows, "record");
  const { budget, source, ...options } = requireFields("fitAdditive", given, {
    columns: "list",
    relation: "relation",
    classes: "list?",
  });
  requireKnown("call fitAdditive()", given, [
    "columns",
    "epsilon",
    "delta",
    "relation",
    "classes",
    "rounds",
    "learningRate",
    "cells",
    "budget",
    "source",
  ]);
  return spendThen(action, {
    budget,
    source,
    prepare: () => {
      const plan = planOf(options), placed = placedRows(rows, labels, plan);
      const { claim, alsoKeeps } = plan.noise;
      return {
        claim,
        alsoKeeps,
        draw: (secure) => modelOf(boost(secure, { ...plan, ...placed }), plan),
      };
    },
  });
}

/** The claim of {@linkcode fitAdditive}. @throws {RangeError} on options out of range. */
export function additiveClaim(options: AdditiveOptions): Claim {
  return planOf(options).noise.claim;
}

/** The deviation of the noise on the mean of a bin's sums over all rounds, in residuals: what scores are off by is in proportion to it. */
export function scoreDeviation(options: AdditiveOptions): number {
  const { noise: { residuals }, rounds } = planOf(options);
  return residuals.deviation / Math.sqrt(rounds);
}

/** {@linkcode fitAdditive} drawing from a source of either kind: what audits, tests and benchmarks run. */
export function sampleAdditive(
  source: Source,
  { rows, labels, ...options }: AdditiveOptions & {
    readonly rows: Rows | RowBlocks;
    readonly labels: Labels;
  },
): AdditiveModel {
  const plan = planOf(options);
  return modelOf(boost(source, { ...plan, ...placedRows(rows, labels, plan) }), plan);
}

/**
 * {@linkcode fitAdditive} as a mechanism, for audits: from labelled rows, labels −1 and 1, to all that a model is computed from, in order: the noisy counts of
 * each column, then round by round the noisy sums of residuals of each column, in units of the bound on one. NaN fills what joined bins leave.
 *
 * @throws {RangeError} on options out of range.
 *
 * @example
 * ```ts
 * import { addRemoveOne, SeededSource } from "@dpcheck/dpcheck";
 * import { additiveMechanism } from "@dpcheck/dpcheck/learners";
 * const columns = [{ name: "colour", type: "category", values: ["red", "blue"] }] as const;
 * const mechanism = additiveMechanism({ columns, epsilon: 1, relation: addRemoveOne, rounds: 1 });
 * mechanism.sample([{ features: [0, 1], label: 1 }], new SeededSource(1)).length; // 4
 * ```
 */
export function additiveMechanism(
  given: Omit<AdditiveOptions, "classes">,
): Mechanism<LabelledRow, number[]> {
  const options = requireFields("additiveMechanism", given, {
    columns: "list",
    relation: "relation",
  });
  requireKnown("call additiveMechanism()", given, [
    "columns",
    "epsilon",
    "delta",
    "relation",
    "rounds",
    "learningRate",
    "cells",
    "classes",
    "budget",
    "source",
  ]);
  const plan = planOf(options), columnCount = featureCount({ columns: plan.columns });
  const { claim, alsoKeeps } = plan.noise;
  const width = (1 + plan.rounds) * sumOf(plan.bins.map(binCount));
  const read = (data: Dataset<LabelledRow>): PlacedRows => {
    const rows = denseRows(data.map(({ features }) => features), { columnCount });
    return placedRows(rows, data.map(({ label }) => label), plan);
  };
  return {
    name: "additive",
    claim,
    alsoKeeps,
    width,
    domain: {
      size: { min: 0, max: 20 },
      rows: {
        type: "record",
        fields: {
          features: {
            type: "vector",
            length: columnCount,
            of: { type: "number", min: 0, max: 1 },
          },
          label: { type: "category", values: [-1, 1] },
        },
      },
    },
    check: (data) => void read(data),
    sample(data, source): number[] {
      const output = new Array<number>(width).fill(NaN);
      let at = 0;
      const onRelease = (values: Float64Array): void =>
        values.forEach((value) => output[at++] = value);
      boost(source, { ...plan, ...read(data), onRelease });
      return output;
    },
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

function planOf(options: AdditiveOptions): Plan {
  const { epsilon, delta = 0, relation, classes = [-1, 1] } = options;
  requireInteger(action, "number of columns", options.columns.length, { min: 1 });
  const { columns } = readColumnDescription({ columns: options.columns });
  const { rounds = delta > 0 ? 20 : 2, cells = delta > 0 ? 32 : 16 } = options;
  const { learningRate = 3 / rounds } = options;
  requirePositive(action, "epsilon", epsilon);
  requireDelta(action, "delta", delta);
  requireInteger(action, "rounds", rounds, { min: 1 });
  requireInteger(action, "cells", cells, { min: 1, max: 4096 });
  requirePositive(action, "learningRate", learningRate);
  requireInteger(action, "number of classes", classes.length, { min: 2, max: 2 });
  const bins = finestBins(columns, cells);
  const noise = additiveNoise({
    epsilon,
    delta,
    relation,
    rounds,
    columns: columns.length,
    bins: sumOf(bins.map(binCount)),
  });
  return { columns, classes, rounds, cells, learningRate, bins, noise, relation };
}

/** Rows and labels as boosting sees them. @throws {RangeError} naming what is wrong, never showing values. */
function placedRows(
  given: Rows | RowBlocks,
  labels: Labels,
  { columns, classes, bins }: Plan,
): PlacedRows {
  const rows = checkedRows(given), columnCount = featureCount({ columns });
  requireInteger(action, "columns of rows", rows.columnCount, {
    min: columnCount,
    max: columnCount,
  });
  return {
    classes: readLabels(labels, { classes, rowCount: rows.rowCount }),
    places: placesOf(rows, { columns, bins }),
  };
}

function modelOf(
  shapes: readonly Shape[],
  { columns, classes, rounds, noise: { claim }, relation }: Plan,
): AdditiveModel {
  return new AdditiveModel({
    classes,
    shapes: shapes.map((shape, j) => ({ column: columns[j]!, ...shape })),
    claim,
    statement:
      `${describeClaim(claim)} for one row ${
        relation === replaceOne ? "replaced" : "added or removed"
      }, by ${rounds} rounds of boosting on ${columns.length} columns, whose bounds and values were declared. ` +
      (relation === replaceOne ? "The number of rows is public. " : "") +
      "Time taken is not covered.",
  });
}
