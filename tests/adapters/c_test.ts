import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { SubjectFailure } from "../../lib/judge/audit/kernel/subject.ts";
import { runCli, withFolder } from "../end_to_end/run_cli.ts";
import { root, served } from "./served.ts";
import { hasProgram } from "../has_program.ts";

type Doubles = Record<"left" | "right", { width: number; values: Float64Array }>;

const PROGRAM = `
#include "dpcheck.h"
static void f(dpcheck_rows rows, double *output) {
  size_t i;
  double sum = 0;
  printf("loud\\n");
  for (i = 0; i < rows.count * rows.width; i++) sum += rows.values[i];
  output[0] = sum;
  output[1] = (double)rows.count;
  output[2] = (double)rows.width / 0.75;
}
int main(void) { return dpcheck_serve(f, 3); }
`;

async function compiled(
  compiler: string,
  { text, folder }: { text: string; folder: string },
): Promise<string> {
  const file = `${folder}/program.${compiler === "gcc" ? "c" : "cc"}`;
  await Deno.writeTextFile(file, text);
  const program = `${folder}/${compiler}`;
  const { success, stderr } = await new Deno.Command(compiler, {
    args: ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-I", `${root}adapters/c`, file]
      .concat(compiler === "gcc" ? ["-std=c99"] : [], ["-o", program, "-lm"]),
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  return program;
}

for (const compiler of ["gcc", "g++"]) {
  // Mutants: the datasets exchanged; the width of the first row of all; printf left on standard output; true read as 0.
  Deno.test({
    name: `dpcheck.h, compiled by ${compiler}, answers in order with doubles`,
    ignore: !await hasProgram([compiler, "--version"], "the adapter for C and C++"),
    fn: () =>
      withFolder(async (folder) => {
        const program = await compiled(compiler, { text: PROGRAM, folder });
        const cases: readonly [left: unknown, right: unknown, outputs: number[][]][] = [
          [[1, 2], [], [[3, 2, 1 / 0.75], [0, 0, 0]]],
          [[[1, -2.5e-3], [0, 1]], [true, false, true], [[1.9975, 2, 2 / 0.75], [
            2,
            3,
            1 / 0.75,
          ]]],
        ];
        for (const [left, right, outputs] of cases) {
          const drawn = await served(program, { left, right }) as Doubles;
          for (const [k, side] of [drawn.left, drawn.right].entries()) {
            assertEquals(side.width, 3);
            assert(side.values.length > 0);
            for (let i = 0; i < side.values.length; i += 3) {
              assertEquals([...side.values.subarray(i, i + 3)], outputs[k]);
            }
          }
        }
        for (
          const [wrong, why] of [[["a"], "must be a list of numbers"], [[[1], [1, 2]], "equal"]]
        ) {
          const failure = await served(program, { left: wrong, right: [] }).catch((error) => error);
          assert(failure instanceof SubjectFailure);
          assertStringIncludes(failure.message, why as string);
        }
      }),
  });
}

// Noise of a quarter of the scale that the claim needs: the example of the page, with its noise made less.
Deno.test({
  name: "dpcheck audit refutes a C program with too little noise",
  ignore: !await hasProgram(["gcc", "--version"], "the adapter for C and C++"),
  fn: () =>
    withFolder(async (folder) => {
      const page = await Deno.readTextFile(`${root}adapters/c/README.md`);
      const text = page.match(/```c\n([^]*?)```/)![1]!.replace(
        "(arc4random() + 0.5) / 4294967296.0",
        "(rand() + 0.5) / (RAND_MAX + 1.0)",
      ).replace("exponential() - exponential()", "(exponential() - exponential()) / 4")
        .replace("int main(void) {", "int main(void) { srand((unsigned)getpid());");
      const program = await compiled("gcc", { text, folder });
      const { code, stdout, stderr } = await runCli([
        ...["audit", "--exec", program, "--epsilon", "1", "--relation", "replace-one"],
        ...["--rows", '{"type":"number","min":0,"max":1}', "--size", "2..3"],
        ...["--seed", "1", "--max-draws", "20000", "--no-shrink"],
      ]);
      assertEquals(code, 1, stdout + stderr);
    }),
});
