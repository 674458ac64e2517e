import { type Command, Option } from "commander";
import {
  LEAST_DESCRIPTOR,
  MOST_DESCRIPTOR,
} from "../../lib/judge/audit/subjects/process/process_subject.ts";
import { addClaimOptions } from "../options/audit_options.ts";
import type { RecordArguments } from "../options/record_arguments.ts";
import type { Done } from "../output/exit_status.ts";
import { reportApart } from "../output/report_apart.ts";
import { integerFrom, numberAbove } from "../options/option_values.ts";
import { ROW_HELP } from "../options/row_help.ts";
import { addDatasetOptions, SEARCHED_ROWS } from "../options/dataset_options.ts";

/** Defines `dpcheck record`. */
export function defineRecord(command: Command, done: Done): void {
  command
    .optionsGroup("Subject (one of):")
    .option("--module <FILE>", "FILE[#EXPORT]: a mechanism or a function (data, source) => output")
    .option(
      "--exec <COMMAND>",
      "a program that records its noise, as those served by the Python and R adapters do, or can be seeded",
    )
    .option(
      "--fd <N>",
      "the descriptor of answers, where standard output is taken (default: 1)",
      integerFrom(LEAST_DESCRIPTOR, MOST_DESCRIPTOR),
    )
    .optionsGroup("Claim (not needed when the module carries its own):");
  addClaimOptions(command).optionsGroup("Datasets:");
  addDatasetOptions(command, { rows: SEARCHED_ROWS })
    .optionsGroup("Run:")
    .option("--max-pairs <N>", "look at N pairs at most (default: 400)", integerFrom(1))
    .option(
      "--max-seconds <S>",
      "cut the recording after S seconds: where, depends on the machine (default: 120)",
      numberAbove(0),
    )
    .option("--seed <N>", "make the run repeatable (default: 1)", integerFrom(0))
    .option("--strict", "status 1 where something is suspected, too")
    .option("--json <FILE>", "write what was found as JSON; with -, to standard output")
    .option(
      "--html <FILE>",
      "write what was found as one HTML page, both runs drawn beside each other",
    )
    .option("--junit <FILE>", "write what was found as JUnit XML")
    .option("--sarif <FILE>", "write what was found as SARIF, each finding at its line")
    .option("--markdown <FILE>", "write what was found as Markdown, for the summary of a build")
    .addOption(
      new Option("--timeout <SECONDS>", "longest wait for an answer, or an output of a module")
        .argParser(numberAbove(0)).default(30),
    )
    .addHelpText("after", HELP_AFTER)
    .action(async (options: RecordArguments) => {
      const apart = await reportApart(command, options);
      if (apart !== undefined) return done(apart);
      const { runRecord } = await import("./run_record.ts");
      done(await runRecord(options));
    });
}

const HELP_AFTER = `
Rows (SPEC):
${ROW_HELP}

Exit status:
  0  nothing was found where noise was followed, or something is suspected (without --strict)
  1  a declaration is broken (with --strict: or something is suspected)
  2  wrong use, or a program that neither records nor can be seeded
  3  the program failed
  4  nothing was found, and noise was not followed on all pairs

docs/recording.md: what is recorded, and what each finding means.`;
