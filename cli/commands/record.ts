import type { Command } from "commander";
import { addOptions, RECORD, type RecordArguments } from "../options/command_options.ts";
import { ROW_HELP } from "../options/row_help.ts";
import type { Done } from "../output/exit_status.ts";
import { reportApart } from "../output/report_apart.ts";

/** Defines `dpcheck record`. */
export function defineRecord(command: Command, done: Done): void {
  addOptions(command, RECORD, "record")
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
  0  nothing was found and all noise was followed, or something is suspected (without --strict)
  1  a declaration is broken (with --strict: or something is suspected)
  2  wrong use, or a program that neither records nor can be seeded
  3  the program failed
  4  nothing was found, and noise was not followed on all pairs

docs/recording.md: what is recorded, and what each finding means.`;
