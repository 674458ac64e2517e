import type { Command } from "commander";
import { addOptions, EXACT, type ExactArguments } from "../options/command_options.ts";
import { ROW_HELP } from "../options/row_help.ts";
import type { Done } from "../output/exit_status.ts";
import { reportApart } from "../output/report_apart.ts";

/** Defines `dpcheck exact`. */
export function defineExact(command: Command, done: Done): void {
  addOptions(command, EXACT, "exact")
    .addHelpText("after", HELP_AFTER)
    .action(async (options: ExactArguments) => {
      const apart = await reportApart(command, options);
      if (apart !== undefined) return done(apart);
      const { runExact } = await import("../exact/run_exact.ts");
      done(await runExact(options));
    });
}

const HELP_AFTER = `
Rows (SPEC):
${ROW_HELP}
With discrete draws not all numbers can be tried: list some by {"type":"category","values":[0,0.5,1]}.
With continuous draws, all numbers are proved together. A module may compute
with operators, conditions and array methods: it is followed by its source.

Exit status:
  0  the claim holds
  1  the claim is refuted
  2  wrong use, or a program whose paths cannot be run: it draws raw bits, keeps state or is asynchronous
  4  undecided: more than --remainder is left, --max-seconds have passed, or continuous noise was neither aligned nor refuted

docs/programs.md has the draws that a program may use.`;
