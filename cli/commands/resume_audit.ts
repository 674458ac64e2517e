import { Command } from "commander";
import { addAuditOptions, kebab, REPORTS } from "../options/audit_options.ts";
import type { AuditArguments } from "../options/audit_arguments.ts";
import { BadInput } from "../options/bad_input.ts";
import { confirmedByUser, FOREIGN, sayWhatRuns, shownSubject } from "../options/foreign_command.ts";
import { runAudit } from "./run_audit.ts";
import { resumeCheckpoint } from "../shards/checkpoint.ts";

/** Options that may be given again when an audit is resumed: where it runs, and where its reports go. */
const GIVEN_AGAIN: readonly (keyof AuditArguments)[] = [
  "resume",
  "workers",
  "queue",
  "json",
  ...REPORTS,
];
/** Options that always have a value. */
const DEFAULTS: readonly (keyof AuditArguments)[] = ["timeout", "shrink", "recording"];

/**
 * Takes up an audit from its checkpoint, with the options that it had.
 *
 * @throws {BadInput} when the options do not go together, or the program is not to be run.
 */
export async function resumeAudit(
  options: AuditArguments,
  { file, yes }: { readonly file: string; readonly yes: boolean },
): Promise<number> {
  const given = Object.keys(options) as (keyof AuditArguments)[];
  const known = [...GIVEN_AGAIN, ...FOREIGN, ...DEFAULTS];
  const other = given.find((name) => !known.includes(name));
  if (other !== undefined) {
    throw new BadInput(
      `--${kebab(other)} cannot be given with --resume ${file}: the checkpoint has it`,
    );
  }
  const resumed = resumeCheckpoint(file);
  try {
    const parser = addAuditOptions(new Command("audit")).exitOverride()
      .configureOutput({ writeErr: () => {}, writeOut: () => {} });
    try {
      parser.parse(resumed.words, { from: "user" });
    } catch {
      throw new BadInput(`--resume ${file} must hold words that audit takes`);
    }
    const kept = parser.opts<AuditArguments>();
    if (!FOREIGN.every((name) => kept[name] === options[name])) {
      const beside = shownSubject(options);
      const other = beside === undefined ? "" : `, and not ${beside}`;
      const runs = shownSubject(kept) ?? `--mechanism ${kept.mechanism}`;
      await confirmedByUser(`--resume ${file} runs ${runs}${other}`, { yes });
    }
    const again = GIVEN_AGAIN.filter((name) => given.includes(name));
    const all = { ...kept, ...Object.fromEntries(again.map((name) => [name, options[name]])) };
    sayWhatRuns(file, all);
    return await runAudit(all, { resumed });
  } finally {
    resumed.file.close();
  }
}
