import { type Command, Option } from "commander";
import { openBudget } from "../lib/accounting/budget.ts";
import type { LabelColumn } from "../lib/learners/erm/column_description.ts";
import { fit } from "../lib/learners/erm/fit.ts";
import { huberHinge } from "../lib/learners/erm/huber_hinge.ts";
import { logisticLoss } from "../lib/learners/erm/logistic_loss.ts";
import type { Loss } from "../lib/learners/erm/loss.ts";
import { drawRandomFeatures, type RandomFeatures } from "../lib/learners/erm/random_features.ts";
import { RowFile } from "../lib/learners/erm/row_file.ts";
import { smoothedHinge } from "../lib/learners/erm/smoothed_hinge.ts";
import { suggestedLambda } from "../lib/learners/erm/suggested_lambda.ts";
import { claimOf } from "../lib/learners/erm/training_options.ts";
import { SecureSource } from "../lib/random/secure_source.ts";
import { BadInput, reading } from "./bad_input.ts";
import { type Done, ExitStatus } from "./exit_status.ts";
import { deltaValue, integerFrom, numberAbove } from "./option_values.ts";
import { readJsonFile } from "./read_json_file.ts";
import {
  columnCountOf,
  readRowDescription,
  type RowDescription,
  visitEncodedRows,
} from "./visit_encoded_rows.ts";
import { writeOutput } from "./write_output.ts";

const LEARNERS: Readonly<Record<string, Loss>> = {
  "logistic-regression": logisticLoss,
  "huber-svm": huberHinge(0.5),
  "smoothed-svm": smoothedHinge(0.5),
};

interface TrainArguments {
  readonly data: string;
  readonly label: string;
  readonly columns: string;
  readonly learner: string;
  readonly epsilon: number;
  readonly delta: number;
  readonly lambda?: number;
  readonly weightNorm?: number;
  readonly normBound: number;
  readonly intercept?: number;
  readonly perturbation: "output" | "objective";
  readonly kernel?: "gaussian" | "laplacian";
  readonly gamma?: number;
  readonly features: number;
  readonly allowOneClass: boolean;
  readonly out: string;
}

/** Defines `dpcheck train`. */
export function defineTrain(command: Command, done: Done): void {
  const positive = numberAbove(0);
  command
    .requiredOption(
      "--data <file>",
      "rows: CSV with a line of names, Parquet (.parquet), or lines of features as LIBSVM's",
    )
    .requiredOption("--label <column>", "the column of classes")
    .requiredOption(
      "--columns <file>",
      "JSON: bounds and values of columns, or the number of features; classes of the label",
    )
    .addOption(
      new Option("--learner <name>", "what to train").choices(Object.keys(LEARNERS))
        .makeOptionMandatory(),
    )
    .requiredOption("--epsilon <number>", "ε for one row replaced, in nats", positive)
    .option("--delta <number>", "δ: above 0, Gaussian noise", deltaValue, 0)
    .option("--lambda <number>", "weight of the regulariser", positive)
    .option(
      "--weight-norm <number>",
      "guessed norm of good weights, say 1.2·√d/q for d features of norm q: chooses lambda",
      positive,
    )
    .requiredOption("--norm-bound <number>", "longer rows are scaled down to this norm", positive)
    .option("--intercept <number>", "value of one more, constant feature", positive)
    .addOption(
      new Option("--perturbation <name>", "where the noise goes").choices(["output", "objective"])
        .default("objective"),
    )
    .addOption(
      new Option("--kernel <name>", "random features of a kernel").choices([
        "gaussian",
        "laplacian",
      ]),
    )
    .option("--gamma <number>", "the kernel's width", positive)
    .option("--features <count>", "random features to draw", integerFrom(1), 100)
    .option("--allow-one-class", "train also if only one class occurs: the default", true)
    .option("--no-allow-one-class", "refuse to train if only one class occurs, which tells of rows")
    .requiredOption("--out <file>", "where the model is written")
    .action(async (options: TrainArguments) => {
      await train(options);
      done(ExitStatus.notRefuted);
    });
}

async function train(options: TrainArguments): Promise<void> {
  const json = await readJsonFile("--columns", options.columns);
  const description = reading("--columns", options.columns, () => readRowDescription(json));
  const label = labelOf(description, options);
  const columnCount = columnCountOf(description);
  const file = new RowFile({ columnCount, classCount: label.classes.length });
  try {
    await visitEncodedRows(
      { option: "--data", file: options.data },
      { description, label },
      (rows, labels) => file.append(rows, labels),
    );
    trainOn(file, { options, description, classes: label.classes });
  } finally {
    file.close();
  }
}

function trainOn(
  file: RowFile,
  { options, description, classes }: {
    readonly options: TrainArguments;
    readonly description: RowDescription;
    readonly classes: readonly string[];
  },
): void {
  const { epsilon, delta, normBound, intercept, perturbation, allowOneClass } = options;
  const rows = file.rows(), labels = file.labels();
  const source = new SecureSource();
  const features = featuresOf(options, { inputCount: rows.columnCount, source });
  const bound = Math.hypot(normBound, intercept ?? 0);
  const columnCount = (features?.count ?? rows.columnCount) + (intercept === undefined ? 0 : 1);
  const lambda = reading(
    "--data",
    options.data,
    () =>
      lambdaOf(options, {
        rowCount: rows.rowCount,
        columnCount,
        normBound: bound,
        classCount: classes.length,
      }),
  );
  const training = { epsilon, delta, lambda, normBound, perturbation };
  const model = reading("--data", options.data, () =>
    fit(rows, labels, {
      ...training,
      // One model is what this run may release.
      budget: openBudget(claimOf(training)),
      allowOneClass,
      classes,
      source,
      loss: LEARNERS[options.learner]!,
      ...(intercept === undefined ? {} : { intercept }),
      ...(features === undefined ? {} : { features }),
      // Counts only: how the solver fares depends on the data.
      onProgress: ({ done, total }) => {
        if (total > 1) console.error(`dpcheck: trained ${done} of ${total} classes`);
      },
    }));
  const saved = { ...model.toJSON(), columns: description };
  writeOutput("--out", options.out, JSON.stringify(saved) + "\n");
  console.log(model.statement);
}

function labelOf(
  { label }: RowDescription,
  options: TrainArguments,
): LabelColumn {
  if (label === undefined || label.name !== options.label) {
    throw new BadInput(
      `--label ${options.label}: the file of --columns must declare the classes of that label: ` +
        `it has ${label === undefined ? "no label" : `a label ${label.name}`}`,
    );
  }
  return label;
}

function featuresOf(
  { kernel, gamma, features }: TrainArguments,
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

function lambdaOf(
  { lambda, weightNorm, epsilon, delta, perturbation, learner }: TrainArguments,
  shape: { rowCount: number; columnCount: number; normBound: number; classCount: number },
): number {
  if ((lambda === undefined) === (weightNorm === undefined)) {
    throw new BadInput("give one of --lambda and --weight-norm");
  }
  return lambda ?? suggestedLambda({
    epsilon,
    delta,
    perturbation,
    loss: LEARNERS[learner]!,
    ...shape,
    weightNorm: weightNorm!,
  });
}
