import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type Outputs, outputValues } from "../../lib/judge/audit/kernel/outputs.ts";
import { SubjectFailure } from "../../lib/judge/audit/kernel/subject.ts";
import { withFolder } from "../end_to_end/run_cli.ts";
import { root, served } from "./served.ts";
import { hasProgram } from "../has_program.ts";

const PROGRAM = `mod dpcheck;
fn main() -> std::io::Result<()> {
    dpcheck::serve(3, |rows: &[Vec<f64>]| {
        vec![rows.len() as f64, rows.iter().flatten().sum(), 1.0 / 3.0]
    })
}
`;

// Mutants: the datasets exchanged; true read as 0; big-endian doubles.
Deno.test({
  name: "the adapter for Rust answers in order with doubles, and its page compiles",
  ignore: !await hasProgram(["rustc", "--version"], "the adapter for Rust"),
  fn: () =>
    withFolder(async (folder) => {
      await Deno.copyFile(`${root}adapters/rust/dpcheck.rs`, `${folder}/dpcheck.rs`);
      const page = await Deno.readTextFile(`${root}adapters/rust/README.md`);
      await Deno.writeTextFile(`${folder}/page.rs`, page.match(/```rust\n([^]*?)```/)![1]!);
      await Deno.writeTextFile(`${folder}/program.rs`, PROGRAM);
      for (const [file, emit] of [["page", "metadata"], ["program", "link"]]) {
        const { success, stderr } = await new Deno.Command("rustc", {
          args: ["-D", "warnings", "--edition", "2021", `--emit=${emit}`, `${file}.rs`],
          cwd: folder,
        }).output();
        assert(success, new TextDecoder().decode(stderr));
      }
      const seen = async (left: unknown, right: unknown): Promise<unknown[]> => {
        const sides = await served(`${folder}/program`, { left, right });
        return [sides.left, sides.right].map((side) => [...outputValues(side as Outputs)][0]);
      };
      assertEquals(await seen([1, -2.5e-3], []), [[2, 0.9975, 1 / 3], [0, 0, 1 / 3]]);
      assertEquals(await seen([[1, 2], []], [true, false, true]), [[2, 3, 1 / 3], [3, 2, 1 / 3]]);
      const failure = await seen(["a"], []).catch((error) => error);
      assert(failure instanceof SubjectFailure);
      assertStringIncludes(failure.message, "rows must be numbers");
    }),
});
