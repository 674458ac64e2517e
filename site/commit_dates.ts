/** The day of the last commit of each page of the repository, by its path; none without git, or where history is cut off. */
export async function commitDates(): Promise<ReadonlyMap<string, string>> {
  const isCut = await git(["rev-parse", "--is-shallow-repository"]);
  const log = isCut?.trim() === "false"
    ? await git(["log", "--format=%x00%cs", "--name-only", "--", ":/*.md"])
    : undefined;
  const commits = (log ?? "").split("\0").map((text) => text.trim().split("\n"));
  // The newest come first, and what a map is given last stays.
  return new Map(
    commits.toReversed().flatMap(([date, ...paths]) =>
      paths.map((path): [string, string] => [path, date!])
    ),
  );
}

/** Output of git in this repository; `undefined` where it is not installed or knows none. */
async function git(args: string[]): Promise<string | undefined> {
  const command = new Deno.Command("git", { args, cwd: import.meta.dirname!, stderr: "null" });
  try {
    const { success, stdout } = await command.output();
    return success ? new TextDecoder().decode(stdout) : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
