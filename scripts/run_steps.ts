/** Runs a command in a folder, and returns what it printed. @throws {Error} when it fails, with what it said. */
export async function run(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args: [...args], cwd })
    .output();
  const [out, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (!success) throw new Error(`Cannot run ${command} ${args.join(" ")}: ${errors}${out}`);
  return out!;
}
