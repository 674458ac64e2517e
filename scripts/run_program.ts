/** A program of this repository that a task runs by its name. */
export interface Program {
  /** Its file, from the root of the repository. */
  readonly file: string;
  /** A line on the output or the files of the program. */
  readonly about: string;
  /** Permissions beyond `--allow-read --allow-env`. */
  readonly permissions?: readonly string[];
}

/**
 * Runs the program that the first argument names, with the other arguments and its own permissions, and ends with its exit status.
 * Without a name it lists the programs; with one that is not there the exit status is 2.
 */
export async function runProgram(
  task: string,
  programs: Readonly<Record<string, Program>>,
): Promise<never> {
  const [name, ...args] = Deno.args;
  if (name === undefined || !Object.hasOwn(programs, name)) {
    const width = Math.max(...Object.keys(programs).map((each) => each.length));
    const lines = Object.entries(programs)
      .map(([each, { about }]) => `  ${each.padEnd(width)}  ${about}`);
    console.error([`Usage: deno task ${task} NAME [ARGUMENTS]`, "", ...lines].join("\n"));
    Deno.exit(name === undefined ? 0 : 2);
  }
  const { file, permissions = [] } = programs[name]!;
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-read", "--allow-env", ...permissions, file, ...args],
  }).spawn().status;
  Deno.exit(code);
}
