import { type Command, Option } from "commander";
import { BadInput } from "../options/bad_input.ts";
import type { AuditArguments } from "../options/audit_arguments.ts";
import { addAuditOptions, kebab, REPORTS } from "../options/audit_options.ts";
import type { Done } from "../output/exit_status.ts";
import { reportApart } from "../output/report_apart.ts";

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
      const apart = await reportApart(command, options);
      if (apart !== undefined) return done(apart);
      if (exact === true) return done(await decideExactly(options));
      if (options.resume !== undefined) {
        const { resumeAudit } = await import("./resume_audit.ts");
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
