import { siteFiles } from "./site_files.ts";

// Writes the site to out/site: deno task build site [ADDRESS], with the address below which the repository shows its files.

const folder = new URL("../out/site/", import.meta.url);
await Deno.remove(folder, { recursive: true }).catch((error) => {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
});
const encoder = new TextEncoder();
const files = await siteFiles(Deno.args[0]);
for (const [path, text] of files) {
  const file = new URL(path, folder);
  await Deno.mkdir(new URL(".", file), { recursive: true });
  await Deno.writeFile(file, typeof text === "string" ? encoder.encode(text) : text);
}
console.log(
  `out/site: ${files.size} files; any server of files shows them: python3 -m http.server -d out/site`,
);
