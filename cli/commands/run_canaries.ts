import process from "node:process";
import { auditCanaries, type OneRunReport } from "../../lib/judge/audit/one_run/audit_canaries.ts";
import { asserted } from "../../lib/core/relations/relation.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { oneRunJson, oneRunText } from "../../lib/judge/report/one_run.ts";
import { BadInput } from "../options/bad_input.ts";
import type { CanariesArguments } from "../options/canaries_arguments.ts";
import { claimOf } from "../options/claim_of.ts";
import { ExitStatus } from "../output/exit_status.ts";
import { checkOutputFiles } from "../output/output_files.ts";
import { readCanaries } from "../options/read_canaries.ts";
import { wrapLines } from "../options/wrap_lines.ts";
import { writeOutput } from "../output/write_output.ts";

/** Reads the canaries, prints and writes the report. Returns the exit status. @throws {BadInput} on bad files or options. */
export async function runCanaries(file: string, options: CanariesArguments): Promise<number> {
  const { json, delta, alpha, requirePower, seed = 0, ...claims } = options;
  if (json !== undefined) checkOutputFiles({ json });
  const isBoundAlone = Object.values(claims).every((value) => value === undefined);
  const claim = isBoundAlone
    ? undefined
    : claimOf({ ...claims, ...(delta === undefined ? {} : { delta }) }, asserted);
  const start = performance.now();
  const canaries = await readCanaries(file);
  const report = audited(file, () =>
    auditCanaries(canaries, {
      ...(claim === undefined ? {} : { claim }),
      ...(isBoundAlone && delta !== undefined ? { delta } : {}),
      ...(alpha === undefined ? {} : { alpha }),
      ...(requirePower === undefined ? {} : { requirePower }),
      source: new SeededSource(seed).split("equal scores"),
    }));
  const seconds = (performance.now() - start) / 1000;
  if (json !== "-") console.log(wrapLines(oneRunText(report), process.stdout.columns));
  if (json !== undefined) {
    writeOutput(
      "--json",
      json,
      oneRunJson(report, { seconds, seed, replay: replayOf(file, options) }),
    );
  }
  return statusOf(report.verdict);
}

/** The report, or what is wrong with the canaries as an error of the file. */
function audited(file: string, make: () => OneRunReport): OneRunReport {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) throw new BadInput(`${file}: ${error.message}`);
    throw error;
  }
}

function replayOf(file: string, { json: _, ...options }: CanariesArguments): string {
  const words = Object.entries(options).map(([name, value]) =>
    `--${name === "requirePower" ? "require-power" : name} ${value}`
  );
  const quoted = /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
  return ["dpcheck canaries", quoted, ...words].join(" ");
}

function statusOf(verdict: OneRunReport["verdict"]): number {
  switch (verdict) {
    case "bound":
    case "not-refuted":
      return ExitStatus.notRefuted;
    case "refuted":
      return ExitStatus.refuted;
    case "inconclusive":
      return ExitStatus.inconclusive;
  }
}
