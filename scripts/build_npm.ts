import { COPIED_FILES, npmPackage } from "./npm_package.ts";

// Writes the npm package to out/npm, or to the folder that is given. It sends nothing: `npm pack out/npm` makes the archive.

const root = new URL("../", import.meta.url);
const folder = Deno.args[0] ?? new URL("out/npm", root).pathname;

const read = (file: string): string => Deno.readTextFileSync(new URL(file, root));
const files = await npmPackage({ denoJson: read("deno.json"), read });
for (const file of COPIED_FILES) files.set(file, read(file));

await Deno.remove(folder, { recursive: true }).catch((error) => {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
});
for (const [file, text] of files) {
  const path = `${folder}/${file}`;
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  await Deno.writeTextFile(path, text);
  if (text.startsWith("#!")) await Deno.chmod(path, 0o755);
}
console.log(`${folder}: ${files.size} files`);
