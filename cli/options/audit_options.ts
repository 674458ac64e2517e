import { type Command, Option } from "commander";
import { MOST_WORKERS } from "../../lib/judge/audit/kernel/copies/in_parallel.ts";
import {
  LEAST_DESCRIPTOR,
  MOST_DESCRIPTOR,
} from "../../lib/judge/audit/subjects/process/process_subject.ts";
import { addDatasetOptions, SEARCHED_ROWS } from "./dataset_options.ts";
import {
  alphaValue,
  deltaValue,
  eventValues,
  integerFrom,
  jsonValue,
  numberAbove,
  powerValue,
  urlValue,
} from "./option_values.ts";
import { ROW_HELP } from "./row_help.ts";

const HELP_AFTER = `
Rows (SPEC):
${ROW_HELP}

Exit status:
  0 not refuted   1 refuted   2 wrong use or bad input   3 the subject failed
  4 inconclusive: a violation of --require-power times the claim would not have
    been seen

docs/programs.md: the protocol of programs, the relations, how to read events.`;

/** Adds the options that `audit` and `verify` share. */
export function addRunOptions(command: Command): Command {
  return command
    .option(
      "--max-draws <N>",
      "make N draws (default: 1000000 of a --mechanism with blocks, 200000 of a --module, 50000 of a program, 20000 of an " +
        "endpoint, and five times as many with --full-budget); the counterexample shown takes more",
      integerFrom(1),
    )
    .option(
      "--max-seconds <S>",
      "cut the run after S seconds: where, depends on the machine (default: 600)",
      numberAbove(0),
    )
    .option("--seed <N>", "make the run repeatable", integerFrom(0))
    .option(
      "--workers <N>",
      `copies of the subject that draw at the same time, ${MOST_WORKERS} at most (default: 1; with ` +
        "--full-budget all cores for --mechanism and --module)",
      integerFrom(1, MOST_WORKERS),
    )
    .option(
      "--json <FILE>",
      "write the report as JSON: the evidence that verify reads; with -, to standard output",
    )
    .option("--junit <FILE>", "write the report as JUnit XML")
    .option("--html <FILE>", "write the report as one HTML page")
    .option("--sarif <FILE>", "write the report as SARIF, for code scanning")
    .option("--markdown <FILE>", "write the report as Markdown, for the summary of a build")
    .option("--github", "print an annotation for GitHub Actions, and add to its summary")
    .option("--quiet", "print no report to read: exit status and files only");
}

/** Adds the options of a claim of any kind. */
export function addClaimOptions(command: Command): Command {
  return command
    .option("--epsilon <E>", "ε-DP, in nats", numberAbove(0))
    .option("--delta <D>", "with --epsilon: (ε, δ)-DP", deltaValue)
    .option("--order <A>", "with --epsilon: Rényi DP of this order", numberAbove(1))
    .option("--rho <R>", "ρ-zero-concentrated DP", numberAbove(0))
    .option("--mu <M>", "μ-Gaussian DP", numberAbove(0));
}

/** Adds the options of `dpcheck audit`. */
export function addAuditOptions(command: Command): Command {
  command
    .optionsGroup("Subject (one of):")
    .option("--mechanism <NAME>", "a mechanism that dpcheck ships")
    .option("--module <FILE>", "FILE[#EXPORT]: a mechanism or a function (data, source) => output")
    .option("--exec <COMMAND>", "a program that speaks the subject protocol")
    .option("--url <URL>", "an HTTP endpoint that answers requests of the subject protocol")
    .option("--samples <FILES...>", "LEFT RIGHT: recorded outputs on the two datasets")
    .option(
      "--fd <N>",
      "with --exec: the descriptor of answers, where standard output is taken (default: 1)",
      integerFrom(LEAST_DESCRIPTOR, MOST_DESCRIPTOR),
    )
    .option(
      "--independent",
      "with --exec or --url: your word that outputs are independent, so that they may be asked for in blocks (faster)",
    )
    .optionsGroup("Claim (not needed when the subject carries its own):");
  addClaimOptions(command).optionsGroup("Datasets:");
  addDatasetOptions(command, { rows: SEARCHED_ROWS })
    .option("--with-rows <JSON>", "public rows before every dataset, as a list", jsonValue)
    .option(
      "--require <RULE>",
      'a rule that all datasets keep, as "every value of label" or "rows >= 5"; may be given again',
      (text: string, before: readonly string[] = []) => [...before, text],
    )
    .optionsGroup("Run:")
    .option("--alpha <A>", "chance of refuting a true claim, at most (default: 0.01)", alphaValue)
    .option("--full-budget", "go on after a refutation, for the best lower bound")
    .option(
      "--checkpoint <FILE>",
      "with --full-budget: where counts are kept, for --resume (default: in .dpcheck)",
    )
    .option(
      "--queue <URL>",
      "with --full-budget: Redis, from which `dpcheck worker` on other machines takes shards of the audit; " +
        "env:NAME names a variable that holds the URL",
      urlValue,
    )
    .option("--bits", "look at the bits of floating-point outputs too")
    .option(
      "--except <EVENT>",
      "leave out outputs that satisfy this event of an earlier report; may be given again",
      eventValues,
    )
    .option("--all", "after a refutation go on with its event left out, until nothing is refuted")
    .option("--no-shrink", "do not reduce a refuted pair")
    .option(
      "--no-recording",
      "do not watch the noise of a program or a module before the audit draws",
    )
    .option(
      "--one-at-a-time",
      "one output a request, and the next one after its answer (slower): a program cannot read ahead",
    )
    .option(
      "--require-power <R>",
      "inconclusive (status 4) where a violation of R times the claim would not be seen with 90% power (default: 2)",
      powerValue,
    )
    .addOption(
      new Option(
        "--timeout <SECONDS>",
        "longest wait for an answer of a program or an output of a module",
      )
        .argParser(numberAbove(0)).default(30),
    );
  return addRunOptions(command).addHelpText("after", HELP_AFTER);
}

/** Options that say what is reported, and where to. */
export const REPORTS = ["junit", "html", "sarif", "markdown", "github", "quiet"] as const;

/** The name of an option as it is written. */
export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
