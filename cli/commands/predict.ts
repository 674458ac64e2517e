import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import process from "node:process";
import type { Command } from "commander";
import Papa from "papaparse";
import type { Classifier } from "../../lib/dp/learners/erm/classifier.ts";
import type { Rows } from "../../lib/dp/learners/erm/rows/rows.ts";
import { BadInput } from "../options/bad_input.ts";
import { type Done, ExitStatus } from "../output/exit_status.ts";
import { reasonOf } from "../options/reason_of.ts";
import { readSavedModel } from "../options/saved_model.ts";
import { visitEncodedRows } from "../options/visit_encoded_rows.ts";
import { keepInputs } from "../output/write_output.ts";

interface PredictArguments {
  readonly model: string;
  readonly data: string;
  readonly scores: boolean;
  readonly out?: string;
}

/** Defines `dpcheck predict`. */
export function definePredict(command: Command, done: Done): void {
  command
    .requiredOption("--model <file>", "a model written by dpcheck train")
    .requiredOption("--data <file>", "rows, as for dpcheck train; a column of labels is not needed")
    .option("--scores", "also write the score of every class: the largest is predicted", false)
    .option("--out <file>", "where the predictions are written, as CSV; else standard output")
    .action(async (options: PredictArguments) => {
      await predict(options);
      done(ExitStatus.notRefuted);
    });
}

async function predict({ model: file, data, scores, out }: PredictArguments): Promise<void> {
  keepInputs({ "--out": out }, { "--model": file, "--data": data });
  const { model, description } = await readSavedModel(file);
  const output = outputTo(out);
  try {
    output.write(csvLines([["prediction", ...(scores ? scoreNames(model) : [])]]));
    await visitEncodedRows({ option: "--data", file: data }, { description }, (rows) => {
      output.write(csvLines(predictions(model, { rows, scores })));
    });
    output.end();
  } catch (error) {
    output.drop();
    throw error;
  }
}

function csvLines(data: readonly (readonly unknown[])[]): string {
  return data.length === 0 ? "" : Papa.unparse(data, { newline: "\n" }) + "\n";
}

/** For two classes one score, above 0 for the second; for more, one a class. */
function scoreNames({ classes }: Classifier): string[] {
  return classes.length === 2
    ? [`score of ${classes[1]}`]
    : classes.map((each) => `score of ${each}`);
}

function predictions(
  model: Classifier,
  { rows, scores }: { readonly rows: Rows; readonly scores: boolean },
): (readonly unknown[])[] {
  const labels = model.predict(rows);
  if (!scores) return labels.map((label) => [label]);
  const values = model.decisionValues(rows), width = values.length / rows.rowCount;
  return labels.map((label, i) => [label, ...values.subarray(i * width, (i + 1) * width)]);
}

/** An output file that appears once it is complete, or standard output. */
interface Output {
  write(text: string): void;
  end(): void;
  /** Removes the unfinished file. */
  drop(): void;
}

function outputTo(out: string | undefined): Output {
  if (out === undefined) {
    return { write: (text) => void process.stdout.write(text), end: () => {}, drop: () => {} };
  }
  const part = `${out}.part`;
  const trying = <Value>(act: () => Value): Value => {
    try {
      return act();
    } catch (error) {
      throw new BadInput(`--out ${out} cannot be written: ${reasonOf(error)}`);
    }
  };
  const descriptor = trying(() => openSync(part, "w"));
  return {
    write: (text) => void trying(() => writeSync(descriptor, text)),
    end: () =>
      trying(() => {
        closeSync(descriptor);
        renameSync(part, out);
      }),
    drop: () => {
      try {
        closeSync(descriptor);
      } catch {
        // It is closed already.
      }
      rmSync(part, { force: true });
    },
  };
}
