import type { Command } from "commander";
import { addAuditOptions, type AuditArguments } from "./audit_arguments.ts";
import { runAudit } from "./run_audit.ts";
import type { Done } from "./register.ts";

/** Registers `dpcheck audit`. */
export function registerAudit(program: Command, done: Done): void {
  const command = program.command("audit")
    .description("test whether a program keeps its differential-privacy claim");
  addAuditOptions(command).action(async (options: AuditArguments) => done(await runAudit(options)));
}
