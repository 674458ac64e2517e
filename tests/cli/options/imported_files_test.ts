import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { entryKey } from "../../../cli/entries/entry_words.ts";
import { importedFiles } from "../../../cli/options/imported_files.ts";

async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    const files = {
      "mean.ts": 'import { noise } from "./noise.ts";\nexport { bound } from "./bound";\n',
      "noise.ts": 'const { scale } = await import("./lib/scale.mjs");\nimport "./mean.ts";\n',
      "bound.ts": "export const bound = 1;\n",
      "lib/scale.mjs": 'import data from "../table.json" with { type: "json" };\n',
      "table.json": '{"also":"./other.ts"}\n',
      "other.ts": "export default 1;\n",
      "far.ts": 'import "npm:zod"; import "./absent.ts"; import "./lib";\n',
    };
    await Deno.mkdir(`${folder}/lib`);
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("files that a module imports are found, through others and in a circle", () =>
  withFolder((folder) => {
    assertEquals(
      importedFiles(`${folder}/mean.ts`).map((file) => file.slice(folder.length + 1)).sort(),
      ["bound.ts", "lib/scale.mjs", "mean.ts", "noise.ts", "table.json"],
    );
    assertEquals(importedFiles(`${folder}/far.ts`), [`${folder}/far.ts`]);
    return Promise.resolve();
  }));

Deno.test("the key of a module and of a program changes with an imported file, and with no other", () =>
  withFolder(async (folder) => {
    const entries = [
      { name: "a", module: "mean.ts#noise", epsilon: 1 },
      { name: "b", exec: "node ./mean.ts", epsilon: 1 },
    ];
    const keys = () => entries.map((entry) => entryKey(entry, folder));
    const before = keys();
    await Deno.writeTextFile(`${folder}/other.ts`, "export default 2;\n");
    assertEquals(keys(), before);
    await Deno.writeTextFile(`${folder}/table.json`, "{}\n");
    const after = keys();
    assert(after.every((key, k) => key !== before[k]));
    assertNotEquals(after[0], after[1]);
  }));
