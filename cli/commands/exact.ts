import type { ExactArguments } from "../options/exact_arguments.ts";
import type { Command } from "commander";
import { alphaValue, deltaValue, integerFrom, numberAbove } from "../options/option_values.ts";
import type { Done } from "../output/exit_status.ts";
import { reportApart } from "../output/report_apart.ts";
import { ROW_HELP } from "../options/row_help.ts";
import { addDatasetOptions } from "../options/dataset_options.ts";

/** Defines `dpcheck exact`. */
export function defineExact(command: Command, done: Done): void {
  command
    .optionsGroup("Subject (one of):")
    .option("--mechanism <NAME>", "a mechanism that dpcheck ships")
    .option("--module <FILE>", "FILE[#EXPORT]: a mechanism or a function (data, source) => output")
    .optionsGroup("Claim (not needed when the subject carries its own):")
    .option("--epsilon <E>", "ε-DP, in nats", numberAbove(0))
    .option("--delta <D>", "with --epsilon: (ε, δ)-DP", deltaValue)
    .option("--rho <R>", "continuous noise only: ρ-zCDP", numberAbove(0))
    .option("--mu <M>", "continuous noise only: μ-GDP", numberAbove(0))
    .optionsGroup("Datasets:");
  addDatasetOptions(command, {
    rows: "all datasets with rows like this, of finitely many values",
  })
    .optionsGroup("Run:")
    .option(
      "--max-branches <N>",
      "run the program N times at most, on all datasets together (default: 1000000); continuous noise: paths (default: 10000)",
      integerFrom(1),
    )
    .option(
      "--max-seconds <S>",
      "end undecided after S seconds on all datasets together (default: 300)",
      numberAbove(0),
    )
    .option(
      "--remainder <R>",
      "where outputs have no end: the probability that may be left out on a dataset (default: 1e-9)",
      alphaValue,
    )
    .option("--json <FILE>", "write the report as JSON; with -, to standard output")
    .option(
      "--certificate <FILE>",
      "write what the verdict follows from, so that it can be checked",
    )
    .option(
      "--smt <FILE>",
      "write the same as questions in SMT-LIB 2: z3 and cvc5 --incremental must answer each with unsat",
    )
    .addHelpText("after", HELP_AFTER)
    .action(async (options: ExactArguments) => {
      const apart = await reportApart(command, options);
      if (apart !== undefined) return done(apart);
      const { runExact } = await import("./run_exact.ts");
      done(await runExact(options));
    });
}

const HELP_AFTER = `
Rows (SPEC):
${ROW_HELP}
Where draws are discrete, numbers have no end: name some by {"type":"category","values":[0,0.5,1]}.
Where they are continuous, all numbers are proved together.

Exit status:
  0  the claim holds
  1  the claim is refuted
  2  wrong use, or a program that cannot be run so: it draws uniform(), keeps state or is asynchronous
  4  undecided: more than --remainder was not run, --max-seconds were over, or continuous noise was neither aligned nor refuted

docs/programs.md has the draws that a program may use.`;
