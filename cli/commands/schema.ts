import type { Command } from "commander";
import { type DraftOptions, draftSchema } from "./draft_schema.ts";
import { integerFrom } from "../options/option_values.ts";
import { type Done, ExitStatus } from "../output/exit_status.ts";

/** Defines `dpcheck schema`. */
export function defineSchema(command: Command, done: Done): void {
  const many = (text: string, before: readonly string[] = []): string[] => [...before, text];
  command
    .argument("<FILE>", "CSV with a line of names, or Parquet (.parquet): rows are not read")
    .option("--number <COLUMN=A..B>", "numbers from A to B; :STEP behind, as in age=0..120:1", many)
    .option("--category <COLUMN=A,B,…>", "a column of these values", many)
    .option("--date <COLUMN=A..B>", "days, as in day=2020-01-01..2026-12-31", many)
    .option("--text <COLUMN>", "a column whose values are not public", many)
    .option("--person <COLUMN>", "the column that names persons, whom claims protect (else a row)")
    .option(
      "--groups <COUNT>",
      "of persons: groups in which one counts (default: 1)",
      integerFrom(1, 2 ** 20),
    )
    .option(
      "--rows <COUNT>",
      "of persons: rows that count in each group (default: 1)",
      integerFrom(1, 2 ** 20),
    )
    .option("--relation <NAME>", "add-remove-one (default) or replace-one")
    .option("--epsilon <NUMBER>", "what all answers together may lose (default: 1)")
    .option("--delta <NUMBER>", "δ of it")
    .option("--out <FILE>", "where the schema is written (default: standard output)")
    .addHelpText("after", HELP)
    .action(async (file: string, options: DraftOptions) => {
      await draftSchema(file, options);
      done(ExitStatus.notRefuted);
    });
}

const HELP = `
Bounds and values come from you, and never from rows: what the data set would show in them.
On a terminal, columns that no option names are asked for. Else they are drafted as texts.

Example:
  dpcheck schema survey.csv --number age=0..120:1 --category region=north,south --out schema.json`;
