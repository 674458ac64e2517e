import { assert, assertEquals } from "@std/assert";
import { gaussian, pure } from "../../../../lib/core/claims/claim.ts";
import { replaceOne } from "../../../../lib/core/relations/relation.ts";
import { neighbourCases } from "../../../../lib/judge/exact/alignment/neighbour_cases.ts";
import { proveAlignment } from "../../../../lib/judge/exact/alignment/prove_alignment.ts";
import type { TracedProgram } from "../../../../lib/judge/exact/alignment/trace_program.ts";
import { NotTraceable } from "../../../../lib/judge/exact/alignment/traced_value.ts";
import { followedProgram } from "../../../../lib/judge/exact/followed_program.ts";
import { loadRewritten } from "../../../../lib/judge/source/mod.ts";
import {
  BESIDE,
  HAND_SAMPLERS,
  SUSPECTED_HAND_SAMPLERS,
  WRONG_HAND_SAMPLERS,
} from "./hand_samplers.ts";

const RIGHT = { ...HAND_SAMPLERS, ...SUSPECTED_HAND_SAMPLERS };

// Mutants of hand_draws: a side of ½ that is known and refused; a second use of a uniform number that is not refused; of hand_forms: a factor or a middle that is not looked at.
Deno.test("proveAlignment() knows the noise that programs make of uniform numbers by its form, and says of no wrong one that it holds", async () => {
  const programs = Object.entries({ ...RIGHT, ...WRONG_HAND_SAMPLERS });
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/samplers.mjs`;
    await Deno.writeTextFile(
      file,
      BESIDE + programs.map(([name, text]) => `export const ${name} = ${text};`).join("\n"),
    );
    const written = await import(`file://${file}`) as Record<string, TracedProgram>;
    const { module, notes } = await loadRewritten(file);
    assertEquals(notes, []);
    for (const [name] of programs) {
      const run = followedProgram(module[name] as TracedProgram);
      const isNormal = name.startsWith("gauss") && name !== "gaussAsPure";
      const verdict = await proveAlignment({ name, run }, {
        claim: isNormal
          ? gaussian({ mu: 1, relation: replaceOne })
          : pure({ epsilon: 1, relation: replaceOne }),
        cases: neighbourCases(
          { rows: { type: "number", min: 0, max: 1 }, size: { min: 2, max: 2 } },
          replaceOne,
        )!,
        test: { written: written[name]! },
      }).then(({ report }) => {
        if (name in RIGHT) assertEquals(report.byHand, true, name);
        return report.verdict;
      }, (error) => {
        if (error instanceof NotTraceable) return "refused";
        throw error;
      });
      if (name in RIGHT) assertEquals(verdict, "holds", name);
      else assert(verdict !== "holds", name);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
