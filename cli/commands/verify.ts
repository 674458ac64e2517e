import { readFileSync } from "node:fs";
import { Command } from "commander";
import type { AuditReport } from "../../lib/judge/audit/report.ts";
import { addAuditOptions, addRunOptions, type AuditArguments, type RunArguments } from "./audit.ts";
import { BadInput } from "../options/bad_input.ts";
import { withoutByteOrderMark } from "../options/byte_order_mark.ts";
import { sayWhatRuns } from "../options/foreign_command.ts";
import type { Done } from "../output/exit_status.ts";
import { reportApart } from "../output/report_apart.ts";
import { reasonOf } from "../output/reason_of.ts";

/** Defines `dpcheck verify`. */
export function defineVerify(command: Command, done: Done): void {
  command
    .argument("<EVIDENCE>", "a report that audit --json wrote");
  addRunOptions(command).action(async (file: string, options: RunArguments) => {
    const { seed, ...evidence } = readEvidence(file);
    const apart = await reportApart(command, { ...evidence, ...options });
    if (apart !== undefined) return done(apart);
    if (options.seed !== undefined && options.seed === seed) {
      throw new BadInput(`--seed ${seed} is the seed of ${file}: its draws would not be fresh`);
    }
    // The pair is known: noise need not be watched to find it.
    const all = { ...oneAtATime(evidence), ...options, recording: false };
    sayWhatRuns(file, all);
    const { runAudit } = await import("./run_audit.ts");
    done(await runAudit(all, { preface, fresh: true, confirms: true }));
  });
}

/**
 * The same audit, with its program asked for one output at a time: what it confirms needs no promise that the program computes each
 * output before it reads on. A mechanism that dpcheck ships needs none.
 */
function oneAtATime(options: AuditArguments): AuditArguments {
  if (options.mechanism !== undefined) return options;
  // One copy, and no shards: an audit ends when it has refuted the claim once more.
  const { workers: _1, fullBudget: _2, queue: _3, ...single } = options;
  return { ...single, oneAtATime: true };
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

/** The options that run the audit of the evidence again, with its pair. */
function readEvidence(file: string): AuditArguments {
  const { verdict, replayArguments: words } = readReport(file);
  if (verdict !== "refuted") {
    throw new BadInput(
      `${file} must be evidence of a refutation${
        typeof verdict === "string" ? `: its verdict is ${verdict}` : ""
      }`,
    );
  }
  if (!Array.isArray(words) || !words.every((word) => typeof word === "string")) {
    throw new BadInput(`${file} must hold replayArguments: it was not written by audit --json`);
  }
  const parser = addAuditOptions(new Command("audit"))
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} });
  try {
    parser.parse(words, { from: "user" });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new BadInput(`${file} must hold replayArguments that audit takes: ${message}`);
  }
  // Words of a replay name no report files; other words would let the evidence choose what is written.
  const {
    json: _1,
    junit: _2,
    html: _3,
    sarif: _4,
    markdown: _5,
    github: _6,
    quiet: _7,
    ...options
  } = parser.opts<AuditArguments>();
  if (options.samples !== undefined) {
    throw new BadInput(
      `${file} is evidence in recorded outputs, which cannot confirm themselves: record new ones and audit those`,
    );
  }
  return options;
}

function readReport(file: string): { verdict?: unknown; replayArguments?: unknown } {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new BadInput(`${file} cannot be read: ${reasonOf(error)}`);
  }
  let report: unknown;
  try {
    report = JSON.parse(withoutByteOrderMark(text));
  } catch {
    throw new BadInput(`${file} must be JSON, as audit --json writes it`);
  }
  if (typeof report !== "object" || report === null || Array.isArray(report)) {
    throw new BadInput(`${file} must hold the report of an audit`);
  }
  return report;
}
