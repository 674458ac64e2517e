import type { Command } from "commander";
import { type Done, ExitStatus } from "../output/exit_status.ts";

/** Defines `dpcheck check`. */
export function defineCheck(command: Command, done: Done): void {
  command
    .argument("<CERTIFICATE>", "a file of dpcheck exact --certificate")
    .argument("[MODULE]", "FILE[#EXPORT]: the program that it is about")
    .option("--json <FILE>", "write the result as JSON; with -, to standard output")
    .addHelpText("after", HELP_AFTER)
    .action(async (certificate: string, module: string | undefined, options: CheckArguments) => {
      const { runCheck } = await import("./run_check.ts");
      done(await runCheck({ certificate, module, ...options }));
    });
}

/** The options of `dpcheck check`. */
export interface CheckArguments {
  readonly json?: string;
}

const HELP_AFTER = `
What is checked:
  Without MODULE: that the verdict follows from what the certificate says, in whole numbers and fractions.
  With MODULE:    also that its file is the one that was traced, and that the program has these paths, draws and outputs.
                  They are derived a second time, by code that shares no line with that of dpcheck exact.

Exit status:
  ${ExitStatus.notRefuted}  accepted
  ${ExitStatus.refuted}  rejected
  ${ExitStatus.badInput}  wrong use
  ${ExitStatus.inconclusive}  accepted as it is written, but the program was not derived again`;
