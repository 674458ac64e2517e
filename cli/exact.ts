import type { Command } from "commander";
import type { Relation } from "../lib/core/relation.ts";
import {
  alphaValue,
  deltaValue,
  integerFrom,
  type JsonValue,
  jsonValue,
  numberAbove,
  sizeValue,
} from "./option_values.ts";
import type { Done } from "./register.ts";
import { RELATIONS, relationValue } from "./relation_value.ts";
import { ROW_HELP } from "./row_spec.ts";
import { runExact } from "./run_exact.ts";

/** The options of `dpcheck exact` as commander gives them, each value checked by itself. */
export interface ExactArguments {
  readonly mechanism?: string;
  readonly module?: string;
  readonly epsilon?: number;
  readonly delta?: number;
  readonly left?: JsonValue;
  readonly right?: JsonValue;
  readonly rows?: JsonValue;
  readonly size?: { readonly min: number; readonly max: number };
  readonly relation?: Relation;
  readonly maxBranches?: number;
  readonly remainder?: number;
  readonly json?: string;
  readonly certificate?: string;
}

/** Registers `dpcheck exact`. */
export function registerExact(program: Command, done: Done): void {
  program.command("exact")
    .description(
      "run a program on every path of its exact draws: its least ε, and whether it keeps its claim",
    )
    .optionsGroup("Subject (one of):")
    .option("--mechanism <NAME>", "a mechanism that dpcheck ships")
    .option("--module <FILE>", "FILE[#EXPORT]: a mechanism or a function (data, source) => output")
    .optionsGroup("Claim (not needed when the subject carries its own):")
    .option("--epsilon <E>", "ε-DP, in nats", numberAbove(0))
    .option("--delta <D>", "with --epsilon: (ε, δ)-DP", deltaValue)
    .optionsGroup("Datasets:")
    .option("--left <JSON>", "one dataset, with --right: any JSON value", jsonValue)
    .option("--right <JSON>", "its neighbour", jsonValue)
    .option("--rows <SPEC>", "all datasets with rows like this, of finitely many values", jsonValue)
    .option("--size <A..B>", "with --rows: from A to B rows, or just A", sizeValue)
    .option(
      "--relation <NAME>",
      `${RELATIONS} (--left and --right are neighbours by your word)`,
      relationValue,
    )
    .optionsGroup("Run:")
    .option(
      "--max-branches <N>",
      "run the program N times at most, on all datasets together (default: 1000000)",
      integerFrom(1),
    )
    .option(
      "--remainder <R>",
      "where outputs have no end: the probability that may be left out on a dataset (default: 1e-9)",
      alphaValue,
    )
    .option("--json <FILE>", "write the report as JSON; with -, to standard output")
    .option("--certificate <FILE>", "write the laws, from which the verdict can be checked")
    .addHelpText("after", HELP_AFTER)
    .action(async (options: ExactArguments) => done(await runExact(options)));
}

const HELP_AFTER = `
Rows (SPEC):
${ROW_HELP}
Numbers have no end: name some by {"type":"category","values":[0,0.5,1]}.

Exit status:
  0  the claim holds
  1  the claim is refuted
  2  wrong use, or a program that cannot be enumerated: it draws floats, keeps state or is asynchronous
  4  undecided: more than --remainder was not run

docs/programs.md has the draws that a program may use.`;
