import { type InitArguments, LANGUAGES } from "../options/init_arguments.ts";
import { type Command, Option } from "commander";
import type { Done, Run } from "../output/exit_status.ts";
import { DEPLOYMENTS } from "../../lib/core/claims/deployment.ts";
import { presetValue } from "../options/preset_value.ts";
import { numberAbove, rowsValue, sizeValue } from "../options/option_values.ts";
import { SEARCHED_RELATIONS, searchedRelationValue } from "../options/relation_value.ts";
import { ROW_HELP } from "../options/row_help.ts";

/** Defines `dpcheck init`. */
export function defineInit(command: Command, done: Done, run: Run): void {
  command
    .addOption(
      new Option("--language <NAME>", "of the test and the program (default: what the folder has)")
        .choices(LANGUAGES),
    )
    .option(
      "--function <FILE:NAME>",
      "the function to audit, as in stats.py:noisy_mean (default: an example that keeps its claim)",
    )
    .option(
      "--preset <NAME[:KEY=NUMBER,…]>",
      "what the function claims, its rows and neighbours, in the words of a deployment, see below",
      presetValue,
    )
    .option("--epsilon <E>", "what it claims, in nats (default: 1)", numberAbove(0))
    .option("--rows <SPEC>", 'what a row is, see below (default: {"type":"boolean"})', rowsValue)
    .option("--size <A..B>", "how many rows a dataset has (default: 0..5)", sizeValue)
    .option(
      "--relation <NAME>",
      `${SEARCHED_RELATIONS} (default: add-remove-one)`,
      searchedRelationValue,
    )
    .option("--yes", "ask nothing: take the defaults of what is not given")
    .option("--no-audit", "write the files, and run nothing")
    .addHelpText("after", HELP_AFTER)
    .action(async (options: InitArguments) => {
      const { runInit } = await import("./run_init.ts");
      done(await runInit(options, run));
    });
}

const HELP_AFTER = `
Writes dpcheck.json, a program that is audited, a first test (pytest, node:test or Vitest, Deno, testthat) and a
workflow for GitHub Actions into the folder it is run in. Files that are there stay as they are. Then it runs the
audits of dpcheck.json. At a terminal it asks for what is not given.

Rows (SPEC):
${ROW_HELP}

Presets, with their parameters as they are by default:
${
  Object.entries(DEPLOYMENTS).map(([name, numbers]) =>
    `  ${name}:${Object.entries(numbers).map(([key, value]) => `${key}=${value}`).join(",")}`
  ).join("\n")
}

Exit status: that of dpcheck suite.`;
