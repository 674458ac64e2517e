import { type Command, Option } from "commander";
import type { LabelColumn } from "../../lib/dp/learners/erm/files/column_description.ts";
import { RowFile } from "../../lib/dp/learners/erm/files/row_file.ts";
import { BadInput, reading } from "../options/bad_input.ts";
import { type Done, ExitStatus } from "../output/exit_status.ts";
import { deltaValue, integerFrom, numberAbove } from "../options/option_values.ts";
import { readFeatures } from "../options/schema_file.ts";
import { fitAdditiveTo, fitLinearTo, LINEAR_LEARNERS, type LinearOptions } from "./train_models.ts";
import {
  columnCountOf,
  type RowDescription,
  visitEncodedRows,
} from "../options/visit_encoded_rows.ts";
import { keepInputs, writeOutput } from "../output/write_output.ts";

const ADDITIVE = "additive";

interface TrainArguments extends LinearOptions {
  readonly data?: string;
  readonly label?: string;
  readonly columns?: string;
  readonly learner?: string;
  readonly epsilon?: number;
  readonly delta: number;
  readonly out?: string;
  readonly plot?: string;
}

/** Required options. */
const NEEDED = {
  data: "--data <file>: the rows",
  columns: "--columns <file>: bounds and values of the columns, and the classes of the label",
  epsilon: "--epsilon <number>: what the model may lose for one row replaced",
  out: "--out <file>: where the model is written",
} as const;

/** Options that linear learners alone have. */
const LINEAR: readonly (readonly [name: keyof LinearOptions, option: string])[] = [
  ["lambda", "--lambda"],
  ["weightNorm", "--weight-norm"],
  ["normBound", "--norm-bound"],
  ["intercept", "--intercept"],
  ["perturbation", "--perturbation"],
  ["kernel", "--kernel"],
  ["gamma", "--gamma"],
  ["features", "--features"],
];

/** Defines `dpcheck train`. */
export function defineTrain(command: Command, done: Done): void {
  const positive = numberAbove(0);
  command
    .option(
      "--data <file>",
      "rows: CSV with a line of names, Parquet (.parquet), or lines of features as LIBSVM's",
    )
    .option(
      "--columns <file>",
      "JSON: bounds and values of columns, as dpcheck schema writes it, or the number of features",
    )
    .option("--epsilon <number>", "ε for one row replaced, in nats", positive)
    .option("--delta <number>", "δ; above 0 the noise is Gaussian, and smaller", deltaValue, 0)
    .option("--out <file>", "where the model is written")
    .option("--label <column>", "the column of classes: a category of --columns")
    .addOption(
      new Option(
        "--learner <name>",
        "what to train (default: additive for two classes of a table, else huber-svm)",
      ).choices([ADDITIVE, ...Object.keys(LINEAR_LEARNERS)]),
    )
    .option("--plot <file>", "a drawing (SVG) of an additive model")
    .option("--lambda <number>", "weight of the regulariser (default: chosen)", positive)
    .option(
      "--weight-norm <number>",
      "guessed norm of good weights, say 1.2·√d/q for d features of norm q: chooses lambda",
      positive,
    )
    .option(
      "--norm-bound <number>",
      "longer rows are scaled down to this norm (default: chosen, and the intercept, for a table)",
      positive,
    )
    .option("--intercept <number>", "value of one more, constant feature", positive)
    .addOption(
      new Option("--perturbation <name>", "where the noise goes (default: objective)")
        .choices(["output", "objective"]),
    )
    .addOption(
      new Option("--kernel <name>", "random features of a kernel").choices([
        "gaussian",
        "laplacian",
      ]),
    )
    .option("--gamma <number>", "the kernel's width", positive)
    .option("--features <count>", "random features to draw (default: 100)", integerFrom(1))
    .option("--allow-one-class", "train also if only one class occurs: the default", true)
    .option("--no-allow-one-class", "refuse to train if only one class occurs, which tells of rows")
    .action(async (options: TrainArguments) => {
      await train(options);
      done(ExitStatus.notRefuted);
    });
}

