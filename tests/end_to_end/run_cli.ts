/** What a run of the command line left. */
export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const decoder = new TextDecoder();

/** The command that starts `cli/main.ts` with its least permissions. */
export function cliCommand(
  words: readonly string[],
  env: Record<string, string> = {},
  furtherPermissions: readonly string[] = [],
): Deno.Command {
  const root = new URL("../../", import.meta.url);
  const permissions = ["--allow-read", "--allow-write", "--allow-env", "--allow-run"];
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--no-check",
      ...permissions,
      ...furtherPermissions,
      "cli/main.ts",
      ...words,
    ],
    cwd: root,
    env,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

/** Runs `dpcheck` with these words, as a process of its own. */
export async function runCli(words: readonly string[]): Promise<CliRun> {
  const { code, stdout, stderr } = await cliCommand(words).output();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
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
