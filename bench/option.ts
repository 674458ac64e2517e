/** Returns the value of `--name` on the command line; `undefined` where it does not occur. */
export function option(name: string): string | undefined {
  const at = Deno.args.indexOf(`--${name}`);
  return at < 0 ? undefined : Deno.args[at + 1];
}
