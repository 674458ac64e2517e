import { assertEquals } from "@std/assert";
import { pure } from "../../../../lib/core/claim.ts";
import { changeEach } from "../../../../lib/core/relation.ts";
import type { Real } from "../../../../lib/core/continuous_draws.ts";
import { neighbourCases } from "../../../../lib/exact/alignment/neighbour_cases.ts";
import { proveAlignment } from "../../../../lib/exact/alignment/prove_alignment.ts";
import type { TracedProgram } from "../../../../lib/exact/alignment/trace_program.ts";

// Mutants: no weights, so that changes are anywhere; the other side of a bound.
Deno.test("tightPair() is where a bound is attained or neared", async () => {
  const relation = changeEach({ by: 1 });
  const worst = async (run: TracedProgram): Promise<unknown> => {
    const cases = neighbourCases({
      rows: { type: "number", min: -4, max: 6 },
      size: { min: 4, max: 4 },
    }, relation)!;
    const { report } = await proveAlignment({ name: "it", run }, {
      claim: pure({ epsilon: 1, relation }),
      cases,
    });
    return report.worst;
  };
  const max: TracedProgram = (data, source) =>
    source.indexOfLargest((data as Real[]).map((x) => source.sum(x, source.laplace({ scale: 1 }))));
  assertEquals(await worst(max), {
    output: 0,
    pair: { left: [1, 1, 1, 1], right: [0, 2, 2, 2] },
  });
  // Nothing is proved: all changes are as large as can be.
  const largest: TracedProgram = (data, source) => {
    const values = (data as Real[]).map((x) => source.sum(x, source.exponential({ scale: 1 })));
    return values[source.indexOfLargest(values)];
  };
  assertEquals(await worst(largest), {
    output: null,
    pair: { left: [1, 1, 1, 1], right: [2, 2, 2, 2] },
  });
});
