import { assertEquals } from "@std/assert";
import { type Ran, run } from "./run.ts";

const root = new URL("../../", import.meta.url).pathname;
const deno = Deno.execPath();

/** An empty folder beside the archives of both packages, and a cache of npm that was empty. */
export interface Place {
  readonly folder: string;
  readonly archives: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The archives of the packages, made once for all tests. */
let archives: Promise<readonly string[]> | undefined;

async function packed(): Promise<readonly string[]> {
  const folder = await Deno.makeTempDir();
  globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  await ok(run(deno, ["run", "-A", "scripts/build_npm.ts", `${folder}/package`], { cwd: root }));
  const folders = ["dp", "dpcheck"].map((name) => `${folder}/package/${name}`);
  const { stdout } = await ok(run("npm", ["pack", "--json", ...folders], { cwd: folder }));
  const made = JSON.parse(stdout) as { filename: string }[];
  return made.map(({ filename }) => `${folder}/${filename}`);
}

/** Runs a body in an empty folder. */
export async function withArchive(body: (place: Place) => Promise<void>): Promise<void> {
  const top = await Deno.makeTempDir();
  try {
    const env = { npm_config_cache: `${top}/cache`, npm_config_fund: "false", NO_COLOR: "1" };
    await Deno.mkdir(`${top}/empty`);
    await body({ folder: `${top}/empty`, archives: await (archives ??= packed()), env });
  } finally {
    await Deno.remove(top, { recursive: true });
  }
}

/** What a process left, which must end well. */
export async function ok(running: Promise<Ran>): Promise<Ran> {
  const ran = await running;
  assertEquals(ran.code, 0, ran.stdout + ran.stderr);
  return ran;
}
