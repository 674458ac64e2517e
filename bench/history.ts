/**
 * The history of the benchmarks: `bench/history.jsonl`, one line a run, written by runs with `--record`. A line has the date,
 * the commit, the machine and the rows that were printed.
 *
 * @module
 */

/** Appends the rows of a run if the script was started with `--record`. */
export async function record(
  bench: string,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  if (!Deno.args.includes("--record")) return;
  const line = {
    date: new Date().toISOString().slice(0, 10),
    commit: await commit(),
    machine: {
      os: Deno.build.os,
      arch: Deno.build.arch,
      cores: navigator.hardwareConcurrency,
      deno: Deno.version.deno,
    },
    bench,
    arguments: Deno.args.filter((argument) => argument !== "--record"),
    rows,
  };
  await Deno.writeTextFile(
    new URL("history.jsonl", import.meta.url),
    `${JSON.stringify(line)}\n`,
    { append: true },
  );
}

/** The short name of the commit that was checked out; "+" follows where files differ from it. */
async function commit(): Promise<string> {
  const git = async (...args: string[]): Promise<string> => {
    const { stdout } = await new Deno.Command("git", { args }).output();
    return new TextDecoder().decode(stdout).trim();
  };
  const changed = await git("status", "--porcelain", "--untracked-files=no");
  return await git("rev-parse", "--short", "HEAD") + (changed === "" ? "" : "+");
}
