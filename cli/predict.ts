import process from "node:process";
import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import Papa from "papaparse";
import { encodeTable, readColumnDescription } from "../lib/learners/erm/column_encoder.ts";
import { Model } from "../lib/learners/erm/model.ts";
import { BadInput, reading } from "./bad_input.ts";
import { ExitStatus } from "./exit_status.ts";
import { readJsonFile } from "./read_json_file.ts";
import { readTable } from "./read_table.ts";
import type { Done } from "./register.ts";
import { reasonOf } from "./reason_of.ts";

interface PredictArguments {
  readonly model: string;
  readonly data: string;
  readonly out?: string;
}

/** Registers `dpcheck predict`. */
export function registerPredict(program: Command, done: Done): void {
  program.command("predict")
    .description("predict the class of every row with a model of dpcheck train")
    .requiredOption("--model <file>", "a model written by dpcheck train")
    .requiredOption("--data <file>", "rows: CSV with a line of names, or Parquet (.parquet)")
    .option("--out <file>", "where the predictions are written, as CSV; else standard output")
    .action(async (options: PredictArguments) => {
      await predict(options);
      done(ExitStatus.notRefuted);
    });
}

async function predict({ model: file, data, out }: PredictArguments): Promise<void> {
  const saved = await readJsonFile("--model", file);
  const { model, description } = reading("--model", file, () => ({
    model: Model.fromJSON(saved),
    description: readColumnDescription((saved as { columns?: unknown }).columns),
  }));
  const table = await readTable("--data", data);
  const predicted = reading("--data", data, () => model.predict(encodeTable(table, description)));
  const text = Papa.unparse({
    fields: ["prediction"],
    data: predicted.map((label) => [label]),
  }, { newline: "\n" }) + "\n";
  if (out === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    await writeFile(out, text);
  } catch (error) {
    throw new BadInput(`--out ${out} cannot be written: ${reasonOf(error)}`);
  }
}
