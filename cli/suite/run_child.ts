import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

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
  readonly unconfirmed?: { readonly eValue: number };
  readonly interrupted?: boolean;
  readonly failure?: string;
  readonly reason?: string;
}

/** What a process of the own command line left. */
export interface ChildResult {
  readonly status: number;
  readonly report?: ChildReport;
  readonly message: string;
}

/** The variable by which a child is told of the queue: the URL may hold a password. */
const QUEUE = "DPCHECK_QUEUE";

/** Runs `dpcheck audit` in a process, whose report comes as JSON. */
export function runChild(
  words: readonly string[],
  { folder, signal, queue }: {
    readonly folder: string;
    readonly signal: AbortSignal;
    /** The URL of the queue that draws its shards. */
    readonly queue?: string | undefined;
  },
): Promise<ChildResult> {
  const here = fileURLToPath(import.meta.url);
  const isDeno = "Deno" in globalThis;
  // The npm package has all its modules in one folder, and its command in another.
  const main = join(dirname(here), here.endsWith(".js") ? "../bin/dpcheck.js" : "../main.ts");
  const permissions = ["read", "write", "env", "run", "sys"].map((name) => `--allow-${name}`);
  const url = words.find((word) => word.startsWith("--url="))?.slice("--url=".length);
  if (url !== undefined && URL.canParse(url)) permissions.push(`--allow-net=${new URL(url).host}`);
  if (queue !== undefined) permissions.push("--allow-net");
  const through = queue === undefined ? [] : [`--queue=env:${QUEUE}`];
  const runtime = isDeno ? ["run", "--quiet", ...permissions] : [];
  return new Promise((done) => {
    const child = spawn(
      process.execPath,
      [...runtime, main, "audit", ...words, ...through, "--json=-", "--quiet"],
      // Detached: Ctrl-C reaches a child once, by its suite; a second signal would end it without a report.
      {
        cwd: folder,
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
        ...(queue === undefined ? {} : { env: { ...process.env, [QUEUE]: queue } }),
      },
    );
    const stop = (): void => void child.kill("SIGTERM");
    signal.addEventListener("abort", stop, { once: true });
    let out = "", err = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => out += text);
    child.stderr.setEncoding("utf8").on("data", (text: string) => err += text);
    const end = (status: number, message: string): void => {
      signal.removeEventListener("abort", stop);
      const report = parsed(out);
      done({
        status,
        message: message.trim().replace(/^dpcheck: /, ""),
        ...(report === undefined ? {} : { report }),
      });
    };
    child.on("error", (error) => end(3, error.message));
    child.on("close", (status) => end(status ?? 3, err));
  });
}

function parsed(text: string): ChildReport | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
