import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type Outputs, outputValues } from "../../lib/judge/audit/kernel/outputs.ts";
import { SubjectFailure, Thrown } from "../../lib/judge/audit/kernel/subject.ts";
import { runCli, withFolder } from "../end_to_end/run_cli.ts";
import { root, served } from "./served.ts";

const ignore = !await hasProgram(["go", "version"], "the adapter for Go");

const PROGRAM = `package main

import (
	"fmt"
	"math"
	"os"

	"example.com/noisy/dpcheck"
)

type person struct {
	Age  float64 \`json:"age"\`
	Name string  \`json:"name"\`
}

func main() {
	switch os.Args[1] {
	case "doubles":
		dpcheck.ServeDoubles(2, func(rows []float64) []float64 { return []float64{float64(len(rows)), 1.0 / 3} })
	case "records":
		dpcheck.Serve(func(rows []person) any {
			fmt.Println("loud")
			if len(rows) == 0 {
				panic("nobody")
			}
			return map[string]any{"age": rows[0].Age, "name": rows[0].Name}
		})
	default:
		dpcheck.Serve(func(rows [][]float64) any {
			if len(rows) == 0 {
				return math.Inf(-1)
			}
			return []float64{rows[0][1], math.NaN()}
		})
	}
}
`;
import { hasProgram } from "../has_program.ts";

async function built(folder: string, main: string): Promise<string> {
  await Deno.mkdir(`${folder}/dpcheck`, { recursive: true });
  await Deno.copyFile(`${root}adapters/go/dpcheck.go`, `${folder}/dpcheck/dpcheck.go`);
  await Deno.writeTextFile(`${folder}/main.go`, main);
  await Deno.writeTextFile(`${folder}/go.mod`, "module example.com/noisy\n\ngo 1.18\n");
  const { success, stderr } = await new Deno.Command("go", {
    args: ["build", "-o", "program", "."],
    cwd: folder,
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  return `${folder}/program`;
}

// Mutants: the datasets exchanged; NaN left to encoding/json, which refuses it; a panic that ends the program.
Deno.test({
  name: "the adapter for Go answers in order, with records, NaN, panics as outputs, and doubles",
  ignore,
  fn: () =>
    withFolder(async (folder) => {
      const program = await built(folder, PROGRAM);
      const seen = async (word: string, left: unknown): Promise<unknown[]> => {
        const sides = await served(`${program} ${word}`, { left, right: [] });
        return [sides.left, sides.right].map((side) => [...outputValues(side as Outputs)][0]);
      };
      assertEquals(await seen("doubles", [1, 2]), [[2, 1 / 3], [0, 1 / 3]]);
      assertEquals(await seen("vectors", [[5, 0.1]]), [[0.1, NaN], -Infinity]);
      assertEquals(await seen("records", [{ age: 3, name: "x" }]), [
        { age: 3, name: "x" },
        new Thrown("nobody"),
      ]);
      const failure = await seen("doubles", ["a"]).catch((error) => error);
      assert(failure instanceof SubjectFailure);
      assertStringIncludes(failure.message, "must hold rows of the type");
    }),
});

// Noise of a quarter of the scale that the claim needs: the example of the page, with its noise made less.
Deno.test({
  name: "dpcheck audit refutes a Go program with too little noise",
  ignore,
  fn: () =>
    withFolder(async (folder) => {
      const page = await Deno.readTextFile(`${root}adapters/go/README.md`);
      const text = page.match(/```go\n([^]*?)```/)![1]!
        .replace("exponential() - exponential()", "(exponential()-exponential())/4");
      const { code, stdout, stderr } = await runCli([
        ...["audit", "--exec", await built(folder, text), "--epsilon", "1"],
        ...["--rows", '{"type":"number","min":0,"max":1}', "--size", "2..3"],
        ...["--relation", "replace-one", "--seed", "1", "--max-draws", "20000", "--no-shrink"],
      ]);
      assertEquals(code, 1, stdout + stderr);
    }),
});
