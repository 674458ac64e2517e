import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Command } from "commander";
import { ExitStatus } from "./exit_status.ts";
import { listenForInterruption } from "./interruption.ts";
import type { OutputFiles } from "../options/command_options.ts";
import { namesWith, OPTIONS } from "../options/option_table.ts";
import { ownCommand } from "./own_process.ts";
import { say } from "../options/say.ts";
import { STANDARD_OUTPUT, writeOutput } from "./write_output.ts";

/** The descriptor of standard error. */
const STANDARD_ERROR = 2;
/** Options that name a file for a report. */
const REPORT_FILES = namesWith("report").filter((name) => OPTIONS[name].report === "file");

/** Subjects whose code does not run in this process. */
type Elsewhere = Partial<Record<"exec" | "mechanism" | "samples" | "url", unknown>>;

/**
 * Runs a command in a process of its own where a report goes to standard output and code of a module runs: what the module prints
 * goes to standard error then, in whatever way it prints. The report comes in a file, and this process prints it.
 *
 * @returns the exit status; `undefined` where the command can run in this process.
 */
export async function reportApart(
  command: Command,
  options: OutputFiles & Elsewhere,
): Promise<number | undefined> {
  const [report, ...others] = REPORT_FILES.filter((name) => options[name] === STANDARD_OUTPUT);
  const { exec, mechanism, samples, url } = options;
  const isElsewhere = [exec, mechanism, samples, url].some((each) => each !== undefined);
  // Two reports on standard output are refused by the command itself.
  if (report === undefined || others.length > 0 || isElsewhere) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "dpcheck-"));
  try {
    const file = join(folder, "report");
    // Of an option that is given twice, the last one counts.
    const { status, isKilled } = await runApart([...command.parent!.args, `--${report}=${file}`]);
    // After a kill the file may have been written by the module.
    const text = isKilled ? undefined : readIfThere(file);
    if (text !== undefined) writeOutput(`--${report}`, STANDARD_OUTPUT, text);
    return status;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The exit status: where a signal ended it, that of the signal to this process, which a process that is still loading does not hear. */
async function runApart(
  words: readonly string[],
): Promise<{ readonly status: number; readonly isKilled: boolean }> {
  const { command, args } = ownCommand(words);
  // A terminal is passed on, for colours and the progress line.
  const errors = process.stderr.isTTY ? STANDARD_ERROR : "pipe";
  const interruption = listenForInterruption((status) =>
    void child.kill(status === 130 ? "SIGINT" : "SIGTERM")
  );
  // Detached: Ctrl-C reaches it once, from here; a second signal would end it without a report.
  const child = spawn(command, args, {
    stdio: ["inherit", errors, errors],
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => void process.stderr.write(text));
  }
  const end = (): void => void child.kill("SIGKILL");
  process.on("exit", end);
  try {
    const status = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (status, name) => {
        if (status === null && interruption.status() === undefined) {
          say(`the process that ran the module was ended by ${name}`);
        }
        resolve(status);
      });
    });
    return {
      status: status ?? interruption.status() ?? ExitStatus.failed,
      isKilled: status === null,
    };
  } finally {
    interruption.release();
    process.off("exit", end);
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
