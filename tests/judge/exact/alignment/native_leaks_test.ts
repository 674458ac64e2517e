import { assert, assertEquals } from "@std/assert";
import { pure } from "../../../../lib/core/claims/claim.ts";
import { replaceOne } from "../../../../lib/core/relations/relation.ts";
import { neighbourCases } from "../../../../lib/judge/exact/alignment/neighbour_cases.ts";
import { proveAlignment } from "../../../../lib/judge/exact/alignment/prove_alignment.ts";
import type { TracedProgram } from "../../../../lib/judge/exact/alignment/trace_program.ts";
import { NotTraceable } from "../../../../lib/judge/exact/alignment/traced_value.ts";
import { followedProgram } from "../../../../lib/judge/exact/followed_program.ts";
import { loadRewritten } from "../../../../lib/judge/source/mod.ts";
import { NATIVE_LEAKS, NOT_POST_PROCESSED, POST_PROCESSED } from "./native_leaks.ts";

// Mutants of computed_output: a function or a form that is left out of its key; of the operations: an operation that lets native code ask a followed value; of traced_value: a sign of zero that is lost.
Deno.test("proveAlignment() says of no rewritten module that it holds where native code alone tells rows apart, and holds of functions of noisy numbers", async () => {
  const programs = Object.entries({ ...NATIVE_LEAKS, ...POST_PROCESSED, ...NOT_POST_PROCESSED });
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/leaks.mjs`;
    await Deno.writeTextFile(
      file,
      programs.map(([, text], i) => `export const p${i} = ${text};`).join("\n"),
    );
    const written = await import(`file://${file}`) as Record<string, TracedProgram>;
    const { module, notes } = await loadRewritten(file);
    assertEquals(notes, []);
    for (const [i, [name]] of programs.entries()) {
      const run = followedProgram(module[`p${i}`] as TracedProgram);
      const verdict = await proveAlignment({ name, run }, {
        claim: pure({ epsilon: 1, relation: replaceOne }),
        cases: neighbourCases(
          { rows: { type: "number", min: 0, max: 1 }, size: { min: 2, max: 2 } },
          replaceOne,
        )!,
        test: { written: written[`p${i}`]! },
      }).then(({ report }) => report.verdict, (error) => {
        if (error instanceof NotTraceable) return "refused";
        throw error;
      });
      if (name in POST_PROCESSED) assertEquals(verdict, "holds", name);
      else assert(verdict !== "holds", name);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
