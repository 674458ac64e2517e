import { referencePages } from "./reference/reference_pages.ts";

// Writes the reference pages to out/reference: deno task build reference.

const folder = new URL("../out/reference/", import.meta.url);
await Deno.remove(folder, { recursive: true }).catch((error) => {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
});
const pages = await referencePages();
for (const [path, text] of pages) {
  const file = new URL(path, folder);
  await Deno.mkdir(new URL(".", file), { recursive: true });
  await Deno.writeTextFile(file, text);
}
console.log(`out/reference: ${pages.size} pages`);
