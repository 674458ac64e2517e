import { Command, Option } from "commander";
import { addAuditOptions, type AuditArguments } from "./audit_arguments.ts";
import { BadInput } from "./bad_input.ts";
import { confirmedByUser, FOREIGN, sayWhatRuns, shownSubject } from "./foreign_command.ts";
import type { Done } from "./commands.ts";

/** Defines `dpcheck audit`. */
export function defineAudit(command: Command, done: Done): void {
  addAuditOptions(command)
    .option(
      "--exact",
      "decide the claim instead, on every path of the draws of --module or --mechanism, as `dpcheck exact` does",
    )
    .option("--resume <FILE>", "take up an audit that was interrupted, from its checkpoint")
    .option("--yes", "with --resume: run the program that the checkpoint names")
    // For suites: their evidence of several runs needs draws that are new in each.
    .addOption(
      new Option("--fresh-start", "refuse a subject that draws the same after every start")
        .hideHelp(),
    )
    .action(async ({ freshStart, exact, yes = false, ...options }: AuditArguments & Unlisted) => {
      if (exact === true) return done(await decideExactly(options));
      if (options.resume !== undefined) {
        return done(await resumeAudit(options, { file: options.resume, yes }));
      }
      const { runAudit } = await import("./run_audit.ts");
      done(await runAudit(options, { fresh: freshStart === true }));
    });
}

/** Options that are not part of what an audit is. */
interface Unlisted {
  readonly freshStart?: true;
  readonly exact?: true;
  readonly yes?: boolean;
}

/** Options that say what is reported, and where to. */
const REPORTS = ["junit", "html", "sarif", "markdown", "github", "quiet"] as const;

/** Options of an audit that change what is decided or where reports go, and that `exact` does not have. */
const NOT_EXACT: readonly (keyof AuditArguments)[] = [
  "exec",
  "url",
  "samples",
  "fd",
  "independent",
  "order",
  "withRows",
  "require",
  "except",
  "all",
  "queue",
  "checkpoint",
  "resume",
  ...REPORTS,
];

/** Options that `exact` has too. */
const TO_EXACT = [
  "mechanism",
  "module",
  "epsilon",
  "delta",
  "rho",
  "mu",
  "left",
  "right",
  "rows",
  "size",
  "relation",
  "json",
] as const;

/** Decides the claim as `dpcheck exact` does. Budgets, seeds and levels say how to draw, and nothing is drawn. */
async function decideExactly(options: AuditArguments): Promise<number> {
  const other = NOT_EXACT.find((name) => options[name] !== undefined);
  if (other !== undefined) {
    throw new BadInput(
      `--${kebab(other)} cannot be given with --exact: dpcheck exact has no such option`,
    );
  }
  const { runExact } = await import("./run_exact.ts");
  const given = TO_EXACT.flatMap((name) =>
    options[name] === undefined ? [] : [[name, options[name]]]
  );
  return await runExact(Object.fromEntries(given));
}

/** The name of an option as it is written. */
function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Options that may be given again when an audit is resumed: where it runs, and where its reports go. */
const GIVEN_AGAIN: readonly (keyof AuditArguments)[] = [
  "resume",
  "workers",
  "queue",
  "json",
  ...REPORTS,
];
/** Options that always have a value. */
const DEFAULTS: readonly (keyof AuditArguments)[] = ["timeout", "shrink"];

/** @throws {BadInput} when the options do not go together, or the program is not to be run. */
async function resumeAudit(
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
  const { resumeCheckpoint } = await import("./shards/checkpoint.ts");
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
    const { runAudit } = await import("./run_audit.ts");
    return await runAudit(all, { resumed });
  } finally {
    resumed.file.close();
  }
}
