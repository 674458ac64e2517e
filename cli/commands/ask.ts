import { type Command, Option } from "commander";
import { type AskOptions, runAsk } from "./run_ask.ts";
import { type Done, ExitStatus } from "../output/exit_status.ts";

/** Defines `dpcheck ask`. */
export function defineAsk(command: Command, done: Done): void {
  command
    .argument(
      "<DATA>",
      "rows: CSV with a line of names, Parquet (.parquet), or a table of a database",
    )
    .argument("[QUESTION]", 'as in "mean hours by region where age >= 18"')
    .option("--schema <file>", "what is public of the table, as dpcheck schema drafts it")
    .option("--ledger <file>", "what was spent; the first question that is paid makes it")
    .option("--epsilon <number>", "what the answer may cost, in nats")
    .option("--rho <number>", "the same with Gaussian noise, where the limit is in rho")
    .option("--question <file>", "a question as JSON, or a list of them, in place of QUESTION")
    .addOption(
      new Option("--engine <name>", "what reads the rows (default: memory)").choices([
        "memory",
        "duckdb",
        "postgres",
        "clickhouse",
      ]),
    )
    .option(
      "--connection <url>",
      "the database that has the table, as in postgres://user@host/name (default: from PGHOST and such, where PGPASSWORD belongs), or http://host:8123/?database=name of ClickHouse (CLICKHOUSE_USER, CLICKHOUSE_PASSWORD), several with commas between for shards",
    )
    .option(
      "--host <name>",
      "the machine that the ledger names, where it was moved here for good from another",
    )
    .option("--json <file>", "the answer as JSON; - for standard output")
    .option("--csv <file>", "the answer as CSV; - for standard output")
    .option(
      "--svg <file>",
      "the answer as a chart, of several questions one each; - for standard output",
    )
    .addHelpText("after", HELP)
    .action(async (data: string, words: string | undefined, options: AskOptions) => {
      await runAsk({ ...options, data, words });
      done(ExitStatus.notRefuted);
    });
}

const HELP = `
Questions:
  count [by COLUMNS] [where CONDITION]
  sum | mean | median | variance COLUMN [by COLUMNS] [where CONDITION]
  quantiles 0.1, 0.5, 0.9 of COLUMN [by COLUMNS]
  ratio COLUMN per COLUMN
  distinct COLUMN
  top 5 by COLUMNS
COLUMNS are categories, or bins: "age in 10" (a width), "age in 0, 18, 65, 120" (edges), "day in month".

Example:
  dpcheck ask survey.csv --schema schema.json --ledger budget.jsonl --epsilon .5 "mean hours by region"
  dpcheck ask visits --engine postgres --connection postgres://analyst@db/clinic --schema schema.json --ledger budget.jsonl --epsilon .5 count`;
