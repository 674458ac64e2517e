import { Command } from "commander";
import { addOptions, AUDIT, type AuditArguments } from "../options/command_options.ts";
import { flagOf, namesWith, type OptionName } from "../options/option_table.ts";
import { BadInput } from "../options/bad_input.ts";
import { confirmedByUser, FOREIGN, sayWhatRuns, shownSubject } from "../options/foreign_command.ts";
import { runAudit } from "./run_audit.ts";
import { resumeCheckpoint } from "../shards/checkpoint.ts";

/** Options that may be given again when an audit is resumed: where it runs, and where its reports go. */
const GIVEN_AGAIN = namesWith("onResume");

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
  const known = new Set<OptionName>([...GIVEN_AGAIN, ...FOREIGN, ...namesWith("default")]);
  const other = given.find((name) => !known.has(name));
  if (other !== undefined) {
    throw new BadInput(
      `${flagOf(other)} cannot be given with --resume ${file}: the checkpoint has it`,
    );
  }
  const resumed = resumeCheckpoint(file);
  try {
    const parser = addOptions(new Command("audit"), AUDIT, "audit").exitOverride()
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
