import type { Command } from "commander";
import type { AuditReport } from "../../lib/judge/audit/report.ts";
import { BadInput } from "../options/bad_input.ts";
import {
  addOptions,
  type AuditArguments,
  VERIFY,
  type VerifyArguments,
} from "../options/command_options.ts";
import { sayWhatRuns } from "../options/foreign_command.ts";
import type { Done } from "../output/exit_status.ts";
import { reportApart } from "../output/report_apart.ts";
import { readEvidence } from "../options/read_evidence.ts";

/** Defines `dpcheck verify`. */
export function defineVerify(command: Command, done: Done): void {
  command
    .argument("<EVIDENCE>", "a report that audit --json wrote");
  addOptions(command, VERIFY, "verify")
    .action(async (file: string, options: VerifyArguments) => {
      const { options: { seed, ...evidence }, claim } = readEvidence(file);
      const apart = await reportApart(command, { ...evidence, ...options });
      if (apart !== undefined) return done(apart);
      if (options.seed !== undefined && options.seed === seed) {
        throw new BadInput(`--seed ${seed} is the seed of ${file}: its draws would not be fresh`);
      }
      // The pair is known: noise need not be watched to find it.
      const all = { ...oneAtATime(evidence), ...options, recording: false };
      sayWhatRuns(file, all);
      const { runAudit } = await import("../audit/run_audit.ts");
      done(await runAudit(all, { preface, fresh: true, confirms: { claim, file } }));
    });
}

/**
 * The same audit, with its program asked for one output at a time: what it confirms needs no promise that the program computes each
 * output before it reads on. A mechanism that dpcheck ships needs none.
 */
function oneAtATime(options: AuditArguments): AuditArguments {
  return options.mechanism === undefined ? { ...options, oneAtATime: true } : options;
}

function preface({ verdict }: AuditReport): string {
  switch (verdict) {
    case "refuted":
      return "Confirmed on fresh draws.\n\n";
    case "not-refuted":
      return "Not confirmed: these draws do not refute the claim.\n\n";
    case "inconclusive":
      return "Not confirmed: these draws are too few to tell.\n\n";
    case "failed":
      return "";
  }
}
