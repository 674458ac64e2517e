import { referencePages } from "./reference/reference_pages.ts";

// Writes docs/reference anew: deno task reference.

const folder = new URL("../docs/reference/", import.meta.url);
await Deno.remove(folder, { recursive: true }).catch((error) => {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
});
const pages = await referencePages();
for (const [path, text] of pages) {
  const file = new URL(path, folder);
  await Deno.mkdir(new URL(".", file), { recursive: true });
  await Deno.writeTextFile(file, text);
}
console.log(`docs/reference: ${pages.size} pages`);
