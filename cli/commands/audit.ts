import type { Command } from "commander";
import { BadInput } from "../options/bad_input.ts";
import {
  addOptions,
  AUDIT,
  AUDIT_COMMAND,
  type AuditArguments,
  type AuditCommandArguments,
  EXACT,
  namesOf,
} from "../options/command_options.ts";
import { entryOf, flagOf, type OptionName } from "../options/option_table.ts";
import { ROW_HELP } from "../options/row_help.ts";
import type { Done } from "../output/exit_status.ts";
import { reportApart } from "../output/report_apart.ts";

/** Defines `dpcheck audit`. */
export function defineAudit(command: Command, done: Done): void {
  addOptions(addOptions(command, AUDIT, "audit"), AUDIT_COMMAND, "audit")
    .addHelpText("after", HELP_AFTER)
    .action(
      async (
        {
          freshStart,
          exact,
          yes,
          interactive,
          questions,
          strategy,
          lifetime,
          restartKeeps,
          ...options
        }:
          & AuditArguments
          & AuditCommandArguments,
      ) => {
        const apart = await reportApart(command, options);
        if (apart !== undefined) return done(apart);
        const sessions = {
          ...(questions === undefined ? {} : { questions }),
          ...(strategy === undefined ? {} : { strategy }),
          ...(lifetime === undefined ? {} : { lifetime }),
          ...(restartKeeps === undefined ? {} : { restartKeeps }),
        };
        if (interactive === true) {
          const { runInteractive } = await import("../audit/run_interactive.ts");
          return done(await runInteractive({ ...options, ...sessions }));
        }
        const [alone] = Object.keys(sessions);
        if (alone !== undefined) {
          throw new BadInput(`${flagOf(alone as OptionName)} must come with --interactive`);
        }
        if (exact === true) return done(await decideExactly(options));
        if (options.resume !== undefined) {
          const { resumeAudit } = await import("../audit/resume_audit.ts");
          return done(await resumeAudit(options, { file: options.resume, yes: yes === true }));
        }
        const { runAudit } = await import("../audit/run_audit.ts");
        done(await runAudit(options, { fresh: freshStart === true }));
      },
    );
}

const HELP_AFTER = `
Rows (SPEC):
${ROW_HELP}

Exit status:
  0 not refuted   1 refuted   2 wrong use or bad input   3 the subject failed
  4 inconclusive: a violation of --require-power times the claim could have been
    missed

docs/programs.md: the protocol of programs, the relations, how to read events.`;

/** Decides the claim as `dpcheck exact` does. Budgets, seeds and levels say how to draw, and nothing is drawn. */
async function decideExactly(options: AuditArguments): Promise<number> {
  const taken = new Set<OptionName>(namesOf(EXACT)), names = given(options);
  const other = names.find((name) => !taken.has(name) && entryOf(name).ofDraws !== true);
  if (other !== undefined) {
    throw new BadInput(
      `${flagOf(other)} cannot be given with --exact: dpcheck exact has no such option`,
    );
  }
  const { runExact } = await import("../exact/run_exact.ts");
  const same = names.filter((name) => entryOf(name).ofDraws !== true);
  return await runExact(Object.fromEntries(same.map((name) => [name, options[name]])));
}

/** The options that have a value. */
function given(options: AuditArguments): (keyof AuditArguments)[] {
  return (Object.keys(options) as (keyof AuditArguments)[])
    .filter((name) => options[name] !== undefined);
}
