import type { Command } from "commander";
import Papa from "papaparse";
import type { Table } from "../../lib/dp/learners/erm/files/column_encoder.ts";
import { requireNonNegative } from "../../lib/core/numeric/require.ts";
import {
  type FeatureMatrix,
  featureMatrix,
  featureRows,
} from "../../lib/papers/null_space/feature_matrix.ts";
import { leastSquares } from "../../lib/papers/null_space/least_squares.ts";
import type { LinearFirstStage } from "../../lib/papers/null_space/linear_first_stage.ts";
import { nullSpaceCleaner } from "../../lib/papers/null_space/null_space.ts";
import { predictorFromJson } from "../../lib/papers/null_space/predictor_from_json.ts";
import { BadInput, reading } from "../options/bad_input.ts";
import { type Done, ExitStatus } from "../output/exit_status.ts";
import { readJsonFile } from "../options/read_json_file.ts";
import { readTable } from "../options/read_table.ts";
import { keepInputs, writeOutput } from "../output/write_output.ts";

interface CleanArguments {
  readonly data: string;
  readonly predictor: string;
  readonly epsilon: string;
  readonly out: string;
  readonly confidential?: string;
}

/** Defines `dpcheck clean`. */
export function defineClean(command: Command, done: Done): void {
  command
    .requiredOption("--data <file>", "rows: CSV with a line of names, or Parquet (.parquet)")
    .requiredOption("--predictor <file>", "the predictor's linear first stage, as JSON")
    .requiredOption("--epsilon <e>", "squared error allowed in the first stage's outputs, from 0")
    .requiredOption("--out <file>", "where the cleaned features are written, as CSV")
    .option("--confidential <columns>", "columns of the data to be hidden, separated by commas")
    .action(async (options: CleanArguments) => {
      await clean(options);
      done(ExitStatus.notRefuted);
    });
}

async function clean(options: CleanArguments): Promise<void> {
  const { data, predictor: file, epsilon: text, out } = options;
  keepInputs({ "--out": out }, { "--data": data, "--predictor": file });
  const epsilon = reading("--epsilon", text, () => {
    const value = text.trim() === "" ? NaN : Number(text);
    requireNonNegative("clean features", "epsilon", value);
    return value;
  });
  const described = await readJsonFile("--predictor", file);
  const predictor = reading("--predictor", file, () => predictorFromJson(described));
  const hidden = options.confidential?.split(",").map((name) => name.trim()) ?? [];
  if (hidden.length > 0 && predictor.confidential !== undefined) {
    throw new BadInput(
      `--confidential ${options.confidential}: the predictor must not describe a confidential one too`,
    );
  }

  const table = await readTable("--data", data);
  const names = predictor.features ?? table.names.filter((name) => !hidden.includes(name));
  const expected = predictor.stage.weights.columns;
  if (names.length !== expected) {
    throw new BadInput(
      `--data ${data} must have ${expected} feature columns, as the predictor does: ` +
        `current value is ${names.length}`,
    );
  }
  const features = numbers(table, { names, option: "--data", value: data });
  const cleaner = reading("--predictor", file, () => {
    const confidential = hidden.length === 0
      ? predictor.confidential
      : fitConfidential(features, { table, hidden });
    return nullSpaceCleaner(predictor.stage, confidential === undefined ? {} : { confidential });
  });
  const csv = Papa.unparse({
    fields: [...names],
    data: featureRows(cleaner.clean(features, { epsilon })),
  }, { newline: "\n" });
  writeOutput("--out", out, `${csv}\n`);
}

/** A_c of Algorithm 1: the confidential columns from the features, by least squares. */
function fitConfidential(
  features: FeatureMatrix,
  { table, hidden }: { readonly table: Table; readonly hidden: readonly string[] },
): LinearFirstStage {
  const value = hidden.join(",");
  const targets = numbers(table, { names: hidden, option: "--confidential", value });
  return leastSquares(features, { targets, intercept: true });
}

interface Wanted {
  readonly names: readonly string[];
  readonly option: string;
  readonly value: string;
}

/** These columns of a table as numbers. @throws {BadInput} naming the row and column, never the cell. */
function numbers(table: Table, { names, option, value }: Wanted): FeatureMatrix {
  const indices = names.map((name) => {
    const index = table.names.indexOf(name);
    if (index < 0) throw new BadInput(`${option} ${value}: the data must have a column ${name}`);
    return index;
  });
  const rows = table.rows.map((row, i) =>
    indices.map((index, column) => {
      const cell = row[index];
      const number = cell === null || cell === undefined || String(cell).trim() === ""
        ? NaN
        : Number(cell);
      if (Number.isFinite(number)) return number;
      throw new BadInput(
        `${option} ${value}: column ${names[column]} of row ${i + 1} must be a finite number`,
      );
    })
  );
  return featureMatrix(rows, { columns: names.length });
}
