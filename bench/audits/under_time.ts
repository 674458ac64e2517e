/** Output of a program, and its cost. */
export interface Taken {
  readonly stdout: string;
  readonly seconds: number;
  /** Seconds of the processor. */
  readonly cpu: number;
  /** The largest memory of it or of a program that it started. */
  readonly mebibytes: number;
}

/**
 * Runs `deno` with these arguments under GNU time.
 *
 * @throws {Error} with the first line of its standard error, unless it ends with status 0.
 */
export async function underTime(args: readonly string[]): Promise<Taken> {
  const { success, stdout, stderr } = await new Deno.Command("/usr/bin/time", {
    args: ["--format", "%e %U %S %M", Deno.execPath(), ...args],
  }).output();
  const decoder = new TextDecoder(), lines = decoder.decode(stderr).trim().split("\n");
  if (!success) throw new Error(`deno ${args.join(" ")} failed: ${lines[0]}`);
  const [seconds, user, system, kibibytes] = lines.at(-1)!.split(" ").map(Number);
  return {
    stdout: decoder.decode(stdout),
    seconds: seconds!,
    cpu: user! + system!,
    mebibytes: kibibytes! / 1024,
  };
}
