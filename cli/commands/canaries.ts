import type { CanariesArguments } from "../options/canaries_arguments.ts";
import type { Command } from "commander";
import { alphaValue, deltaValue, integerFrom, numberAbove } from "../options/option_values.ts";
import type { Done } from "../output/exit_status.ts";

/** Defines `dpcheck canaries`. */
export function defineCanaries(command: Command, done: Done): void {
  command
    .argument(
      "<FILE>",
      "CSV with columns included and score, or a JSON object a line; - reads CSV or JSON from standard input",
    )
    .optionsGroup("Claim (without one there is a bound and no verdict):")
    .option("--epsilon <E>", "ε-DP, in nats", numberAbove(0))
    .option("--delta <D>", "with --epsilon: (ε, δ)-DP; alone: the δ of the bound", deltaValue)
    .option("--rho <R>", "ρ-zCDP", numberAbove(0))
    .option("--mu <M>", "μ-Gaussian DP", numberAbove(0))
    .optionsGroup("Run:")
    .option(
      "--alpha <A>",
      "the largest chance of refuting a true claim (default: 0.01)",
      alphaValue,
    )
    .option(
      "--require-power <K>",
      "inconclusive (status 4) unless K times the claim would have been seen (default: 2)",
      numberAbove(1),
    )
    .option("--seed <N>", "orders equal scores (default: 0)", integerFrom(0, 2 ** 32 - 1))
    .option("--json <FILE>", "write the report as JSON; - for standard output")
    .addHelpText("after", HELP_AFTER)
    .action(async (file: string, options: CanariesArguments) => {
      const { runCanaries } = await import("./run_canaries.ts");
      done(await runCanaries(file, options));
    });
}

const HELP_AFTER = `
Each canary must be put in or left out by its own fair coin; larger scores mean "in".

Exit status:
  0  the claim is not refuted, or there was none
  1  the claim is refuted
  2  wrong use, or a file that cannot be read
  3  standard output cannot be written
  4  inconclusive: the run could not have seen --require-power times the claim

docs/one_run.md explains the method and has an example.`;