async function train(options: TrainArguments): Promise<void> {
  const description = options.columns === undefined
    ? undefined
    : await readFeatures({ option: "--columns", file: options.columns, label: options.label });
  const { data, columns, epsilon, out } = requireAll(options, description);
  keepInputs({ "--out": out, "--plot": options.plot }, { "--data": data, "--columns": columns });
  const label = labelOf(description!, options);
  const learner = learnerOf(description!, { ...options, label });
  const file = new RowFile({
    columnCount: columnCountOf(description!),
    classCount: label.classes.length,
  });
  try {
    await visitEncodedRows(
      { option: "--data", file: data },
      { description: description!, label },
      (rows, labels) => file.append(rows, labels),
    );
    // Rows are replaced by others: their number is public.
    if (file.rows().rowCount === 0) throw new BadInput(`--data ${data} must have rows`);
    const given = { ...options, data, columns, epsilon, classes: label.classes };
    const { model, chosen, drawing } = reading(
      "--data",
      data,
      () =>
        learner === ADDITIVE
          ? fitAdditiveTo(file, { ...given, description: description! })
          : fitLinearTo(file, { ...given, learner, description: description! }),
    );
    const saved = { ...model.toJSON(), columns: description };
    writeOutput("--out", out, JSON.stringify(saved) + "\n");
    if (options.plot !== undefined) writeOutput("--plot", options.plot, drawing!);
    console.log([model.statement, ...chosen].join("\n"));
  } finally {
    file.close();
  }
}

/** The required options. @throws {BadInput} listing all that are missing. */
function requireAll(
  options: TrainArguments,
  description: RowDescription | undefined,
): Required<Pick<TrainArguments, keyof typeof NEEDED>> {
  const { data, columns, epsilon, out } = options;
  const missing: string[] = Object.entries(NEEDED)
    .filter(([name]) => options[name as keyof typeof NEEDED] === undefined)
    .map(([, line]) => line);
  const isOfFeatures = description !== undefined && "features" in description;
  if (isOfFeatures && options.normBound === undefined && options.kernel === undefined) {
    missing.push("--norm-bound <number>: numbered features have no declared bounds");
  }
  if (missing.length === 0) return { data, columns, epsilon, out } as never;
  throw new BadInput(`there must also be ${missing.join("; ")}`);
}

function labelOf({ label }: RowDescription, options: TrainArguments): LabelColumn {
  const { columns, label: name = label?.name } = options;
  if (label !== undefined && label.name === name) return label;
  throw new BadInput(
    name === undefined
      ? `--columns ${columns} must declare the classes of a label: it has no label`
      : `--label ${name}: the file of --columns must declare the classes of that label: ` +
        `it has ${label === undefined ? "no label" : `a label ${label.name}`}`,
  );
}

/** The learner asked for, or that the table and the other options suggest. */
function learnerOf(
  description: RowDescription,
  { learner, label, plot, ...options }: Omit<TrainArguments, "label"> & {
    readonly label: LabelColumn;
  },
): string {
  const linear = LINEAR.filter(([name]) => options[name] !== undefined).map(([, option]) => option);
  if (!options.allowOneClass) linear.push("--no-allow-one-class");
  const isForAdditive = "columns" in description && label.classes.length === 2;
  const chosen = learner ?? (isForAdditive && linear.length === 0 ? ADDITIVE : "huber-svm");
  if (chosen !== ADDITIVE && plot !== undefined) {
    throw new BadInput(`--plot draws additive models: the learner is ${chosen}`);
  }
  if (chosen !== ADDITIVE) return chosen;
  if (!isForAdditive) {
    throw new BadInput(`--learner ${ADDITIVE} needs columns of a table and two classes`);
  }
  if (linear.length > 0) throw new BadInput(`--learner ${ADDITIVE} has no ${linear.join(", ")}`);
  return chosen;
}
