import { Command, Option } from "commander";
import { addAuditOptions, type AuditArguments } from "./audit_arguments.ts";
import { BadInput } from "./bad_input.ts";
import { runAudit } from "./run_audit.ts";
import { readCheckpoint } from "./shards/checkpoint.ts";
import type { Done } from "./register.ts";

/** Registers `dpcheck audit`. */
export function registerAudit(program: Command, done: Done): void {
  const command = program.command("audit")
    .description("test whether a program keeps its differential-privacy claim");
  addAuditOptions(command)
    .option("--resume <FILE>", "take up an audit that was interrupted, from its checkpoint")
    // For suites: their evidence of several runs needs draws that are new in each.
    .addOption(
      new Option("--fresh-start", "refuse a subject that draws the same after every start")
        .hideHelp(),
    )
    .action(async ({ freshStart, ...options }: AuditArguments & { readonly freshStart?: true }) =>
      done(
        options.resume === undefined
          ? await runAudit(options, { fresh: freshStart === true })
          : await resumeAudit(options, options.resume),
      )
    );
}

/** Options that may be given again when an audit is taken up: where it runs, and where its reports go. */
const GIVEN_AGAIN: readonly (keyof AuditArguments)[] = [
  "resume",
  "workers",
  "queue",
  "json",
  "junit",
  "html",
  "sarif",
  "markdown",
  "github",
  "quiet",
];
/** Options that always have a value. */
const DEFAULTS: readonly (keyof AuditArguments)[] = ["timeout", "shrink"];

async function resumeAudit(options: AuditArguments, file: string): Promise<number> {
  const given = Object.keys(options) as (keyof AuditArguments)[];
  const other = given.find((name) => !GIVEN_AGAIN.includes(name) && !DEFAULTS.includes(name));
  if (other !== undefined) {
    const option = other.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new BadInput(`--${option} cannot be given with --resume ${file}: the checkpoint has it`);
  }
  const resumed = readCheckpoint(file);
  const parser = addAuditOptions(new Command("audit")).exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} });
  try {
    parser.parse(resumed.words, { from: "user" });
  } catch {
    throw new BadInput(`--resume ${file} must hold words that audit takes`);
  }
  const again = Object.fromEntries(
    given.filter((name) => GIVEN_AGAIN.includes(name)).map((name) => [name, options[name]]),
  );
  return await runAudit({ ...parser.opts<AuditArguments>(), ...again }, { resumed });
}
