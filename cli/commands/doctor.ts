import type { Command } from "commander";
import type { Done } from "../output/exit_status.ts";

/** Defines `dpcheck doctor`. */
export function defineDoctor(command: Command, done: Done): void {
  command
    .option("--json <FILE>", "write what was found as JSON; with -, to standard output")
    .addHelpText("after", HELP_AFTER)
    .action(async (options: { readonly json?: string }) => {
      const { runDoctor } = await import("./run_doctor.ts");
      done(await runDoctor(options));
    });
}

const HELP_AFTER = `
Nothing is installed, and nothing is sent anywhere. Most audits need none of what may be missing.

Exit status:
  0  dpcheck runs, whatever else is missing
  2  wrong use, or a file that cannot be written
  3  dpcheck cannot work here: it cannot write temporary files or start itself`;
