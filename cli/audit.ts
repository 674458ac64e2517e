import { type Command, Option } from "commander";
import { addAuditOptions, type AuditArguments } from "./audit_arguments.ts";
import { runAudit } from "./run_audit.ts";
import type { Done } from "./register.ts";

/** Registers `dpcheck audit`. */
export function registerAudit(program: Command, done: Done): void {
  const command = program.command("audit")
    .description("test whether a program keeps its differential-privacy claim");
  addAuditOptions(command)
    // For suites: their evidence of several runs needs draws that are new in each.
    .addOption(
      new Option("--fresh-start", "refuse a subject that draws the same after every start")
        .hideHelp(),
    )
    .action(async ({ freshStart, ...options }: AuditArguments & { readonly freshStart?: true }) =>
      done(await runAudit(options, { fresh: freshStart === true }))
    );
}
