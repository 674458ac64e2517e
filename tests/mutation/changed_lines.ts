/** The lines of a file, from 1. */
export type Lines = ReadonlySet<number>;

/**
 * Reads what `git diff --unified=0` prints.
 *
 * @return for each file that has new or changed lines, their numbers as they are now
 */
export function linesOfDiff(diff: string): Map<string, Lines> {
  const files = new Map<string, Set<number>>();
  let lines = new Set<number>();
  for (const line of diff.split("\n")) {
    const file = /^\+\+\+ b\/(.*)$/.exec(line)?.[1];
    if (file !== undefined) files.set(file, lines = new Set());
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk === null) continue;
    const [first, count] = [Number(hunk[1]), Number(hunk[2] ?? 1)];
    for (let k = 0; k < count; k++) lines.add(first + k);
  }
  return new Map([...files].filter(([, { size }]) => size > 0));
}

/** The lines that differ from a commit. */
export async function changedLines(root: string, ref: string): Promise<Map<string, Lines>> {
  const { success, stdout, stderr } = await new Deno.Command("git", {
    args: ["-C", root, "diff", "--unified=0", "--no-color", "--no-ext-diff", ref, "--", "lib"],
  }).output();
  if (!success) throw new Error(`git diff ${ref}: ${new TextDecoder().decode(stderr)}`);
  return linesOfDiff(new TextDecoder().decode(stdout));
}
