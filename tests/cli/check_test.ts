import { assertEquals, assertStringIncludes } from "@std/assert";
import { withFolder } from "../end_to_end/run_cli.ts";
import { runMain } from "./run_main.ts";

const MODULE = `
export const max = (list, source) =>
  source.indexOfLargest(list.map((x) => source.sum(x, source.laplace({ scale: 2 }))));
export const other = (list, source) =>
  source.indexOfLargest(list.map((x) => source.sum(x, source.laplace({ scale: 1 }))));
export const plus = ([x], source) => x + source.laplace({ scale: 2 });
export const rounded = ([x], source) => Math.floor(x + source.laplace({ scale: 2 }));
export const respond = ([row], source) => source.bernoulli({ probability: 0.25 }) ? !row : row;
`;

// Mutants: a module that is not looked at; one status for all.
Deno.test("dpcheck check accepts a certificate with its program, and with no other", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/m.js`, [alignment, laws] = [`${folder}/a.json`, `${folder}/l.json`];
    await Deno.writeTextFile(file, MODULE);
    const numbers = ["--rows", '{"type":"number","min":0,"max":9}', "--size", "2"];
    const flags = ["--rows", '{"type":"boolean"}', "--size", "1", "--relation", "replace-one"];
    for (
      const words of [
        [
          "max",
          ...numbers,
          "--relation",
          "change-each-by-1",
          "--epsilon",
          "1",
          "--certificate",
          alignment,
        ],
        ["respond", ...flags, "--epsilon", "1.2", "--certificate", laws],
      ]
    ) {
      const [name, ...rest] = words;
      const { code } = await runMain(["exact", "--module", `${file}#${name}`, ...rest]);
      assertEquals(code, 0, name);
    }
    const cases: [string[], number, string][] = [
      [[alignment], 0, "ACCEPTED"],
      [[alignment, `${file}#max`], 0, "has the 4 paths, draws and outputs"],
      [[alignment, `${file}#other`], 1, "REJECTED  case 0, left"],
      [[alignment, `${file}#plus`], 1, "REJECTED"],
      [[alignment, `${file}#rounded`], 1, "REJECTED"],
      [[laws], 0, "ACCEPTED"],
      [[laws, `${file}#respond`], 0, "has the 4 paths, draws and outputs"],
      [[laws, `${file}#plus`], 4, "NOT DERIVED"],
    ];
    for (const [words, expected, said] of cases) {
      const { code, out } = await runMain(["check", ...words]);
      assertEquals(code, expected, words.join(" "));
      assertStringIncludes(out, said);
    }
    const { code, out } = await runMain(["check", alignment, `${file}#max`, "--json", "-"]);
    const { verdict, paths } = JSON.parse(out);
    assertEquals([code, verdict, paths], [0, "accepted", 4]);
    assertEquals((await runMain(["check", `${folder}/none`])).code, 2);
    await Deno.writeTextFile(file, `${MODULE} `);
    const changed = await runMain(["check", alignment, `${file}#max`]);
    assertEquals(changed.code, 1);
    assertStringIncludes(changed.out, "not the one that was traced");
  });
});
