import type { Command } from "commander";
import { jsonText } from "../../lib/judge/report/json_text.ts";
import { BadInput } from "../options/bad_input.ts";
import { type Done, ExitStatus } from "../output/exit_status.ts";
import { readSavedModel } from "../options/saved_model.ts";
import { visitEncodedRows } from "../options/visit_encoded_rows.ts";
import { STANDARD_OUTPUT, writeOutput } from "../output/write_output.ts";

interface ScoreArguments {
  readonly model: string;
  readonly data: string;
  readonly json?: string;
}

/** Defines `dpcheck score`. */
export function defineScore(command: Command, done: Done): void {
  command
    .requiredOption("--model <file>", "a model written by dpcheck train")
    .requiredOption("--data <file>", "rows with their labels, as for dpcheck train")
    .option("--json <file>", "write the shares as JSON; with -, to standard output")
    .action(async (options: ScoreArguments) => {
      await score(options);
      done(ExitStatus.notRefuted);
    });
}

async function score({ model: file, data, json }: ScoreArguments): Promise<void> {
  const { model, description } = await readSavedModel(file);
  const { label } = description;
  if (label === undefined) throw new BadInput(`--model ${file} must name the column of classes`);
  const classes = label.classes.length;
  // Of every class: rows that have it, and how many of these are predicted right.
  const all = new Array<number>(classes).fill(0), right = new Array<number>(classes).fill(0);
  await visitEncodedRows(
    { option: "--data", file: data },
    { description, label },
    (rows, labels) => {
      const predicted = model.predictIndices(rows);
      labels.forEach((place, i) => {
        all[place]!++;
        if (predicted[i] === place) right[place]!++;
      });
    },
  );
  const count = sum(all);
  if (count === 0) throw new BadInput(`--data ${data} must have at least one row`);
  if (json !== undefined) {
    const ofClasses = label.classes.map((name, place) => ({
      class: name,
      rows: all[place]!,
      right: right[place]!,
    }));
    writeOutput("--json", json, jsonText({ rows: count, right: sum(right), classes: ofClasses }));
    if (json === STANDARD_OUTPUT) return;
  }
  console.log(`${percent(sum(right) / count)} of ${count} rows right`);
  label.classes.forEach((name, place) => {
    if (all[place] === 0) return;
    console.log(`  ${name}  ${percent(right[place]! / all[place]!)} of ${all[place]}`);
  });
  console.log("These shares are statistics of the rows: the model's claim does not cover them.");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
