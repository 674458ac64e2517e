import { assertEquals } from "@std/assert";
import { processSubject } from "../../lib/judge/audit/subjects/process/process_subject.ts";
import { checkSubject } from "../../lib/judge/testing/mod.ts";
import { withFolder } from "../end_to_end/run_cli.ts";
import { root } from "./served.ts";
import { hasProgram } from "../has_program.ts";

/** By adapter: how its runtime is found and starts a file, and a program that counts rows with noise, throws on [-1] and ends on [-2]. */
const PROGRAMS: Readonly<
  Record<string, readonly [test: readonly string[], run: string, file: string, text: string]>
> = {
  Node: [
    ["node", "--version"],
    "node",
    "program.mjs",
    `import { serve } from ${JSON.stringify(`${root}adapters/node/dpcheck.mjs`)};
serve((rows) => {
  if (rows[0] === -1) throw new RangeError("no such row");
  if (rows[0] === -2) process.exit(3);
  return rows.length + Math["random"]();
});`,
  ],
  Python: [
    ["python3", "--version"],
    "python3",
    "program.py",
    `import os, random, sys
sys.path.insert(0, ${JSON.stringify(`${root}adapters/python`)})
from dpcheck import serve
def count(rows):
    if rows[0] == -1:
        raise ValueError("no such row")
    if rows[0] == -2:
        os._exit(3)
    return len(rows) + random.random()
serve(count)`,
  ],
  R: [
    ["Rscript", "-e", "library(jsonlite)"],
    "Rscript",
    "program.R",
    `source(${JSON.stringify(`${root}adapters/r/dpcheck.R`)})
dpcheck_serve(function(rows) {
  if (rows[1] == -1) stop("no such row")
  if (rows[1] == -2) quit(status = 3)
  length(rows) + runif(1)
})`,
  ],
};

for (const [adapter, [[command, ...words], run, file, text]] of Object.entries(PROGRAMS)) {
  Deno.test({
    name: `a program with the adapter of ${adapter} keeps the laws of checkSubject()`,
    ignore: !await hasProgram([command!, ...words], "the laws of the adapters"),
    fn: () =>
      withFolder(async (folder) => {
        await Deno.writeTextFile(`${folder}/${file}`, text);
        const { skipped } = await checkSubject(
          () => processSubject(`${run} ${folder}/${file}`),
          { left: [1, 2], right: [1], throwsOn: [-1], failsOn: [-2] },
        );
        // No two starts of such a program give the same outputs.
        assertEquals(Object.keys(skipped), ["an output depends on no coin to come"]);
      }),
  });
}
