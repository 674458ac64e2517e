import { COPIED_FILES, npmPackages } from "./npm_package.ts";
import { vendoredPackages } from "./vendored_packages.ts";

// Writes the npm packages to out/npm/dp and out/npm/dpcheck, or below the folder that is given. It sends nothing: `npm pack` makes the archives.

const root = new URL("../", import.meta.url);
const folder = Deno.args[0] ?? new URL("out/npm", root).pathname;

const read = (file: string): string => Deno.readTextFileSync(new URL(file, root));
const importsOf = (file: string): Record<string, string> => JSON.parse(read(file)).imports;
const memberImports = Object.assign(
  {},
  ...["core", "dp", "papers", "judge"].map((member) => importsOf(`lib/${member}/deno.json`)),
);
const imports = { ...importsOf("deno.json"), ...memberImports };
const vendored = await vendoredPackages({ imports, root });
const { dp, dpcheck } = await npmPackages({
  denoJson: read("deno.json"),
  memberImports,
  vendored,
  read,
});
for (const file of COPIED_FILES) dpcheck.set(file, read(file));
dp.set("README.md", read("lib/dp/README.md")).set("LICENSE", read("LICENSE"));

await Deno.remove(folder, { recursive: true }).catch((error) => {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
});
for (const [name, files] of Object.entries({ dp, dpcheck })) {
  for (const [file, text] of files) {
    const path = `${folder}/${name}/${file}`;
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(path, text);
    if (text.startsWith("#!")) await Deno.chmod(path, 0o755);
  }
  console.log(`${folder}/${name}: ${files.size} files`);
}
