/**
 * Packages that are bundled into files of ours: those that only reports and papers need, which bring sixty others, and zod, of which an
 * installed copy takes 8 MB.
 */
export const VENDORED: readonly string[] = [
  "@observablehq/plot",
  "acorn",
  "astring",
  "linkedom",
  "ml-matrix",
  "zod",
];

/** The file that holds the licence of each package that was bundled. */
export const LICENCES = "LICENSES.txt";

/** The name of the file that holds a package. */
export function vendoredFile(name: string): string {
  return `vendor-${name.replace(/^@/, "").replaceAll("/", "-")}.js`;
}

interface Package {
  readonly name: string;
  readonly version: string;
  readonly dependencies: readonly string[];
  readonly localPath: string;
}

/** A bundled package: its code, and the licences of all that is in it, by name and version. */
export interface Bundled {
  readonly code: string;
  readonly licences: ReadonlyMap<string, string>;
}

/**
 * Bundles {@linkcode VENDORED} in the versions of these imports, as `deno bundle` does.
 *
 * @throws {Error} where a package has no licence.
 */
export async function vendoredPackages(
  { imports, root }: { readonly imports: Readonly<Record<string, string>>; readonly root: URL },
): Promise<Map<string, Bundled>> {
  const bundled = new Map<string, Bundled>();
  const folder = await Deno.makeTempDir();
  try {
    for (const name of VENDORED) {
      const entry = `${folder}/entry.ts`, output = `${folder}/bundle.js`;
      const specifier = imports[name]!;
      await Deno.writeTextFile(entry, await entryOf(name, { specifier, root }));
      const config = ["--config", new URL("deno.json", root).pathname];
      const words = ["bundle", "--quiet", "--platform", "deno", "--minify", ...config];
      await run([...words, "--output", output, entry]);
      const { npmPackages } = JSON.parse(await run(["info", "--json", ...config, entry])) as {
        npmPackages: Readonly<Record<string, Package>>;
      };
      bundled.set(name, {
        code: await Deno.readTextFile(output),
        licences: licencesOf(specifier.replace("npm:", ""), npmPackages),
      });
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  return bundled;
}

/** What of a package is bundled: all of it, but of zod no more than our files use, for its messages in sixty languages are two thirds of it. */
async function entryOf(
  name: string,
  { specifier, root }: { readonly specifier: string; readonly root: URL },
): Promise<string> {
  const from = JSON.stringify(specifier);
  if (name !== "zod") return `export * from ${from};\n`;
  const used = new Set<string>();
  for (const folder of ["lib", "cli", "proofs"]) {
    for await (const file of filesBelow(new URL(`${folder}/`, root))) {
      const text = await Deno.readTextFile(file);
      if (!text.includes('from "zod"')) continue;
      for (const [, member] of text.matchAll(/\bz\.(\w+)\(/g)) used.add(member!);
    }
  }
  return `import * as all from ${from};\n` +
    `export const z = { ${[...used].sort().map((each) => `${each}: all.${each}`).join(", ")} };\n`;
}

/** The modules below a folder. */
async function* filesBelow(folder: URL): AsyncGenerator<URL> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* filesBelow(new URL(`${name}/`, folder));
    else if (name.endsWith(".ts")) yield new URL(name, folder);
  }
}

/** The licences of a package and of those that it depends on, directly or through others. */
function licencesOf(
  first: string,
  packages: Readonly<Record<string, Package>>,
): ReadonlyMap<string, string> {
  const licences = new Map<string, string>(), reached = new Set([first]);
  // A set that grows while it is read is read to its end.
  for (const key of reached) {
    const { name, version, dependencies, localPath } = packages[key]!;
    for (const other of dependencies) reached.add(other);
    const file = [...Deno.readDirSync(localPath)].find((each) => /^licen[cs]e/i.test(each.name));
    const { license } = JSON.parse(Deno.readTextFileSync(`${localPath}/package.json`)) as {
      license?: string;
    };
    if (file === undefined && license === undefined) {
      throw new Error(`Cannot bundle ${name}: it must have a licence`);
    }
    licences.set(
      `${name} ${version}`,
      file === undefined
        ? `License: ${license}`
        : Deno.readTextFileSync(`${localPath}/${file.name}`),
    );
  }
  return licences;
}

async function run(args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    env: { NO_COLOR: "1" },
  }).output();
  if (!success) throw new Error(`Cannot run deno ${args[0]}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}
