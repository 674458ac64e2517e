import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { asserted } from "../../lib/core/relations/relation.ts";
import { undecidedHtml, undecidedJson, undecidedText } from "../../lib/judge/report/undecided.ts";
import { claimOf } from "../options/claim_of.ts";
import type { ExactArguments } from "../options/command_options.ts";
import { ExitStatus } from "../output/exit_status.ts";
import { madeHere, usesStandardOutput } from "../output/output_files.ts";
import { ownCommand } from "../output/own_process.ts";
import { wrapLines } from "../options/wrap_lines.ts";
import { writeOutput } from "../output/write_output.ts";

/** Environment variable with the file that the deciding process creates when it begins. */
const BEGUN = "DPCHECK_EXACT_BEGUN";
/** Seconds of grace after the limit, and between two checks for the beginning. */
const GRACE = 0.5, LOOK = 0.05;
/** Seconds of an enumeration that is given no limit. */
const DEFAULT_SECONDS = 300;

/**
 * Tells if this process only watches another one that runs the program: `dpcheck exact` (or `audit --exact`) of a module,
 * which may loop for ever without a pause, so that nothing in its process could end it.
 */
export function isSupervisor({ module }: ExactArguments): boolean {
  const [, , command, ...words] = process.argv;
  return module !== undefined && process.env[BEGUN] === undefined &&
    (command === "exact" || (command === "audit" && words.includes("--exact")));
}

/** Says that this process has begun to decide, where another one watches it. The program does not see that. */
export function sayBegun(): void {
  const file = process.env[BEGUN];
  if (file === undefined) return;
  delete process.env[BEGUN];
  writeFileSync(file, "");
}

/** Runs the words of this process in one of its own, and ends that when its seconds are over. Returns the exit status. */
export async function supervised(options: ExactArguments): Promise<number> {
  const { maxSeconds = DEFAULT_SECONDS } = options;
  const folder = mkdtempSync(join(tmpdir(), "dpcheck-")), begun = join(folder, "begun");
  const { command, args } = ownCommand(process.argv.slice(2));
  let isLate = false, timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const child = spawn(command, args, {
      stdio: "inherit",
      env: { ...process.env, [BEGUN]: begun },
    });
    const end = (): void => {
      isLate = true;
      child.kill("SIGKILL");
    };
    const look = (): void => {
      timer = existsSync(begun)
        ? setTimeout(end, Math.min(2 ** 31 - 1, 1000 * (maxSeconds + GRACE)))
        : setTimeout(look, 1000 * LOOK);
    };
    look();
    const status = await new Promise<number>((resolve, reject) => {
      child.on("error", reject);
      child.on(
        "exit",
        (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      );
    });
    return isLate ? undecided(options, maxSeconds) : status;
  } finally {
    clearTimeout(timer);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Says that nothing was decided, for the program did not return in time. */
function undecided(options: ExactArguments, seconds: number): number {
  const { module, json, html, relation = asserted } = options;
  const report = { subject: module!, seconds, claim: claimOf(options, relation) };
  if (json !== undefined) writeOutput("--json", json, undecidedJson(report));
  if (html !== undefined) writeOutput("--html", html, undecidedHtml(report, madeHere()));
  const stream = usesStandardOutput({ json, html }) ? process.stderr : process.stdout;
  const color = stream.isTTY && !process.env.NO_COLOR;
  stream.write(wrapLines(undecidedText(report, { color }), stream.columns));
  return ExitStatus.inconclusive;
}
