import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { say } from "../options/say.ts";
import { withCode } from "./error_codes.ts";
import { ExitStatus } from "./exit_status.ts";
import { listenForInterruption } from "./interruption.ts";
import { ownCommand } from "./own_process.ts";

/** Environment variable with the file in which the process that runs the module says that it is at work. */
const AT_WORK = "DPCHECK_AT_WORK";
/** Seconds of grace after the limit, between two looks at the file, and between two signs in it. */
const GRACE = 0.5, LOOK = 0.05, SIGN = 1;

/**
 * Tells if this process only watches another one that runs the program: `dpcheck exact` (or `audit --exact`, `audit --interactive`) of a
 * module, which may loop for ever without a pause, so that nothing in its process could end it.
 */
export function isSupervisor({ module }: { readonly module?: string | undefined }): boolean {
  const [, , command, ...words] = process.argv;
  return module !== undefined && process.env[AT_WORK] === undefined &&
    (command === "exact" ||
      (command === "audit" && words.some((word) => /^--(?:exact|interactive)$/.test(word))));
}

/** Returns a function by which this process says that it is at work, where another one watches it. The program does not see the file. */
export function signsOfWork(): () => void {
  const file = process.env[AT_WORK];
  delete process.env[AT_WORK];
  if (file === undefined) return () => {};
  let last = -Infinity;
  return () => {
    const now = performance.now();
    if (now - last < 1000 * SIGN) return;
    last = now;
    writeFileSync(file, String(now));
  };
}

/**
 * Runs the words of this process in one of its own, and ends that where `seconds` pass after its last sign of work. Returns the exit status:
 * that of `late` where it was ended, and that of a failure where a signal ended it, as where it kills itself or fills the memory.
 */
export async function supervised(
  { seconds, late }: { readonly seconds: number; readonly late: () => number },
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "dpcheck-")), file = join(folder, "at work");
  const { command, args } = ownCommand(process.argv.slice(2));
  let isLate = false, timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const child = spawn(command, args, {
      stdio: "inherit",
      env: { ...process.env, [AT_WORK]: file },
    });
    let seen: number | undefined, since = 0;
    const look = (): void => {
      const sign = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
      if (sign !== seen) since = performance.now();
      seen = sign;
      isLate = sign !== undefined && performance.now() - since > 1000 * (seconds + GRACE);
      if (isLate) child.kill("SIGKILL");
      else timer = setTimeout(look, 1000 * LOOK);
    };
    look();
    // What a terminal sends comes to both; of a signal to this process alone the other one would not know.
    const interruption = listenForInterruption(() => child.kill("SIGTERM"));
    try {
      const status = await new Promise<number | string>((resolve, reject) => {
        child.on("error", reject);
        child.on("exit", (code, signal) => resolve(code ?? signal!));
      });
      const interrupted = interruption.status();
      if (interrupted !== undefined) return interrupted;
      if (isLate) return late();
      if (typeof status === "number") return status;
      const what = `the process of the program was ended by ${status}, and nothing was shown`;
      say(withCode(what, ExitStatus.failed));
      return ExitStatus.failed;
    } finally {
      interruption.release();
    }
  } finally {
    clearTimeout(timer);
    rmSync(folder, { recursive: true, force: true });
  }
}
