// Writes what JSR publishes to out/jsr: the library and the command line as one package. A package of a workspace cannot import files of
// other members by their paths, so that the copy has no members, and names what they import itself. It sends nothing.

interface DenoJson {
  readonly imports: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

const root = new URL("../", import.meta.url);
const folder = new URL("out/jsr/", root);
const config = (file: string): DenoJson =>
  JSON.parse(Deno.readTextFileSync(new URL(file, root))) as DenoJson;

const { name, version, license, exports, compilerOptions, imports, workspace } = config(
  "deno.json",
);
const members = (workspace as string[]).filter((path) => path.startsWith("./lib/"));
const all = { ...imports };
for (const member of members) Object.assign(all, config(`${member}/deno.json`).imports);

await Deno.remove(folder, { recursive: true }).catch((error) => {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
});
const { stdout } = await new Deno.Command("git", {
  args: ["ls-files", "mod.ts", "lib", "cli", "proofs", "docs", "*.md", "LICENSE", "CITATION.cff"],
  cwd: root,
}).output();
const files = new TextDecoder().decode(stdout).split("\n")
  .filter((file) => /^(mod\.ts$|LICENSE|CITATION|[^/]*\.md$|(lib|cli|proofs|docs)\/)/.test(file))
  .filter((file) => !file.endsWith("/deno.json"));
for (const file of files) {
  const target = new URL(file, folder);
  await Deno.mkdir(new URL(".", target), { recursive: true });
  await Deno.copyFile(new URL(file, root), target);
}
const published = { name, version, license, exports, imports: all, compilerOptions };
await Deno.writeTextFile(new URL("deno.json", folder), `${JSON.stringify(published, null, 2)}\n`);
console.log(`${folder.pathname}: ${files.length + 1} files`);
