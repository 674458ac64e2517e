import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** Permissions that processes of the command line always get. */
const PERMISSIONS = ["read", "write", "env", "run", "sys"];
/** Permissions that they get if this process has them. */
const FURTHER_PERMISSIONS = ["net", "ffi", "import"];

/** The part of Deno that is used here; Node has none. */
interface Runtime {
  readonly permissions: {
    querySync(descriptor: { readonly name: string }): { readonly state: string };
  };
}

/** The command that starts the command line in a process of its own, with permissions like `--allow-net=HOST` besides the usual ones. */
export function ownCommand(
  words: readonly string[],
  permissions: readonly string[] = [],
): { readonly command: string; readonly args: readonly string[] } {
  const here = fileURLToPath(import.meta.url);
  // The npm package has all its modules in one folder, and its command in another.
  const main = join(dirname(here), here.endsWith(".js") ? "../bin/dpcheck.js" : "../main.ts");
  const { Deno: deno } = globalThis as { readonly Deno?: Runtime };
  if (deno === undefined) return { command: process.execPath, args: [main, ...words] };
  const allowed = FURTHER_PERMISSIONS.filter((name) =>
    deno.permissions.querySync({ name }).state === "granted"
  );
  const all = [...PERMISSIONS, ...allowed].map((name) => `--allow-${name}`);
  // Both --allow-net and --allow-net=HOST would be refused.
  const more = permissions.filter((each) => !all.some((one) => each.startsWith(one)));
  return { command: process.execPath, args: ["run", "--quiet", ...all, ...more, main, ...words] };
}
