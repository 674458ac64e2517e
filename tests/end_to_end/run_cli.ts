import { runMain } from "../cli/run_main.ts";

/** What a run of the command line left. */
export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const decoder = new TextDecoder();

const ROOT = new URL("../../", import.meta.url).pathname;

/** The words that start another build of the command line, which the tests of the npm package give: the cases here are theirs too. */
export const OTHER_BUILD: readonly string[] | undefined = (() => {
  const words = Deno.env.get("DPCHECK_COMMAND");
  return words === undefined ? undefined : JSON.parse(words);
})();

const PERMISSIONS: readonly string[] = ["read", "write", "env", "run", "sys"];

/** The words after `deno` that start `cli/main.ts` with its permissions, from any folder. */
export function denoWords(
  words: readonly string[],
  furtherPermissions: readonly string[] = [],
): string[] {
  // Deno refuses all permissions beside single ones.
  const single = furtherPermissions.includes("--allow-all") ? [] : PERMISSIONS;
  const permissions = single.map((name) => `--allow-${name}`);
  return [
    ...["run", "--quiet", "--no-prompt", "--no-check", ...permissions, ...furtherPermissions],
    ...["--config", `${ROOT}deno.json`, `${ROOT}cli/main.ts`, ...words],
  ];
}

/** The program and the words that start the command line that is tested. */
export function commandWords(
  words: readonly string[],
  furtherPermissions: readonly string[] = [],
): [program: string, ...words: string[]] {
  if (OTHER_BUILD === undefined) return [Deno.execPath(), ...denoWords(words, furtherPermissions)];
  return [...OTHER_BUILD, ...words] as [string, ...string[]];
}

/** The command that starts the command line, from the folder of the project unless another is given. */
export function cliCommand(
  words: readonly string[],
  env: Record<string, string> = {},
  furtherPermissions: readonly string[] = [],
  cwd: string = ROOT,
): Deno.Command {
  const [program, ...args] = commandWords(words, furtherPermissions);
  return new Deno.Command(program, {
    args,
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

/** Runs `dpcheck` with these words in this process, which saves what a start takes; another build as a process of its own. */
export async function runHere(words: readonly string[]): Promise<CliRun> {
  if (OTHER_BUILD !== undefined) return await runCli(words);
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
