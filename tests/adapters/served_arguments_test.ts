import { assertEquals } from "@std/assert";
import { quoteWord } from "../../lib/judge/audit/subjects/process/split_command.ts";
import { type Outputs, outputValues } from "../../lib/judge/audit/kernel/outputs.ts";
import { withFolder } from "../end_to_end/run_cli.ts";
import { root, served } from "./served.ts";
import { hasProgram } from "../has_program.ts";

/** Programs that put out what their function was called with beside the rows, and how to run them. */
const PROGRAMS = [
  {
    language: "Node",
    file: "program.mjs",
    command: ["node"],
    probe: ["--version"],
    text: `import { serve } from "${root}adapters/node/dpcheck.mjs";
serve((rows, threshold = 7, ...others) => [rows.length, threshold, others.length]);
`,
  },
  {
    language: "Python",
    file: "program.py",
    command: ["python3"],
    probe: ["--version"],
    text: `import sys
sys.path.insert(0, "${root}adapters/python")
from dpcheck import serve
serve(lambda rows, threshold=7, *others, **named: [len(rows), threshold, len(others) + len(named)])
`,
  },
  {
    language: "R",
    file: "program.R",
    command: ["Rscript"],
    probe: ["-e", "library(jsonlite)"],
    text: `source("${root}adapters/r/dpcheck.R")
dpcheck_serve(function(rows, threshold = 7, ...) c(length(rows), threshold, ...length()))
`,
  },
] as const;

// Mutant: a request, a seed or a place that is handed on beside the rows, as a source is by modules.
for (const { language, file, command, probe, text } of PROGRAMS) {
  Deno.test({
    name: `a function served in ${language} is called with the rows alone, and keeps its defaults`,
    ignore: !await hasProgram([command[0]!, ...probe], `the adapter for ${language}`),
    fn: () =>
      withFolder(async (folder) => {
        await Deno.writeTextFile(`${folder}/${file}`, text);
        const pair = { left: [1, 2], right: [1] };
        const sides = await served(`${command[0]} ${quoteWord(`${folder}/${file}`)}`, pair);
        for (const [side, rows] of [["left", 2], ["right", 1]] as const) {
          for (const output of outputValues(sides[side] as Outputs)) {
            assertEquals(output, [rows, 7, 0]);
          }
        }
      }),
  });
}
