import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CutPart } from "../../lib/judge/audit/kernel/drawing/time_limit.ts";
import process from "node:process";
import type { Readable } from "node:stream";
import { ExitStatus, statusOf } from "../output/exit_status.ts";
import { ownCommand } from "../output/own_process.ts";

/** The part of an audit's evidence that suites read. */
export interface ChildReport {
  readonly verdict: "refuted" | "not-refuted" | "inconclusive" | "failed";
  readonly epsilonLowerBound: number;
  readonly confidence: number;
  readonly eValue: number;
  readonly draws: number;
  readonly seconds: number;
  readonly replay: string;
  readonly claim: Record<string, unknown>;
  readonly pair?: { readonly left: unknown; readonly right: unknown } | null | undefined;
  readonly event?: { readonly description: string } | null | undefined;
  readonly interrupted?: boolean;
  readonly cut?: readonly CutPart[];
  readonly failure?: string;
  readonly reason?: string;
}

/** The result of a process that ran `dpcheck audit`. */
export interface ChildResult {
  readonly status: number;
  readonly report?: ChildReport;
  readonly message: string;
  /** The end of what it printed to standard output: no report goes there. */
  readonly printed?: string;
}

/** Environment variable with the URL of the queue for a child: it may hold a password, which arguments would show. */
const QUEUE = "DPCHECK_QUEUE";

/** Characters kept of the end of what is printed. */
const TAIL = 2048;

/**
 * Runs `dpcheck audit` in a process. The report comes in a file of its own: a module may print what it likes, to standard output too.
 * A report whose verdict does not fit the exit status was not written by an audit that ended, and is dropped.
 */
export async function runChild(
  words: readonly string[],
  { folder, signal, queue }: {
    readonly folder: string;
    readonly signal: AbortSignal;
    /** The URL of the queue that draws its shards. */
    readonly queue?: string | undefined;
  },
): Promise<ChildResult> {
  const url = words.find((word) => word.startsWith("--url="))?.slice("--url=".length);
  const permissions = queue !== undefined
    ? ["--allow-net"]
    : url !== undefined && URL.canParse(url)
    ? [`--allow-net=${new URL(url).host}`]
    : [];
  const through = queue === undefined ? [] : [`--queue=env:${QUEUE}`];
  const place = mkdtempSync(join(tmpdir(), "dpcheck-"));
  const file = join(place, "report.json");
  const { command, args } = ownCommand(
    ["audit", ...words, ...through, `--json=${file}`, "--quiet"],
    permissions,
  );
  try {
    const { status, out, err } = await ended(
      spawn(
        command,
        args,
        // Detached: Ctrl-C reaches a child once, by its suite; a second signal would end it without a report.
        {
          cwd: folder,
          stdio: ["ignore", "pipe", "pipe"],
          detached: true,
          ...(queue === undefined ? {} : { env: { ...process.env, [QUEUE]: queue } }),
        },
      ),
      signal,
    );
    const report = reportIn(file, status), printed = out.trim();
    return {
      status,
      message: reasonIn(err) ??
        (report === undefined ? `it ended with status ${status} and left no report` : ""),
      ...(report === undefined ? {} : { report }),
      ...(printed === "" ? {} : { printed }),
    };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Its standard error from the first line of dpcheck on; `undefined` if it is empty. */
function reasonIn(errors: string): string | undefined {
  const own = errors.search(/^dpcheck: /m);
  return errors.slice(Math.max(0, own)).trim().replace(/^dpcheck: /, "") || undefined;
}

/** Waits until a process has ended. Gives its status and the ends of its outputs. */
function ended(
  child: ChildProcessByStdio<null, Readable, Readable>,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly out: string; readonly err: string }> {
  const stop = (): void => void child.kill("SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  let out = "", err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => out = (out + text).slice(-TAIL));
  child.stderr.setEncoding("utf8").on("data", (text: string) => err = (err + text).slice(-TAIL));
  return new Promise((done) => {
    const end = (status: number, err: string): void => {
      signal.removeEventListener("abort", stop);
      done({ status, out, err });
    };
    child.on("error", (error) => end(ExitStatus.failed, error.message));
    child.on("close", (status, name) => {
      if (status === null) end(ExitStatus.failed, `${err}\ndpcheck: it was ended by ${name}`);
      else end(status, err);
    });
  });
}

/** Tells if an audit that ended with this status can have written this report. */
function isOf({ verdict, interrupted = false }: ChildReport, status: number): boolean {
  // Another report file may have failed (status 2), and a signal has its own status.
  return status === statusOf(verdict) || status === ExitStatus.badInput ||
    interrupted && status > 128;
}

function reportIn(file: string, status: number): ChildReport | undefined {
  try {
    const report: ChildReport = JSON.parse(readFileSync(file, "utf8"));
    return isOf(report, status) ? report : undefined;
  } catch {
    return undefined;
  }
}
