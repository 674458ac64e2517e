import { assertEquals, assertRejects } from "@std/assert";
import { pure } from "../../../../lib/core/mod.ts";
import type { Real } from "../../../../lib/core/mechanism/continuous_draws.ts";
import { replaceOne } from "../../../../lib/core/relations/relation.ts";
import { neighbourCases } from "../../../../lib/judge/exact/alignment/neighbour_cases.ts";
import { proveAlignment } from "../../../../lib/judge/exact/alignment/prove_alignment.ts";
import type { TracedProgram } from "../../../../lib/judge/exact/alignment/trace_program.ts";
import { NotTraceable } from "../../../../lib/judge/exact/alignment/traced_value.ts";
import {
  changedAnswers,
  eachByOne as relation,
} from "../../../../proofs/judge/exact/checks/changed_answers.ts";

function prove(
  run: TracedProgram,
  { maxPaths }: { readonly maxPaths?: number } = {},
): ReturnType<typeof proveAlignment> {
  return proveAlignment({ name: "it", run }, {
    claim: pure({ epsilon: 1, relation }),
    cases: [1, 2].flatMap((size) => changedAnswers(size, { min: -4, max: 6 })),
    ...(maxPaths === undefined ? {} : { maxPaths }),
  });
}

const noisy: TracedProgram = (data, source) =>
  source.sum((data as Real[])[0]!, source.laplace({ scale: 1 }));

// Mutants: a limit that is not checked, or elsewhere.
Deno.test("proveAlignment() takes a number of paths of at least 1, and stops above it", async () => {
  for (const maxPaths of [0, -1, 1.5, NaN]) {
    await assertRejects(() => prove(noisy, { maxPaths }), RangeError, "maxPaths");
  }
  const { report: { paths } } = await prove(noisy);
  assertEquals((await prove(noisy, { maxPaths: paths })).report.verdict, "holds");
  await assertRejects(
    () => prove(noisy, { maxPaths: paths - 1 }),
    paths === 1 ? RangeError : NotTraceable,
  );
});

// Mutants: classes of the last case alone; an open class that is not what is shown.
Deno.test("proveAlignment() counts the classes of all cases, and shows one that is open", async () => {
  const sign: TracedProgram = (data, source) => {
    const [x] = data as Real[];
    const value = source.sum(x!, source.laplace({ scale: 1 }));
    return source.less(0, value);
  };
  const { report } = await prove(sign);
  // Two outputs on each case.
  assertEquals(report.classes, 2 * report.cases.length);
  const leak: TracedProgram = (data, source) => {
    const [x] = data as Real[];
    const value = source.sum(x!, source.laplace({ scale: 1 }));
    return source.less(0, value) ? "above" : source.less(0, x!) ? "data" : "noise";
  };
  const { report: leaking } = await prove(leak);
  assertEquals(leaking.verdict, "not proved");
  assertEquals(leaking.open.some(({ output }) => output === leaking.worst!.output), true);
});

Deno.test("indexOfLargest() of nothing throws, as when a program runs", async () => {
  const { report } = await prove((data, source) =>
    source.less(0, source.laplace({ scale: 1 }))
      ? 0
      : source.indexOfLargest((data as Real[]).slice(2))
  );
  assertEquals([report.verdict, report.epsilon, report.classes], [
    "holds",
    0,
    2 * report.cases.length,
  ]);
});

Deno.test("proveAlignment() proves programs at any scale, and at two scales at once", async () => {
  const at = (size: number): Record<string, TracedProgram> => ({
    sum: (data, source) => source.sum(...data as Real[], source.laplace({ scale: size })),
    max: (data, source) =>
      source.indexOfLargest(
        (data as Real[]).map((x) => source.sum(x, source.exponential({ scale: size }))),
      ),
    clamped: (data, source) =>
      source.sum(
        ...(data as Real[]).map((x) => source.less(x, size) ? x : size),
        source.laplace({ scale: size }),
      ),
    both: (data, source) =>
      (data as Real[]).map((x, i) => {
        const scale = i === 0 ? 1e9 : 1e-9;
        return source.sum(source.multiple(scale / size, x), source.laplace({ scale }));
      }),
  });
  for (const size of [1e-9, 1, 1e9]) {
    for (const [name, run] of Object.entries(at(size))) {
      const { report } = await proveAlignment({ name, run }, {
        claim: pure({ epsilon: 1 + 2 ** -50, relation: replaceOne }),
        cases: neighbourCases(
          { rows: { type: "number", min: 0, max: size }, size: { min: 2, max: 2 } },
          replaceOne,
        )!,
      });
      assertEquals([name, size, report.verdict], [name, size, "holds"]);
    }
  }
});
