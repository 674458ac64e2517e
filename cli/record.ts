import { type Command, Option } from "commander";
import type { Relation } from "../lib/core/relation.ts";
import {
  LEAST_DESCRIPTOR,
  MOST_DESCRIPTOR,
} from "../lib/audit/subjects/process/process_subject.ts";
import type { Done } from "./exit_status.ts";
import {
  deltaValue,
  integerFrom,
  type JsonValue,
  jsonValue,
  numberAbove,
  sizeValue,
} from "./option_values.ts";
import { RELATIONS, relationValue } from "./relation_value.ts";
import { ROW_HELP } from "./row_help.ts";

/** The options of `dpcheck record` as commander gives them, each value checked by itself. */
export interface RecordArguments {
  readonly exec?: string;
  readonly fd?: number;
  readonly epsilon?: number;
  readonly delta?: number;
  readonly order?: number;
  readonly rho?: number;
  readonly mu?: number;
  readonly left?: JsonValue;
  readonly right?: JsonValue;
  readonly rows?: JsonValue;
  readonly size?: { readonly min: number; readonly max: number };
  readonly relation?: Relation;
  readonly maxPairs?: number;
  readonly maxSeconds?: number;
  readonly seed?: number;
  readonly timeout: number;
  readonly strict?: true;
  readonly json?: string;
  readonly junit?: string;
  readonly sarif?: string;
  readonly markdown?: string;
}

/** Defines `dpcheck record`. */
export function defineRecord(command: Command, done: Done): void {
  command
    .optionsGroup("Subject:")
    .option("--exec <COMMAND>", "a program that records its noise, as dpcheck.serve in Python does")
    .option(
      "--fd <N>",
      "the descriptor of answers, where standard output is taken (default: 1)",
      integerFrom(LEAST_DESCRIPTOR, MOST_DESCRIPTOR),
    )
    .optionsGroup("Claim:")
    .option("--epsilon <E>", "ε-DP, in nats", numberAbove(0))
    .option("--delta <D>", "with --epsilon: (ε, δ)-DP", deltaValue)
    .option("--order <A>", "with --epsilon: Rényi DP of this order", numberAbove(1))
    .option("--rho <R>", "ρ-zero-concentrated DP", numberAbove(0))
    .option("--mu <M>", "μ-Gaussian DP", numberAbove(0))
    .optionsGroup("Datasets:")
    .option("--left <JSON>", "one dataset, with --right: any JSON value", jsonValue)
    .option("--right <JSON>", "its neighbour", jsonValue)
    .option("--rows <SPEC>", "search datasets with rows like this, see below", jsonValue)
    .option("--size <A..B>", "with --rows: from A to B rows, or just A", sizeValue)
    .option(
      "--relation <NAME>",
      `${RELATIONS} (--left and --right are neighbours by your word)`,
      relationValue,
    )
    .optionsGroup("Run:")
    .option("--max-pairs <N>", "look at N pairs at most (default: 400)", integerFrom(1))
    .option(
      "--max-seconds <S>",
      "take S seconds at most, a third of them to make pairs small (default: 3)",
      numberAbove(0),
    )
    .option("--seed <N>", "make the run repeatable (default: 1)", integerFrom(0))
    .option("--strict", "status 1 where something is suspected, too")
    .option("--json <FILE>", "write what was found as JSON; with -, to standard output")
    .option("--junit <FILE>", "write what was found as JUnit XML")
    .option("--sarif <FILE>", "write what was found as SARIF, each finding at its line")
    .option("--markdown <FILE>", "write what was found as Markdown, for the summary of a build")
    .addOption(
      new Option("--timeout <SECONDS>", "longest wait for an answer")
        .argParser(numberAbove(0)).default(30),
    )
    .addHelpText("after", HELP_AFTER)
    .action(async (options: RecordArguments) => {
      const { runRecord } = await import("./run_record.ts");
      done(await runRecord(options));
    });
}

const HELP_AFTER = `
Rows (SPEC):
${ROW_HELP}

Exit status:
  0  nothing is broken (with --strict: nothing is suspected either)
  1  a declaration is broken (with --strict: or something is suspected)
  2  wrong use, or a program that does not record
  3  the program failed

docs/recording.md: what is recorded, and what each finding means.`;
