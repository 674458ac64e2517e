import { assertEquals, assertStringIncludes } from "@std/assert";
import { type Outputs, outputValues } from "../../lib/judge/audit/kernel/outputs.ts";
import { SubjectFailure } from "../../lib/judge/audit/kernel/subject.ts";
import { withFolder } from "../end_to_end/run_cli.ts";
import { root, served } from "./served.ts";
import { hasProgram } from "../has_program.ts";

const ignore = !await hasProgram(["Rscript", "-e", "library(jsonlite)"], "the adapter for R");

/** Outputs of an R program whose function is `body`. */
async function outputsOf(
  folder: string,
  { body, options = "", left, right }: {
    readonly body: string;
    readonly options?: string;
    readonly left: unknown;
    readonly right: unknown;
  },
): Promise<[left: unknown[], right: unknown[]]> {
  const file = `${folder}/program.R`;
  await Deno.writeTextFile(
    file,
    `source("${root}adapters/r/dpcheck.R")\ndpcheck_serve(function(rows) { ${body} }${options})\n`,
  );
  const sides = await served(`Rscript ${file}`, { left, right });
  return [sides.left, sides.right].map((side) =>
    [
      ...new Set([...outputValues(side as Outputs)].map((value) => JSON.stringify(value))),
    ].map((text) => JSON.parse(text))
  ) as [unknown[], unknown[]];
}

// Mutants: 15 digits; lists of one boxed or unboxed wrongly; the datasets exchanged; print left on standard output.
Deno.test({
  name:
    "dpcheck.R answers in order, with 17 digits, lists, records, errors as outputs, and doubles",
  ignore,
  fn: () =>
    withFolder(async (folder) => {
      const numbers = { left: [0.1, 0.2], right: [] };
      const third = await outputsOf(folder, {
        ...numbers,
        body: 'print("loud"); cat("louder\\n"); sum(rows) / 3',
      });
      assertEquals(third, [[(0.1 + 0.2) / 3], [0]]);
      const shapes = await outputsOf(folder, {
        ...numbers,
        body:
          'list(n = length(rows), all = I(rows[1]), text = "a\\"b", none = NULL, yes = TRUE, m = rows > 1)',
      });
      assertEquals(shapes[0], [{
        n: 2,
        all: [0.1],
        text: 'a"b',
        none: null,
        yes: true,
        m: [false, false],
      }]);
      const rows = await outputsOf(folder, {
        left: [{ age: 3, name: "x" }, { age: 4, name: "y" }],
        right: [[1, 2], [3, 4]],
        body: "if (is.null(names(rows[[1]]))) sum(rows[[2]]) else rows[[2]]$age",
      });
      assertEquals(rows, [[4], [7]]);
      const bare = await outputsOf(folder, {
        left: [NaN, -Infinity, 1],
        right: ["NaN"],
        body: "c(is.nan(rows[1]), rows[2] < 0, is.character(rows))",
      });
      assertEquals(bare, [[[true, true, false]], [[false, null, true]]]);
      const failing = await outputsOf(folder, {
        ...numbers,
        body: 'if (length(rows) == 0) stop("no rows"); 1',
      });
      assertEquals(failing, [[1], [{ message: "no rows" }]]);
      const doubles = await outputsOf(folder, {
        ...numbers,
        options: ", width = 2",
        body: "c(length(rows), 1 / 3)",
      });
      assertEquals(doubles, [[[2, 1 / 3]], [[0, 1 / 3]]]);
      const ended = await outputsOf(folder, {
        ...numbers,
        options: ", width = 2",
        body: "1",
      }).catch((error) => error);
      assertEquals(ended instanceof SubjectFailure, true);
      assertStringIncludes(ended.message, "f must return 2 numbers");
      const said = async (before: string): Promise<string> => {
        const file = `${folder}/seeded.R`;
        const text =
          `${before}; source("${root}adapters/r/dpcheck.R"); dpcheck_serve(function(rows) runif(1))`;
        await Deno.writeTextFile(file, text);
        const { stderr } = await new Deno.Command("Rscript", { args: [file], stdin: "null" })
          .output();
        return new TextDecoder().decode(stderr);
      };
      assertStringIncludes(await said("set.seed(1)"), "they may repeat");
      assertEquals(await said("1"), "");
    }),
});

// Node gives its children sockets, which have no name that could be opened. Mutant: /dev/stdout and nothing else.
Deno.test({
  name: "dpcheck.R answers where standard output is a socket, as under Node",
  ignore: ignore || !await hasProgram(["node", "--version"], "the adapter for R under Node"),
  fn: () =>
    withFolder(async (folder) => {
      const file = `${folder}/program.R`;
      await Deno.writeTextFile(
        file,
        `source("${root}adapters/r/dpcheck.R")\ndpcheck_serve(function(rows) sum(rows))\n`,
      );
      const script = `const child = require("child_process").spawn("Rscript", [process.argv[1]]);
        child.stdout.pipe(process.stdout);
        child.stdin.end(process.argv[2]);`;
      const { stdout } = await new Deno.Command("node", {
        args: ["-e", script, file, '{"id":1,"datasets":[[1,2],[]],"order":[0,1]}\n'],
      }).output();
      const [, answer] = new TextDecoder().decode(stdout).split("\n");
      assertEquals(JSON.parse(answer!), { id: 1, outputs: [3, 0] });
    }),
});
