import { runMain } from "../cli/run_main.ts";

/** What a run of the command line left. */
export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const decoder = new TextDecoder();

const ROOT = new URL("../../", import.meta.url).pathname;

/** The words after `deno` that start `cli/main.ts` with its permissions, from any folder. */
export function denoWords(
  words: readonly string[],
  furtherPermissions: readonly string[] = [],
): string[] {
  const permissions = ["read", "write", "env", "run", "sys"].map((name) => `--allow-${name}`);
  return [
    ...["run", "--quiet", "--no-prompt", "--no-check", ...permissions, ...furtherPermissions],
    ...["--config", `${ROOT}deno.json`, `${ROOT}cli/main.ts`, ...words],
  ];
}

/** The command that starts `cli/main.ts`, from the folder of the project unless another is given. */
export function cliCommand(
  words: readonly string[],
  env: Record<string, string> = {},
  furtherPermissions: readonly string[] = [],
  cwd: string = ROOT,
): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: denoWords(words, furtherPermissions),
    cwd,
    env,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

/** Runs `dpcheck` with these words, as a process of its own. */
export async function runCli(
  words: readonly string[],
  { env = {} }: { readonly env?: Record<string, string> } = {},
): Promise<CliRun> {
  const { code, stdout, stderr } = await cliCommand(words, env).output();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Runs `dpcheck` with these words in this process, which saves what a start takes. */
export async function runHere(words: readonly string[]): Promise<CliRun> {
  const { code, out, err } = await runMain(words);
  return { code, stdout: out, stderr: err };
}

/** Runs `body` with a folder of its own. */
export async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
